/* search_path.c - the node's tools are found first. LIKWID looks for its access daemon in PATH, which on the way to a
 * process may have been set anew: likwid-mpirun's scripts are login shells, and mpirun puts its own folder in front.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

__attribute__((constructor)) static void put_tools_first(void) {
    char first[sizeof shim()->tools + sizeof "/bin"], *path = NULL;
    const char *old = getenv("PATH");
    if (!shim()->active || !old)
        return;
    int length = snprintf(first, sizeof first, "%s/bin", shim()->tools);
    int is_first = strncmp(old, first, (size_t)length) == 0 && (old[length] == ':' || old[length] == '\0');
    if (is_first || asprintf(&path, "%s:%s", first, old) < 0)
        return;
    setenv("PATH", path, 1);
    free(path);
}
