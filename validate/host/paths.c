/* paths.c - finds data and tools next to the program. SPDX-License-Identifier: GPL-3.0-or-later */
#include "paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int paths_format(char *out, struct error *error, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsnprintf(out, PATH_MAX, format, values);
    va_end(values);
    return length >= 0 && length < PATH_MAX ? 0
                                            : error_set(error, "%.200s...: path too long; use a shorter folder", out);
}

int paths_join(char *out, const char *folder, const char *name, struct error *error) {
    return paths_format(out, error, "%s/%s", folder, name);
}

int paths_data(char *out, const struct paths *paths, const char *name, struct error *error) {
    static const char groups[] = "groups";
    const char *rest = name + sizeof groups - 1;
    int is_there = strncmp(name, groups, sizeof groups - 1) == 0 && (*rest == '/' || *rest == '\0');
    return is_there ? paths_format(out, error, "%s%s", paths->groups, rest) : paths_join(out, paths->data, name, error);
}

int paths_arch(char *out, const struct paths *paths, const char *arch, const char *name, struct error *error) {
    return paths_format(out, error, "%s/%s/%s", paths->groups, arch, name);
}

int paths_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int paths_make_folder(const char *path, struct error *error) {
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return error_set(error, "%.200s...: path too long; use a shorter folder", path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return error_set(error, "%s: cannot make this folder: %s", part, strerror(errno));
    }
    return 0;
}

static void strip_last(char *path) {
    char *slash = strrchr(path, '/');
    if (slash != NULL && slash != path)
        *slash = '\0';
}

static int has_data(const char *folder) {
    char probe[PATH_MAX];
    struct error ignored;
    return paths_join(probe, folder, "lua/plan/plan.lua", &ignored) == 0 && access(probe, R_OK) == 0;
}

int paths_find(struct paths *paths, struct error *error) {
    ssize_t length = readlink("/proc/self/exe", paths->program, sizeof paths->program - 1);
    if (length < 0)
        return error_set(error, "/proc/self/exe: %s; is /proc mounted?", strerror(errno));
    paths->program[length] = '\0';

    char home[PATH_MAX];
    memcpy(home, paths->program, (size_t)length + 1);
    strip_last(home);
    memcpy(paths->tools, home, sizeof home);
    strip_last(home);

    const char *chosen = getenv("ASSAY_DATA");
    if (chosen != NULL) {
        if (!has_data(chosen))
            return error_set(
                error, "ASSAY_DATA=%s: no Assay data there; unset it or name a folder with lua/plan/plan.lua", chosen);
        snprintf(paths->data, sizeof paths->data, "%s", chosen);
        return paths_join(paths->groups, chosen, "groups", error);
    }
    if (has_data(home)) {
        memcpy(paths->data, home, sizeof home);
        return paths_join(paths->groups, paths->tools, "groups", error);
    }
    if (paths_join(paths->data, home, "share/assay", error) != 0 ||
        paths_join(paths->groups, paths->data, "groups", error) != 0 ||
        paths_join(paths->tools, home, "lib/assay", error) != 0)
        return -1;
    if (!has_data(paths->data))
        return error_set(error, "%s: Assay's data are neither here nor in %s; install again or set ASSAY_DATA",
                         paths->data, home);
    return 0;
}

/* Creates a folder whose files will be executed. -1 with the reason if it belongs to another user than this one and
 * root, or if everybody can write to it. */
static int make_trusted(const char *folder, struct error *error) {
    struct stat status;
    mode_t before = umask(S_IWGRP | S_IWOTH);
    int failed = paths_make_folder(folder, error);
    umask(before);
    if (failed) {
        struct error why = *error;
        return error_set(error, "%.800s; set XDG_CACHE_HOME, kernels are assembled there", why.text);
    }
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode) || access(folder, W_OK | X_OK) != 0)
        return error_set(error, "%s: cannot write there; set XDG_CACHE_HOME, kernels are assembled there", folder);
    if ((status.st_uid != geteuid() && status.st_uid != 0) || (status.st_mode & S_IWOTH) != 0)
        return error_set(error, "%s: others may write there what would be executed; set XDG_CACHE_HOME", folder);
    return 0;
}

int paths_cache(const struct paths *paths, char *out, struct error *error) {
    if (access(paths->tools, W_OK) == 0 && strcmp(paths->tools, paths->data) != 0 &&
        paths_join(out, paths->tools, "cache", error) == 0 && make_trusted(out, error) == 0)
        return 0;
    const char *base = getenv("XDG_CACHE_HOME");
    const char *rest = "assay";
    if (base == NULL || base[0] != '/') {
        base = getenv("HOME");
        rest = ".cache/assay";
    }
    if (base == NULL || base[0] != '/')
        return error_set(error, "neither XDG_CACHE_HOME nor HOME is set; set one, kernels are assembled there");
    if (paths_join(out, base, rest, error) != 0)
        return -1;
    return make_trusted(out, error);
}
