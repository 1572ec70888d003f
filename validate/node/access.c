/* access.c - LIKWID's access mode and this user's rights. SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "validate/host/ask.h"

enum { PATIENCE = 20 /* seconds */ };

int access_ask(const struct paths *paths, struct access_way *way, struct error *error) {
    char tool[PATH_MAX];
    int status = -1;
    struct error why;
    *way = (struct access_way){0};
    if (paths_join(tool, paths->tools, "validate/likwid_access", error) != 0)
        return -1;
    char *const question[] = {tool, NULL};
    char *answer = ask(question, PATIENCE, &status, &why);
    if (answer != NULL && status == 0)
        sscanf(answer, "%15s %4095[^\n]", way->mode, way->daemon);
    free(answer);
    return way->mode[0] != '\0' ? 0
                                : error_set(error, "LIKWID's library does not say how it is built: %.600s", why.text);
}

/* Whether the daemon is setuid root or has file capabilities. */
static int has_rights(const char *daemon) {
    struct stat status;
    return stat(daemon, &status) == 0 &&
           (((status.st_mode & S_ISUID) && status.st_uid == 0) || getxattr(daemon, "security.capability", NULL, 0) > 0);
}

const char *access_obstacle(const struct access_way *way, char *text, size_t size) {
    static const char registers[] = "/dev/cpu/0/msr";
    int is_daemon = strcmp(way->mode, "accessdaemon") == 0;
    if (strcmp(way->mode, "perf_event") == 0) {
        snprintf(text, size, "LIKWID is built for perf_event, which drops or changes options of uncore events");
        return "install a LIKWID built with ACCESSMODE=accessdaemon, and set LIKWID_PREFIX to it";
    }
    if (access(registers, F_OK) != 0) {
        snprintf(text, size, "%s is absent: no way to the counter registers", registers);
        return "modprobe msr (as root)";
    }
    if (!is_daemon && access(registers, R_OK | W_OK) != 0) {
        snprintf(text, size, "LIKWID is built for direct access, and %s is closed to this user", registers);
        return "run as root, or install a LIKWID built with ACCESSMODE=accessdaemon";
    }
    if (is_daemon && geteuid() != 0 && !has_rights(way->daemon)) {
        snprintf(text, size, "%.200s may not touch the registers for this user", way->daemon);
        return "chown root and chmod u+s it, or run as root";
    }
    return NULL;
}
