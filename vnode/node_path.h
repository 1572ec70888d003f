/* node_path.h - paths below /proc and /sys that describe the machine. Processes of the node get the files of the same
 * path in the node's folder instead (written by vnode/launch/machine.h). Shared by the engine and by the preloaded
 * library. Freestanding: no libc here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_NODE_PATH_H
#define ASSAY_VNODE_NODE_PATH_H

#include <stddef.h>

enum { NODE_PATH_MAX = 4096 };

/* Files, and folders with all their content; * is the rest of a name. A file missing in the node's folder does not
 * exist for its processes. */
static const char *const node_paths[] = {
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/bus/cpu",
    "/sys/bus/node",
    "/sys/devices/virtual/dmi",
    "/sys/class/dmi",
    "/sys/firmware/dmi",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    "/proc/sys/kernel/nmi_watchdog",
    "/proc/sys/kernel/perf_event_paranoid",
    "/sys/bus/event_source",
    "/sys/devices/cpu",
    "/sys/devices/software",
    "/sys/devices/uncore_*",
    "/sys/devices/amd_*",
};

/* The length of `text`, at most NODE_PATH_MAX. */
static inline size_t node_path_length(const char *text) {
    size_t length = 0;
    while (length < NODE_PATH_MAX && text[length])
        length++;
    return length;
}

/* Appends the components of `path` to the `length` bytes of `out`, an absolute path without trailing slash. Drops "."
 * and resolves ".." by name. Returns the new length, or NODE_PATH_MAX: too long. */
static inline size_t node_path_append(char *out, size_t length, const char *path) {
    while (*path) {
        size_t part = 0;
        while (path[part] && path[part] != '/')
            part++;
        if (part == 2 && path[0] == '.' && path[1] == '.') {
            while (length > 0 && out[--length] != '/')
                ;
        } else if (part > 0 && !(part == 1 && path[0] == '.')) {
            if (length + part + 2 > NODE_PATH_MAX)
                return NODE_PATH_MAX;
            out[length++] = '/';
            for (size_t i = 0; i < part; i++)
                out[length++] = path[i];
        }
        path += part + (path[part] == '/');
    }
    return length;
}

static inline int node_path_is_below(const char *path, size_t length, const char *folder) {
    size_t i = 0;
    for (; folder[i] && folder[i] != '*'; i++)
        if (i >= length || path[i] != folder[i])
            return 0;
    return i == length || path[i] == '/' || folder[i] == '*';
}

/* Writes the redirected path of `path` to `out` (NODE_PATH_MAX bytes). `base`: absolute path of the folder for a
 * relative `path`. 1, or 0: not redirected, `out` is undefined. */
static inline int node_path_redirect(const char *node_folder, const char *base, const char *path, char *out) {
    char full[NODE_PATH_MAX];
    size_t length = 0;
    if (path[0] != '/')
        length = node_path_append(full, 0, base);
    if (length < NODE_PATH_MAX)
        length = node_path_append(full, length, path);
    for (size_t i = 0; length < NODE_PATH_MAX && i < sizeof node_paths / sizeof *node_paths; i++) {
        size_t before = node_path_length(node_folder);
        if (!node_path_is_below(full, length, node_paths[i]) || before + length >= NODE_PATH_MAX)
            continue;
        for (size_t k = 0; k < before; k++)
            out[k] = node_folder[k];
        for (size_t k = 0; k < length; k++)
            out[before + k] = full[k];
        out[before + length] = '\0';
        return 1;
    }
    return 0;
}

/* Whether the path may be redirected at all; a quick test without `base`. */
static inline int node_path_may_be(const char *path) {
    if (path[0] != '/')
        return path[0] != '\0';
    size_t at = 0;
    while (path[at] == '/' || (path[at] == '.' && path[at + 1] == '/'))
        at++;
    if (path[at] == 's' || path[at] == 'p')
        return 1;
    for (; path[at]; at++)
        if (path[at] == '.' && path[at + 1] == '.')
            return 1;
    return 0;
}

#endif
