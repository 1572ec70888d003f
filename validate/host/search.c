/* search.c - programs in PATH. SPDX-License-Identifier: GPL-3.0-or-later */
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_program(const char *file) {
    struct stat status;
    return stat(file, &status) == 0 && S_ISREG(status.st_mode) && access(file, X_OK) == 0;
}

int search_program(const char *name, char file[PATH_MAX]) {
    if (strchr(name, '/') != NULL)
        return snprintf(file, PATH_MAX, "%s", name) < PATH_MAX && is_program(file) ? 0 : -1;
    const char *path = getenv("PATH");
    for (const char *part = path; part != NULL && *part != '\0';) {
        size_t length = strcspn(part, ":");
        int n = snprintf(file, PATH_MAX, "%.*s/%s", (int)length, part, name);
        if (n > 0 && n < PATH_MAX && is_program(file))
            return 0;
        part += length + (part[length] == ':');
    }
    return -1;
}
