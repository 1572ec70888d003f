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

/* The length of the absolute path at `at`, 0 if there is none: quotients and units have a word before the slash. */
static size_t path_length(const char *text, const char *at) {
    if (*at != '/' || (at > text && (isalnum((unsigned char)at[-1]) || strchr(").~_-/", at[-1]) != NULL)))
        return 0;
    size_t length = strcspn(at, " \t\n\"'\\:,;()=");
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
        size_t length = path_length(text, at), kept = kept_length(at, length);
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
