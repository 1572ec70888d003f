/* access.c - LIKWID's access mode and this user's rights. SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "settings.h"
#include "validate/likwid/complaint.h"

static const char registers[] = "/dev/cpu/0/msr";
#define WITHOUT_OPTION "use a likwid-perfctr that does not add -M 0"
static const char other_build[] = "install a LIKWID built with ACCESSMODE=accessdaemon, and set LIKWID_PREFIX to it";

/* The library mapped as data; NULL if that fails. */
static const char *map_library(const char *library, size_t *size) {
    struct stat status;
    void *bytes = MAP_FAILED;
    int file = open(library, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0)
        bytes = mmap(NULL, *size = (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    return bytes != MAP_FAILED ? bytes : NULL;
}

/* The path is a text in the library; LIKWID has no function that returns it. */
int access_lock_file(const struct likwid *likwid, char *file) {
    static const char name[] = "/likwid.lock";
    size_t size = 0;
    const char *bytes = map_library(likwid->library, &size);
    const char *end = bytes != NULL ? memmem(bytes, size, name, sizeof name) : NULL, *begin = end;
    while (begin != NULL && begin > bytes && isgraph((unsigned char)begin[-1])) /* no text need end before it */
        begin--;
    snprintf(file, PATH_MAX, "%s", begin != NULL ? begin : "");
    if (bytes != NULL)
        munmap((void *)bytes, size);
    return file[0] == '/' ? 0 : -1;
}

/* Whether the daemon is setuid root or has file capabilities, and its file system allows that. */
static int has_rights(const char *daemon) {
    struct stat status;
    struct statvfs place;
    return stat(daemon, &status) == 0 && statvfs(daemon, &place) == 0 && (place.f_flag & ST_NOSUID) == 0 &&
           (((status.st_mode & S_ISUID) && status.st_uid == 0) || getxattr(daemon, "security.capability", NULL, 0) > 0);
}

static int is_mode(const struct likwid *likwid, const char *mode) {
    return strcmp(likwid->mode, mode) == 0;
}

/* A script that starts likwid-perfctr chooses direct access. */
static int is_by_option(const struct likwid *likwid) {
    return strcmp(likwid->path, LIKWID_OPTION_DIRECT) == 0;
}

int access_is_perf(const struct likwid *likwid) {
    return is_mode(likwid, "perf_event") && likwid->path[0] != '/';
}

/* LIKWID has the same number for perf_event and for a configuration file that does not say. */
static const char *refuse_perf(const struct likwid *likwid, char *text, size_t size) {
    int has_file = !access_is_perf(likwid);
    snprintf(text, size, "LIKWID is built for perf_event, which drops or changes options of uncore events%s%.150s%s",
             has_file ? ", or " : "", likwid->path, has_file ? " sets no daemon_mode" : "");
    return has_file ? "set daemon_mode = daemon in that file, or install a LIKWID built with ACCESSMODE=accessdaemon"
                    : other_build;
}

static const char *refuse_absent(const struct likwid *likwid, char *text, size_t size) {
    if (is_mode(likwid, "direct"))
        snprintf(text, size, "direct access needs %s, which is absent", registers);
    else
        snprintf(text, size, "%s %.200s needs %s, which is absent", likwid->mode, likwid->path, registers);
    return settings_is_container("") ? "modprobe msr on the host, and start the container with its registers "
                                       "(docker run --privileged -v /dev/cpu:/dev/cpu)"
                                     : "modprobe msr (as root)";
}

/* Linux's driver asks for the file's permission and for a capability. Boxes of the uncore in PCI want root, anyway. */
static const char *examine_direct(const struct likwid *likwid, char *text, size_t size) {
    int file = open(registers, O_RDWR | O_CLOEXEC), why = errno;
    if (file >= 0)
        close(file);
    if (file >= 0 && geteuid() == 0)
        return NULL;
    snprintf(text, size, "direct access (%.200s) needs root: %s: %s",
             likwid->path[0] != '\0' ? likwid->path : "LIKWID is built for it", registers,
             file >= 0 ? "opened, but uncore boxes are in /proc/bus/pci" : strerror(why));
    return is_by_option(likwid)      ? "run as root, or " WITHOUT_OPTION
           : likwid->path[0] != '\0' ? "run as root, or set daemon_mode = daemon in that file"
                                     : "run as root, or install a LIKWID built with ACCESSMODE=accessdaemon";
}

static const char *examine_daemon(const char *daemon, char *text, size_t size) {
    if (access(daemon, X_OK) != 0) {
        snprintf(text, size, "LIKWID's access daemon %.200s is not there, or not for this user", daemon);
        return "install LIKWID whole; its sbin/ holds the daemon";
    }
    if (geteuid() == 0 || has_rights(daemon))
        return NULL;
    snprintf(text, size, "%.200s may not touch the registers for this user", daemon);
    return COMPLAINT_RIGHTS;
}

const char *access_obstacle(const struct likwid *likwid, char *text, size_t size) {
    if (likwid->mode[0] == '\0') {
        snprintf(text, size, "LIKWID does not say how it accesses counters");
        return "install LIKWID whole";
    }
    if (is_mode(likwid, "perf_event"))
        return refuse_perf(likwid, text, size);
    if (access(registers, F_OK) != 0 && errno != EACCES) /* a daemon has rights of its own */
        return refuse_absent(likwid, text, size);
    return is_mode(likwid, "direct") ? examine_direct(likwid, text, size) : examine_daemon(likwid->path, text, size);
}

/* A configuration file may choose direct access, too, but a virtual node has none (vnode/shim/files.c). */
const char *access_obstacle_virtual(const struct likwid *likwid, char *text, size_t size) {
    if (is_mode(likwid, "perf_event"))
        return refuse_perf(likwid, text, size);
    if (!is_mode(likwid, "direct") || (likwid->path[0] != '\0' && !is_by_option(likwid)))
        return NULL;
    snprintf(text, size, "%s direct access; registers of a virtual node are behind an access daemon",
             is_by_option(likwid) ? LIKWID_OPTION_DIRECT " asks for" : "LIKWID is built for");
    return is_by_option(likwid) ? WITHOUT_OPTION : other_build;
}
