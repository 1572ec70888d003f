/* in_core.c - runs llvm-mca. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/in_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/kernel/analyzer.h"

enum { FEW = 500, MANY = 1500 };

static const char remedy[] = "install llvm";

/* Cycles that llvm-mca predicts for `passes` passes. */
static int predict(char *file, const char *processor, int passes, double *cycles, struct error *error) {
    static const char label[] = "Total Cycles:";
    char cpu[80], iterations[40];
    char *argv[] = {"llvm-mca", "-mtriple=x86_64", cpu, iterations, file, NULL};
    snprintf(cpu, sizeof cpu, "-mcpu=%s", processor);
    snprintf(iterations, sizeof iterations, "-iterations=%d", passes);
    char *output = analyzer_run(argv, remedy, error);
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
    char *output = analyzer_run(argv, remedy, error);
    if (output == NULL)
        return -1;
    const char *found = strstr(output, "version ");
    if (found != NULL)
        sscanf(found, "version %23s", version);
    free(output);
    snprintf(by, 40, "llvm-mca %s", version);
    return 0;
}

int in_core_predict(const char *loop, const char *processor, struct in_core *in_core, struct error *error) {
    char path[ANALYZER_PATH], tool[40];
    double few = 0, many = 0;
    int file = analyzer_open(".intel_syntax noprefix\n", loop, path, error);
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
