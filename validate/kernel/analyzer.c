/* analyzer.c - runs static analyzers of loops. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/analyzer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "validate/host/process.h"

enum { SECONDS = 60, STATUS_NOT_FOUND = 127 };

char *analyzer_run(char *const argv[], const char *remedy, struct error *error) {
    char path[PATH_MAX * 4], home[PATH_MAX], *environment[] = {path, home, "LC_ALL=C", NULL}, *output = NULL;
    const char *found = getenv("PATH"), *folder = getenv("HOME");
    struct process process = {.out = -1, .err = -1};
    snprintf(path, sizeof path, "PATH=%s", found != NULL ? found : "/usr/bin:/bin");
    snprintf(home, sizeof home, "HOME=%s", folder != NULL ? folder : "/nonexistent");
    if (process_start(&process, argv, environment, NULL, SECONDS, error) != 0)
        return NULL;
    process_wait(&process);
    const char *messages = process.messages != NULL ? process.messages : "";
    if (process.status == STATUS_NOT_FOUND)
        error_set(error, "%s is not installed, which predicts cycles; %s", argv[0], remedy);
    else if (process.status != 0 || strstr(messages, "error:") != NULL)
        error_set(error, "%s ends with status %d: %.*s", argv[0], process.status, (int)strcspn(messages, "\n"),
                  messages);
    else if ((output = strdup(process.output != NULL ? process.output : "")) == NULL)
        error_set(error, "no memory for what %s predicts; free some", argv[0]);
    process_free(&process);
    return output;
}

int analyzer_open(const char *prologue, const char *loop, char path[ANALYZER_PATH], struct error *error) {
    char text[8192];
    int length = snprintf(text, sizeof text, "%sloop:\n%s", prologue, loop);
    if (length >= (int)sizeof text)
        return error_set(error, "a pass of the loop is too long to be predicted");
    int file = memfd_create("loop.s", MFD_CLOEXEC);
    snprintf(path, ANALYZER_PATH, "/proc/%d/fd/%d", (int)getpid(), file);
    if (file >= 0 && write(file, text, (size_t)length) == length)
        return file;
    if (file >= 0)
        close(file);
    return error_set(error, "no memory for a loop's text; free some");
}
