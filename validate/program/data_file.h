/* data_file.h - data files as the doors that read several of them take these. */
#ifndef ASSAY_DATA_FILE_H
#define ASSAY_DATA_FILE_H

#include "program_run.h"

/* [ { "text", "file": what messages and records call it, "is_shipped": it is Assay's } ]: DATA/SHARED, unless `shared`
 * is NULL, groups/ARCH/NAME of the node if it is there, and the user's file `own`, or NULL. A new reference; NULL and
 * the reason. */
json_t *data_files(const struct program_run *m, const char *shared, const char *name, const char *own,
                   struct error *error);

#endif
