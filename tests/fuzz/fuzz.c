/* fuzz.c - helpers of the harnesses. SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long accepted;

void fuzz_accept(void) {
    accepted++;
}

unsigned long fuzz_accepted(void) {
    return accepted;
}

void fuzz_fail(const char *source, int line, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s:%d: ", source, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    FUZZ_CHECK(text, "out of memory");
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

const char *fuzz_file(const uint8_t *data, size_t size) {
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    FUZZ_CHECK(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size, "cannot write the input");
    return path;
}

void fuzz_check_names(const char *message, const char *what) {
    FUZZ_CHECK(message[0] != '\0', "a refusal without a reason");
    FUZZ_CHECK(!strchr(message, '\n'), "a refusal of more than one line: %s", message);
    FUZZ_CHECK(strncmp(message, what, strlen(what)) == 0, "a refusal that does not begin with '%s': %s", what, message);
}

void fuzz_check_refusal(const char *message, const char *file) {
    fuzz_check_names(message, file);
    const char *at = message + strlen(file);
    FUZZ_CHECK(at[0] == ':' && at[1] >= '1' && at[1] <= '9', "a refusal without a line: %s", message);
    at += 1 + strspn(at + 1, "0123456789");
    FUZZ_CHECK(at[0] == ':' && at[1] == ' ' && at[2] != '\0', "a refusal without a reason: %s", message);
}
