/* text.c - reads and writes small text files. SPDX-License-Identifier: GPL-3.0-or-later */
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fresh.h"

char *text_read(const char *file, struct error *error) {
    size_t ignored;
    return text_read_bytes(file, &ignored, error);
}

char *text_read_bytes(const char *file, size_t *size, struct error *error) {
    FILE *stream = fopen(file, "r");
    if (stream == NULL) {
        error_set(error, "%s: cannot read: %s", file, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t length = 0, room = 0;
    for (size_t n = 1; n > 0; length += n) {
        if (room - length < 2) {
            room = room > 0 ? 2 * room : 65536;
            char *grown = room <= TEXT_MOST ? realloc(text, room) : NULL;
            if (grown == NULL) {
                error_set(error, "%s: too large to read", file);
                free(text);
                fclose(stream);
                return NULL;
            }
            text = grown;
        }
        n = fread(text + length, 1, room - length - 1, stream);
    }
    text[length] = '\0';
    *size = length;
    int failed = ferror(stream);
    fclose(stream);
    if (failed) {
        error_set(error, "%s: cannot read: %s", file, strerror(errno));
        free(text);
        return NULL;
    }
    return text;
}

/* Writes to `stream` and closes it. `stream` may be NULL, with the reason in errno. */
static int put(FILE *stream, const char *file, const void *bytes, size_t size, struct error *error) {
    if (stream == NULL)
        return error_set(error, "%s: cannot write: %s", file, strerror(errno));
    int why = fwrite(bytes, 1, size, stream) != size ? errno : 0;
    if (fclose(stream) != 0 && why == 0)
        why = errno;
    return why != 0 ? error_set(error, "%s: cannot write: %s", file, strerror(why)) : 0;
}

int text_write(const char *file, const char *text, struct error *error) {
    return put(fopen(file, "w"), file, text, strlen(text), error);
}

int text_replace(const char *file, const char *text, struct error *error) {
    return text_replace_bytes(file, text, strlen(text), error);
}

int text_replace_bytes(const char *file, const void *bytes, size_t size, struct error *error) {
    char temporary[PATH_MAX];
    if (snprintf(temporary, sizeof temporary, "%s.tmp", file) >= (int)sizeof temporary)
        return error_set(error, "%.200s...: path too long; use a shorter one", file);
    if (put(fresh_open(temporary), temporary, bytes, size, error) == 0) {
        if (rename(temporary, file) == 0)
            return 0;
        error_set(error, "%s: cannot write: %s", file, strerror(errno));
    }
    unlink(temporary);
    return -1;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **text_names(const char *folder, const char *suffix, struct error *error) {
    DIR *stream = opendir(folder);
    if (stream == NULL) {
        error_set(error, "%s: cannot read this folder: %s", folder, strerror(errno));
        return NULL;
    }
    char **names = calloc(1, sizeof *names);
    size_t count = 0, suffix_length = strlen(suffix);
    for (struct dirent *entry; names != NULL && (entry = readdir(stream)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length <= suffix_length || entry->d_name[0] == '.' ||
            strcmp(entry->d_name + length - suffix_length, suffix) != 0)
            continue;
        char **grown = realloc(names, (count + 2) * sizeof *names);
        if (grown == NULL)
            break;
        names = grown;
        names[count++] = strndup(entry->d_name, length - suffix_length);
        names[count] = NULL;
    }
    closedir(stream);
    if (names != NULL)
        qsort(names, count, sizeof *names, by_name);
    else
        error_set(error, "no memory to list %s", folder);
    return names;
}

/* Joins `folder`, with its special characters escaped, and `pattern`. */
static int write_pattern(char out[PATH_MAX], const char *folder, const char *pattern) {
    size_t length = 0;
    for (; *folder != '\0' && length + 2 < PATH_MAX; folder++) {
        if (strchr("*?[{\\", *folder) != NULL)
            out[length++] = '\\';
        out[length++] = *folder;
    }
    int more = snprintf(out + length, PATH_MAX - length, "/%s", pattern);
    return *folder == '\0' && more >= 0 && (size_t)more < PATH_MAX - length ? 0 : -1;
}

char **text_match(const char *folder, const char *pattern, struct error *error) {
    char path[PATH_MAX];
    glob_t found;
    if (write_pattern(path, folder, pattern) != 0) {
        error_set(error, "%.200s...: path too long; use a shorter one", folder);
        return NULL;
    }
    if (glob(path, GLOB_BRACE, NULL, &found) != 0) {
        error_set(error, "%s: no %s there", folder, pattern);
        return NULL;
    }
    char **names = calloc(found.gl_pathc + 1, sizeof *names);
    for (size_t i = 0; names != NULL && i < found.gl_pathc; i++) {
        names[i] = strdup(found.gl_pathv[i] + strlen(folder) + 1);
        if (names[i] == NULL)
            break;
    }
    globfree(&found);
    if (names != NULL) /* the words of a brace come one after the other */
        qsort(names, found.gl_pathc, sizeof *names, by_name);
    else
        error_set(error, "no memory to list %s", folder);
    return names;
}

void text_free_names(char **names) {
    for (char **name = names; name != NULL && *name != NULL; name++)
        free(*name);
    free(names);
}
