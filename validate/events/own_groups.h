/* own_groups.h - group files that are not Assay's: a user's. */
#ifndef ASSAY_OWN_GROUPS_H
#define ASSAY_OWN_GROUPS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/script.h"

/* The group file `path`, or all of a folder's: { NAME: input/group.lua's }, a new reference; NULL and the reason.
 * A file of a folder that is no group file is { "name", "refused": the reason }. */
json_t *own_groups_read(struct script *script, const char *path, struct error *error);

#endif
