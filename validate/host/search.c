/* search.c - programs in PATH. SPDX-License-Identifier: GPL-3.0-or-later */
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vnode/search_path.h"

static int is_program(const char *file) {
    struct stat status;
    return stat(file, &status) == 0 && S_ISREG(status.st_mode) && access(file, X_OK) == 0;
}

int search_program(const char *name, char file[PATH_MAX]) {
    if (strchr(name, '/') != NULL)
        return snprintf(file, PATH_MAX, "%s", name) < PATH_MAX && is_program(file) ? 0 : -1;
    for (const char *path = getenv("PATH"); path != NULL;) {
        path = search_path_take(path, name, file, PATH_MAX);
        if (is_program(file))
            return 0;
    }
    return -1;
}
