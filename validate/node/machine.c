/* machine.c - reads groups/ARCH/machine.lua. SPDX-License-Identifier: GPL-3.0-or-later */
#include "machine.h"

#include <unistd.h>

/* Data shared by several architectures, for use in machine files. */
static json_t *read_shared(const struct paths *paths, struct error *error) {
    char file[PATH_MAX];
    return paths_join(file, paths->groups, "counts.lua", error) == 0 ? script_file(file, error) : NULL;
}

json_t *machine_read(struct script *script, const struct paths *paths, const char *arch, const char *likwid,
                     struct error *error) {
    char file[PATH_MAX];
    if (paths_arch(file, paths, arch, "machine.lua", error) != 0 || access(file, R_OK) != 0) {
        error_set(
            error,
            "%s: no machine file for this architecture (groups/%s/machine.lua); CONTRIBUTING.md says how to add one",
            arch, arch);
        return NULL;
    }
    json_t *argument = script_file(file, error);
    if (argument == NULL || json_object_set_new(argument, "shared", read_shared(paths, error)) != 0) {
        json_decref(argument);
        return NULL;
    }
    if (likwid != NULL)
        json_object_set_new(argument, "likwid", json_string(likwid));
    return script_call(script, "read:machine", argument, error);
}
