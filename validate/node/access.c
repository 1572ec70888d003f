/* access.c - LIKWID's access mode and this user's rights. SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "settings.h"
#include "validate/host/ask.h"
#include "validate/likwid/complaint.h"

enum { PATIENCE = 20 /* seconds */ };

int access_ask(const struct paths *paths, const struct likwid *likwid, struct access_way *way, struct error *error) {
    char tool[PATH_MAX];
    int status = -1;
    struct error why;
    *way = (struct access_way){0};
    if (paths_join(tool, paths->tools, "validate/likwid_access", error) != 0)
        return -1;
    char *const question[] = {tool, (char *)likwid->perfctr, NULL};
    char *answer = ask(question, PATIENCE, &status, &why);
    if (answer != NULL && status == 0)
        sscanf(answer, "lock %4095[^\n] %15s %4095[^\n]", way->lock, way->mode, way->daemon);
    free(answer);
    return way->mode[0] != '\0' ? 0
                                : error_set(error, "LIKWID's library does not say how it is built: %.600s", why.text);
}

/* Whether the daemon is setuid root or has file capabilities, and its file system allows that. */
static int has_rights(const char *daemon) {
    struct stat status;
    struct statvfs place;
    return stat(daemon, &status) == 0 && statvfs(daemon, &place) == 0 && (place.f_flag & ST_NOSUID) == 0 &&
           (((status.st_mode & S_ISUID) && status.st_uid == 0) || getxattr(daemon, "security.capability", NULL, 0) > 0);
}

int access_is_perf(const struct access_way *way) {
    return strcmp(way->mode, "perf_event") == 0;
}

const char *access_obstacle(const struct access_way *way, char *text, size_t size) {
    static const char registers[] = "/dev/cpu/0/msr";
    int is_daemon = strcmp(way->mode, "accessdaemon") == 0;
    if (access_is_perf(way)) {
        snprintf(text, size, "LIKWID is built for perf_event, which drops or changes options of uncore events");
        return "install a LIKWID built with ACCESSMODE=accessdaemon, and set LIKWID_PREFIX to it";
    }
    if (access(registers, F_OK) != 0) {
        snprintf(text, size, "%s %.200s%sneeds %s, which is absent", way->mode, way->daemon, is_daemon ? " " : "",
                 registers);
        return settings_is_container("") ? "modprobe msr on the host, and start the container with its registers "
                                           "(docker run --privileged -v /dev/cpu:/dev/cpu)"
                                         : "modprobe msr (as root)";
    }
    if (!is_daemon && access(registers, R_OK | W_OK) != 0) {
        snprintf(text, size, "LIKWID is built for direct access, which needs root: %s is closed to this user",
                 registers);
        return "run as root, or install a LIKWID built with ACCESSMODE=accessdaemon";
    }
    if (is_daemon && access(way->daemon, X_OK) != 0) {
        snprintf(text, size, "LIKWID's access daemon %.200s is not there, or not for this user", way->daemon);
        return "install LIKWID whole; its sbin/ holds the daemon";
    }
    if (is_daemon && geteuid() != 0 && !has_rights(way->daemon)) {
        snprintf(text, size, "%.200s may not touch the registers for this user", way->daemon);
        return COMPLAINT_RIGHTS;
    }
    return NULL;
}
