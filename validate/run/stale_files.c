/* stale_files.c - restores files between runs of a program. SPDX-License-Identifier: GPL-3.0-or-later */
#include "stale_files.h"

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
#include "validate/host/plain_json.h"
#include "vnode/written_file.h"

struct stale_file {
    char *folder, *name; /* the file's */
    char *copy;          /* NULL: too large to copy */
    json_t *beside;      /* names in the folder that begin with `name`: { plain_word(): true } */
    const struct stale_files *all;
};

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

/* Names may contain any bytes. Two names with the same plain_word() count as one; neither is removed. */
static void add_name(void *names, const char *name) {
    json_t *word = plain_word(name);
    json_object_set_new(names, json_string_value(word), json_true());
    json_decref(word);
}

static int has_name(const json_t *names, const char *name) {
    json_t *word = plain_word(name);
    int found = json_object_get(names, json_string_value(word)) != NULL;
    json_decref(word);
    return found;
}

/* Copies a file with its mode and times. */
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

static char *copy_text(const char *text) {
    char *copy = strdup(text);
    if (copy == NULL)
        abort();
    return copy;
}

/* Records one file of the command and copies it. */
static int note(struct stale_file *given, const char *file, off_t size, const char *work, size_t number,
                struct error *error) {
    char path[PATH_MAX], other[PATH_MAX], copy[PATH_MAX], place[64];
    snprintf(path, sizeof path, "%s", file);
    snprintf(other, sizeof other, "%s", file);
    snprintf(place, sizeof place, "given-%zu", number);
    int is_kept = size <= STALE_FILES_MOST;
    given->folder = copy_text(dirname(path));
    given->name = copy_text(basename(other));
    given->beside = json_object();
    if (each_name(given->folder, given->name, add_name, given->beside) != 0 ||
        paths_join(copy, work, place, error) != 0 || (is_kept && copy_file(file, copy) != 0))
        return error_set(error, "%s: cannot be kept for the next run: %s; free space in TMPDIR", file, strerror(errno));
    given->copy = is_kept ? copy_text(copy) : NULL;
    return 0;
}

int stale_files_note(struct stale_files *stale_files, char *const command[], const char *work, struct error *error) {
    size_t words = 0;
    while (command[words] != NULL)
        words++;
    stale_files->given = calloc(words + 1, sizeof *stale_files->given);
    if (stale_files->given == NULL)
        abort();
    for (size_t i = 1; i < words; i++) {
        struct stat status;
        if (strlen(command[i]) >= PATH_MAX || stat(command[i], &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        struct stale_file *one = &stale_files->given[stale_files->count++];
        one->all = stale_files;
        if (note(one, command[i], status.st_size, work, i, error) != 0)
            return -1;
    }
    return 0;
}

void stale_files_learn(struct stale_files *stale_files, json_t *written) {
    json_decref(stale_files->written);
    stale_files->written = written;
}

/* How the last run wrote the file: 'm' (created), 'w' (written), 0 (not written, or unknown). */
static char how_written(const struct stale_files *stale_files, const char *file, int flags) {
    struct statx status;
    char key[WRITTEN_TEXT];
    if (statx(AT_FDCWD, file, flags, STATX_BTIME | STATX_INO, &status) != 0)
        return 0;
    snprintf(key, sizeof key, WRITTEN_FORMAT, WRITTEN_ARGUMENTS(status));
    const char *how = json_word(stale_files->written, key);
    return how != NULL ? *how : 0;
}

/* Prints once that a new file stays. */
static void say_stays(struct stale_file *given, const char *file, const char *name) {
    struct error text;
    error_set(
        &text,
        "%.900s is new since the first run and stays: nothing proves here that the program made it. A program that "
        "finds its own file may do something else",
        file);
    fprintf(stderr, "assay: %s\n", text.text);
    add_name(given->beside, name);
}

/* Removes a new file if the last run created it. */
static void remove_new(void *context, const char *name) {
    struct stale_file *given = context;
    char file[PATH_MAX];
    struct stat status;
    if (has_name(given->beside, name) ||
        snprintf(file, sizeof file, "%s/%s", given->folder, name) >= (int)sizeof file || lstat(file, &status) != 0 ||
        !S_ISREG(status.st_mode))
        return;
    if (given->all->written == NULL)
        say_stays(given, file, name);
    else if (how_written(given->all, file, AT_SYMLINK_NOFOLLOW) == 'm')
        unlink(file);
}

static int is_changed(const char *file, const char *copy) {
    struct stat now, before;
    return stat(file, &now) != 0 || stat(copy, &before) != 0 || now.st_size != before.st_size ||
           now.st_mtim.tv_sec != before.st_mtim.tv_sec || now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

/* Restores the file if it is missing or was changed by the last run. */
static int put_back(const struct stale_file *given, struct error *error) {
    char file[PATH_MAX];
    struct stat status;
    if (paths_join(file, given->folder, given->name, error) != 0)
        return -1;
    if (given->copy == NULL || !is_changed(file, given->copy))
        return 0;
    if (stat(file, &status) == 0 && how_written(given->all, file, 0) == 0)
        return error_set(error,
                         "%.900s was changed meanwhile, and nothing proves that the program did it: it stays as it is; "
                         "give the program a file that nobody else writes, or let it copy the file first",
                         file);
    return copy_file(given->copy, file) == 0
               ? 0
               : error_set(error, "%s: cannot be put back: %s; it is in %s", file, strerror(errno), given->copy);
}

int stale_files_restore(struct stale_files *stale_files, struct error *error) {
    for (size_t i = 0; i < stale_files->count; i++) {
        struct stale_file *given = &stale_files->given[i];
        each_name(given->folder, given->name, remove_new, given);
        if (put_back(given, error) != 0)
            return -1;
    }
    return 0;
}

void stale_files_release(struct stale_files *stale_files) {
    for (size_t i = 0; i < stale_files->count; i++) {
        free(stale_files->given[i].folder);
        free(stale_files->given[i].name);
        free(stale_files->given[i].copy);
        json_decref(stale_files->given[i].beside);
    }
    free(stale_files->given);
    json_decref(stale_files->written);
    *stale_files = (struct stale_files){0};
}
