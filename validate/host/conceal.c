/* conceal.c - shortens paths. SPDX-License-Identifier: GPL-3.0-or-later */
#include "conceal.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { PARTS_KEPT = 3 };
static const char gap[] = "...";
enum { GAP = sizeof gap - 1 };

static int is_system(const char *path) {
    static const char *const folders[] = {"bin",  "boot", "dev",  "etc", "lib", "lib64", "opt",
                                          "proc", "run",  "sbin", "sys", "usr", "var"};
    size_t length = strcspn(path + 1, "/ \n");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (strlen(folders[i]) == length && strncmp(path + 1, folders[i], length) == 0)
            return 1;
    }
    return 0;
}

/* Whether a slash behind the text that ends at `end` is in a quotient or a unit, or continues a path. A line end of
 * JSON (\n) and an option with a path (-I/home) end in a letter, but are none of these. */
static int is_in_word(const char *text, const char *end) {
    if (end == text || (!isalnum((unsigned char)end[-1]) && strchr(").~_-/", end[-1]) == NULL))
        return 0;
    int is_letter = end - text >= 2 && isalpha((unsigned char)end[-1]);
    return !is_letter || (end[-2] != '\\' && (end[-2] != '-' || (end - text > 2 && isalnum((unsigned char)end[-3]))));
}

/* The length of the absolute path at `at`, after the kept text that ends at `end`; 0 if there is none. */
static size_t path_length(const char *text, const char *end, const char *at) {
    size_t length = *at == '/' && !is_in_word(text, end) ? strcspn(at, " \t\n\"'\\:,;()=") : 0;
    return length > 1 ? length : 0;
}

/* What is kept of the path: "/NAME" or nothing. */
static size_t kept_length(const char *path, size_t length) {
    size_t parts = 0, last = 0;
    for (size_t i = 0; i < length; i++) {
        if (path[i] == '/') {
            parts++;
            last = i;
        }
    }
    return parts >= PARTS_KEPT ? length - last : 0;
}

static int is_below(const char *path, const char *folder, size_t length) {
    return length > 1 && strncmp(path, folder, length) == 0 && !isalnum((unsigned char)path[length]) &&
           path[length] != '_' && path[length] != '-';
}

void conceal_paths(char *text, const char *home) {
    size_t home_length = home != NULL ? strlen(home) : 0;
    char *end = text;
    for (const char *at = text; *at != '\0';) {
        size_t length = path_length(text, end, at), kept = kept_length(at, length);
        if (length > 0 && is_below(at, home, home_length)) {
            *end++ = '~';
            at += home_length;
        } else if (length >= GAP + kept && !is_system(at)) {
            memcpy(end, gap, GAP);
            memmove(end + GAP, at + length - kept, kept);
            end += GAP + kept;
            at += length;
        } else {
            *end++ = *at++;
        }
    }
    *end = '\0';
}
