/* in_core.c - runs llvm-mca. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/in_core.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "validate/host/process.h"

enum { SECONDS = 60, WAIT_MILLISECONDS = 200, STATUS_NOT_FOUND = 127, FEW = 500, MANY = 1500 };

/* What llvm-mca prints with these arguments, to be freed; NULL and the reason. */
static char *run(char *const argv[], struct error *error) {
    char path[PATH_MAX * 4], *environment[] = {path, "LC_ALL=C", NULL}, *output = NULL;
    const char *found = getenv("PATH");
    struct process process = {.out = -1, .err = -1}, *waited = &process;
    snprintf(path, sizeof path, "PATH=%s", found != NULL ? found : "/usr/bin:/bin");
    if (process_start(&process, argv, environment, NULL, SECONDS, error) != 0)
        return NULL;
    while (process.pid != 0)
        process_wait_any(&waited, 1, WAIT_MILLISECONDS);
    const char *messages = process.messages != NULL ? process.messages : "";
    if (process.status == STATUS_NOT_FOUND)
        error_set(error, "llvm-mca is not installed, which predicts cycles; install llvm");
    else if (process.status != 0 || strstr(messages, "error:") != NULL) /* it goes on without what it does not know */
        error_set(error, "llvm-mca ends with status %d: %.*s", process.status, (int)strcspn(messages, "\n"), messages);
    else if ((output = strdup(process.output)) == NULL)
        error_set(error, "no memory for llvm-mca's prediction; free some");
    process_free(&process);
    return output;
}

/* The number behind `label` in what llvm-mca prints of so many passes. */
static int predict(char *file, const char *processor, int passes, double *cycles, struct error *error) {
    static const char label[] = "Total Cycles:";
    char cpu[80], iterations[40];
    char *argv[] = {"llvm-mca", "-mtriple=x86_64", cpu, iterations, file, NULL};
    snprintf(cpu, sizeof cpu, "-mcpu=%s", processor);
    snprintf(iterations, sizeof iterations, "-iterations=%d", passes);
    char *output = run(argv, error);
    const char *found = output != NULL ? strstr(output, label) : NULL;
    char *end = NULL;
    if (found != NULL)
        *cycles = strtod(found + strlen(label), &end);
    int is_number = end != NULL && end != found + strlen(label);
    if (output != NULL && !is_number)
        error_set(error, "llvm-mca says nothing of '%s'; use LLVM 14 or newer", label);
    free(output);
    return is_number ? 0 : -1;
}

int in_core_find(char by[40], struct error *error) {
    char *argv[] = {"llvm-mca", "--version", NULL}, version[24] = "";
    char *output = run(argv, error);
    if (output == NULL)
        return -1;
    const char *found = strstr(output, "version ");
    if (found != NULL)
        sscanf(found, "version %23s", version);
    free(output);
    snprintf(by, 40, "llvm-mca %s", version);
    return 0;
}

/* A file of the text without a name in any folder, and its path for children. */
static int open_text(const char *text, char path[40], struct error *error) {
    int file = memfd_create("loop.s", MFD_CLOEXEC);
    size_t length = strlen(text);
    snprintf(path, 40, "/proc/%d/fd/%d", (int)getpid(), file);
    if (file >= 0 && write(file, text, length) == (ssize_t)length)
        return file;
    if (file >= 0)
        close(file);
    return error_set(error, "no memory for a loop's text; free some");
}

int in_core_predict(const char *loop, const char *processor, struct in_core *in_core, struct error *error) {
    char text[8192], path[40], tool[40];
    double few = 0, many = 0;
    if (snprintf(text, sizeof text, ".intel_syntax noprefix\nloop:\n%s", loop) >= (int)sizeof text)
        return error_set(error, "a pass of the loop is too long to be predicted");
    int file = open_text(text, path, error);
    if (file < 0)
        return -1;
    int failed = in_core_find(tool, error) != 0 || predict(path, processor, FEW, &few, error) != 0 ||
                 predict(path, processor, MANY, &many, error) != 0;
    close(file);
    if (failed)
        return -1;
    in_core->cycles = (many - few) / (MANY - FEW);
    snprintf(in_core->by, sizeof in_core->by, "%s, %.32s", tool, processor);
    return 0;
}
