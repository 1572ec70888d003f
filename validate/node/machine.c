/* machine.c - reads groups/ARCH/machine.lua. SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine.h"

#include <stdio.h>
#include <unistd.h>

json_t *machine_read(struct script *script, const struct paths *paths, const char *arch, struct error *error) {
    char file[PATH_MAX];
    if (snprintf(file, sizeof file, "%s/groups/%s/machine.lua", paths->data, arch) >= (int)sizeof file ||
        access(file, R_OK) != 0) {
        error_set(
            error,
            "%s: no machine file for this architecture (groups/%s/machine.lua); CONTRIBUTING.md says how to add one",
            arch, arch);
        return NULL;
    }
    return script_read(script, "input.schema", "machine", file, error);
}
