/* own_groups.h - reads a user's group files. */
#ifndef ASSAY_OWN_GROUPS_H
#define ASSAY_OWN_GROUPS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/script.h"

/* Reads the group file `path`, or all files if it is a folder: { NAME: result of input/group.lua }, a new reference;
 * NULL with the reason. In a folder an invalid group file becomes { "name", "refused": the reason }. */
json_t *own_groups_read(struct script *script, const char *path, struct error *error);

#endif
