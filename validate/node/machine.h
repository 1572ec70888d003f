/* machine.h - what is known of an architecture: groups/ARCH/machine.lua, checked (lua/input/schema.lua). */
#ifndef ASSAY_MACHINE_H
#define ASSAY_MACHINE_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* schema.machine's result, a new reference; NULL and the reason. */
json_t *machine_read(struct script *script, const struct paths *paths, const char *arch, struct error *error);

#endif
