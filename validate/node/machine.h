/* machine.h - reads an architecture's machine file, groups/ARCH/machine.lua, checked by lua/input/schema.lua. */
#ifndef ASSAY_MACHINE_H
#define ASSAY_MACHINE_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* The result of schema.machine, a new reference; NULL with the reason. `likwid`: LIKWID's version, which decides what
 * can be counted; NULL: the newest. */
json_t *machine_read(struct script *script, const struct paths *paths, const char *arch, const char *likwid,
                     struct error *error);

#endif
