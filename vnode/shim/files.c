/* files.c - files that a node's process finds elsewhere than on the host:
 * - the node's topology at LIKWID's path: LIKWID up to 5.3 finds it itself, later ones by LIKWID_TOPO_FILE. A readable
 *   likwid.cfg would make LIKWID ignore the topology file, so the node has none;
 * - likwid-perfctr's marker files: their names in /tmp are predictable, so a link there could redirect the measured
 *   program's writes; the node's folder is private;
 * - sockets of access daemons, which LIKWID from 5.4 on checks before it connects, up to 1000 times;
 * - in native processes, files in /proc and /sys that describe the machine (vnode/node_path.h); in simulated ones the
 *   engine does that.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helper.h"
#include "marker_file.h"
#include "shim.h"
#include "vnode/node_path.h"
#include "vnode/pmu/protocol.h"

struct path {
    char text[4200];
};

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

static int begins_with(const char *path, const char *begin) {
    return strncmp(path, begin, strlen(begin)) == 0;
}

/* In a simulated process: the node's folder, which exists; connect() then waits for the daemon (daemon_connect.c).
 * Otherwise LIKWID would check a random number of times, and threads that wait for it would spin for 2.5 ms each
 * time. */
static const char *redirect_socket(const char *process, struct path *buffer) {
    if (shim()->simulated)
        return shim()->folder;
    snprintf(buffer->text, sizeof buffer->text, "%s/" NODE_SOCKET_PREFIX "%s", shim()->folder, process);
    return buffer->text;
}

/* LIKWID's own files; it uses only access() and fopen(). The result may be in `buffer`. */
static const char *redirect_likwid(const char *path, struct path *buffer) {
    const char *name = NULL;
    if (!path || !shim()->active)
        return path;
    if (ends_with(path, "/etc/likwid_topo.cfg"))
        name = "likwid_topo.cfg";
    else if (ends_with(path, "/etc/likwid.cfg"))
        name = "no-likwid.cfg";
    else if (begins_with(path, PROTOCOL_SOCKET_PREFIX))
        return redirect_socket(path + strlen(PROTOCOL_SOCKET_PREFIX), buffer);
    else if (!(name = marker_file_name(path)))
        return path;
    snprintf(buffer->text, sizeof buffer->text, "%s/%s", shim()->folder, name);
    return buffer->text;
}

/* The base folder of a relative path. 0: unknown. */
static int base_of(int folder, char *out, size_t size) {
    char link[64];
    if (folder == AT_FDCWD)
        return getcwd(out, size) != NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = REAL(readlink)(link, out, size - 1);
    if (length <= 0)
        return 0;
    out[length] = '\0';
    return out[0] == '/';
}

/* The redirected path of `path` relative to `folder`; may be in `buffer`. */
static const char *redirect(int folder, const char *path, struct path *buffer) {
    char base[NODE_PATH_MAX];
    if (!path || !shim()->active || shim()->simulated || !node_path_may_be(path))
        return path;
    if (path[0] != '/' && !base_of(folder, base, sizeof base))
        return path;
    return node_path_redirect(shim()->folder, base, path, buffer->text) ? buffer->text : path;
}

static const char *redirect_both(const char *path, struct path *buffer) {
    const char *meant = redirect(AT_FDCWD, path, buffer);
    return meant == path ? redirect_likwid(path, buffer) : meant;
}

/* Defines a C library function whose parameter `path` is redirected. */
#define REDIRECTED(result, name, redirection, parameters, ...)                                                         \
    result name parameters {                                                                                           \
        struct path buffer;                                                                                            \
        path = redirection;                                                                                            \
        return REAL(name)(__VA_ARGS__);                                                                                \
    }
#define HERE redirect(AT_FDCWD, path, &buffer)
#define THERE redirect(folder, path, &buffer)
#define LIKWID_TOO redirect_both(path, &buffer)

int access(const char *path, int mode) {
    struct path buffer;
    native_cpuid_answer(__builtin_return_address(0));
    if (mode == X_OK)
        helper_asked(__builtin_return_address(0));
    path = LIKWID_TOO;
    return REAL(access)(path, mode);
}

