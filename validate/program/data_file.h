/* data_file.h - loads data files as arguments for doors (script.h) that read several files. */
#ifndef ASSAY_DATA_FILE_H
#define ASSAY_DATA_FILE_H

#include "program_run.h"

/* [ { "text", "file": its name in messages and records, "is_shipped": part of Assay } ] for DATA/SHARED (unless
 * `shared` is NULL), groups/ARCH/NAME of the node's architecture (if it exists) and the user's file `own` (unless
 * NULL). A new reference; NULL with the reason. */
json_t *data_files(const struct program_run *m, const char *shared, const char *name, const char *own,
                   struct error *error);

#endif
