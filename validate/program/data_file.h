/* data_file.h - data files as the Lua functions that read several of them take these. */
#ifndef ASSAY_DATA_FILE_H
#define ASSAY_DATA_FILE_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"

/* Adds { "text", "file": name, "is_shipped": false } to the list; `name` is what the file is called in messages and
 * records. 0, or -1 and the reason. */
int data_file_add(json_t *files, const char *file, const char *name, struct error *error);

/* The same of DATA/NAME, "is_shipped": true. One that is not there is left out if it `may_lack`. */
int data_file_add_own(json_t *files, const struct paths *paths, const char *name, int may_lack, struct error *error);

#endif