REDIRECTED(FILE *, fopen, LIKWID_TOO, (const char *path, const char *mode), path, mode)
REDIRECTED(FILE *, fopen64, LIKWID_TOO, (const char *path, const char *mode), path, mode)
REDIRECTED(int, remove, LIKWID_TOO, (const char *path), path)
REDIRECTED(FILE *, freopen, HERE, (const char *path, const char *mode, FILE *file), path, mode, file)
REDIRECTED(FILE *, freopen64, HERE, (const char *path, const char *mode, FILE *file), path, mode, file)
REDIRECTED(DIR *, opendir, HERE, (const char *path), path)
REDIRECTED(int, euidaccess, HERE, (const char *path, int mode), path, mode)
REDIRECTED(int, eaccess, HERE, (const char *path, int mode), path, mode)
REDIRECTED(int, faccessat, THERE, (int folder, const char *path, int mode, int flags), folder, path, mode, flags)
REDIRECTED(int, stat, HERE, (const char *path, struct stat *out), path, out)
REDIRECTED(int, stat64, HERE, (const char *path, struct stat64 *out), path, out)
REDIRECTED(int, lstat, HERE, (const char *path, struct stat *out), path, out)
REDIRECTED(int, lstat64, HERE, (const char *path, struct stat64 *out), path, out)
REDIRECTED(int, fstatat, THERE, (int folder, const char *path, struct stat *out, int flags), folder, path, out, flags)
REDIRECTED(int, fstatat64, THERE, (int folder, const char *path, struct stat64 *out, int flags), folder, path, out,
           flags)
REDIRECTED(int, statx, THERE, (int folder, const char *path, int flags, unsigned mask, struct statx *out), folder, path,
           flags, mask, out)
REDIRECTED(ssize_t, readlink, HERE, (const char *path, char *out, size_t size), path, out, size)
REDIRECTED(ssize_t, readlinkat, THERE, (int folder, const char *path, char *out, size_t size), folder, path, out, size)

/* Programs built with a glibc before 2.33, or with compiler checks, call these; no header declares them. */
int __xstat(int version, const char *path, struct stat *out);
int __xstat64(int version, const char *path, struct stat64 *out);
int __lxstat(int version, const char *path, struct stat *out);
int __lxstat64(int version, const char *path, struct stat64 *out);
int __fxstatat(int version, int folder, const char *path, struct stat *out, int flags);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *out, int flags);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
REDIRECTED(int, __xstat, HERE, (int version, const char *path, struct stat *out), version, path, out)
REDIRECTED(int, __xstat64, HERE, (int version, const char *path, struct stat64 *out), version, path, out)
REDIRECTED(int, __lxstat, HERE, (int version, const char *path, struct stat *out), version, path, out)
REDIRECTED(int, __lxstat64, HERE, (int version, const char *path, struct stat64 *out), version, path, out)
REDIRECTED(int, __fxstatat, THERE, (int version, int folder, const char *path, struct stat *out, int flags), version,
           folder, path, out, flags)
REDIRECTED(int, __fxstatat64, THERE, (int version, int folder, const char *path, struct stat64 *out, int flags),
           version, folder, path, out, flags)
REDIRECTED(int, __open_2, HERE, (const char *path, int flags), path, flags)
REDIRECTED(int, __open64_2, HERE, (const char *path, int flags), path, flags)
REDIRECTED(int, __openat_2, THERE, (int folder, const char *path, int flags), folder, path, flags)
REDIRECTED(int, __openat64_2, THERE, (int folder, const char *path, int flags), folder, path, flags)

/* The mode argument of open() and similar calls, 0 if the flags need none. */
#define MODE(flags)                                                                                                    \
    ({                                                                                                                 \
        mode_t mode_given = 0;                                                                                         \
        if (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE) {                                                   \
            va_list list;                                                                                              \
            va_start(list, flags);                                                                                     \
            mode_given = va_arg(list, mode_t);                                                                         \
            va_end(list);                                                                                              \
        }                                                                                                              \
        mode_given;                                                                                                    \
    })

REDIRECTED(int, open, HERE, (const char *path, int flags, ...), path, flags, MODE(flags))
REDIRECTED(int, open64, HERE, (const char *path, int flags, ...), path, flags, MODE(flags))
REDIRECTED(int, openat, THERE, (int folder, const char *path, int flags, ...), folder, path, flags, MODE(flags))
REDIRECTED(int, openat64, THERE, (int folder, const char *path, int flags, ...), folder, path, flags, MODE(flags))
