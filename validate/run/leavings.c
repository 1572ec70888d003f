/* leavings.c - files as they were before a program ran. SPDX-License-Identifier: GPL-3.0-or-later */
#include "leavings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validate/host/paths.h"

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* Calls use(context, name) with each name in the folder that begins with `start`. */
static int each_name(const char *folder, const char *start, void (*use)(void *context, const char *name),
                     void *context) {
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (strncmp(entry->d_name, start, strlen(start)) == 0)
            use(context, entry->d_name);
    }
    closedir(stream);
    return 0;
}

static void add_name(void *names, const char *name) {
    json_object_set_new(names, name, json_true());
}

/* All of one file into another, with its mode and times. */
static int copy_file(const char *from, const char *to) {
    struct stat status;
    char block[1 << 16];
    int in = open(from, O_RDONLY | O_CLOEXEC), out = -1, failed = in < 0 || fstat(in, &status) != 0;
    ssize_t got;
    if (!failed)
        failed = (out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, status.st_mode & 07777)) < 0;
    while (!failed && (got = read(in, block, sizeof block)) != 0)
        failed = got < 0 || write(out, block, (size_t)got) != got;
    if (!failed) {
        const struct timespec times[] = {status.st_atim, status.st_mtim};
        failed = fchmod(out, status.st_mode & 07777) != 0 || futimens(out, times) != 0;
    }
    int why = errno;
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0)
        failed = 1;
    errno = why;
    return failed ? -1 : 0;
}

/* What has to be known of one file. */
static json_t *note(const char *file, off_t size, const char *work, size_t number, struct error *error) {
    char path[PATH_MAX], other[PATH_MAX], copy[PATH_MAX], place[64];
    snprintf(path, sizeof path, "%s", file);
    snprintf(other, sizeof other, "%s", file);
    snprintf(place, sizeof place, "given-%zu", number);
    const char *folder = dirname(path), *name = basename(other);
    json_t *beside = json_object();
    int is_kept = size <= LEAVINGS_MOST;
    if (each_name(folder, name, add_name, beside) != 0 || paths_join(copy, work, place, error) != 0 ||
        (is_kept && copy_file(file, copy) != 0)) {
        error_set(error, "%s: cannot be kept for the next run: %s; free space in TMPDIR", file, strerror(errno));
        json_decref(beside);
        return NULL;
    }
    return json_pack("{s:s%, s:s%, s:o, s:s?}", "folder", folder, strlen(folder), "name", name, strlen(name), "beside",
                     beside, "copy", is_kept ? copy : NULL);
}

int leavings_note(struct leavings *leavings, char *const command[], const char *work, struct error *error) {
    leavings->given = json_array();
    for (size_t i = 1; command[0] != NULL && command[i] != NULL; i++) {
        struct stat status;
        if (strlen(command[i]) >= PATH_MAX || stat(command[i], &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        json_t *one = note(command[i], status.st_size, work, i, error);
        if (one == NULL)
            return -1;
        json_array_append_new(leavings->given, one);
    }
    return 0;
}

/* Removes a file that was not there. */
static void remove_new(void *given, const char *name) {
    char file[PATH_MAX];
    struct stat status;
    if (json_object_get(json_object_get(given, "beside"), name) == NULL &&
        snprintf(file, sizeof file, "%s/%s", text_of(given, "folder"), name) < (int)sizeof file &&
        lstat(file, &status) == 0 && S_ISREG(status.st_mode))
        unlink(file);
}

static int is_changed(const char *file, const char *copy) {
    struct stat now, before;
    return stat(file, &now) != 0 || stat(copy, &before) != 0 || now.st_size != before.st_size ||
           now.st_mtim.tv_sec != before.st_mtim.tv_sec || now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

int leavings_restore(const struct leavings *leavings, struct error *error) {
    size_t index;
    json_t *given;
    json_array_foreach(leavings->given, index, given) {
        char file[PATH_MAX];
        const char *folder = text_of(given, "folder"), *name = text_of(given, "name"), *copy = text_of(given, "copy");
        each_name(folder, name, remove_new, given);
        if (paths_join(file, folder, name, error) != 0)
            return -1;
        if (copy != NULL && is_changed(file, copy) && copy_file(copy, file) != 0)
            return error_set(error, "%s: cannot be put back: %s; it is in %s", file, strerror(errno), copy);
    }
    return 0;
}

void leavings_release(struct leavings *leavings) {
    json_decref(leavings->given);
    leavings->given = NULL;
}
