/* driver.c - runs a harness without a fuzzer: on its seeds, and on mutations of them, the same in each run. Its output
 * is cmocka's. With arguments it runs those files instead, to reproduce a finding.
 *
 * Seeds are the files that tests/fuzz/seeds names for the parser (it must accept all of them), and those in
 * tests/fuzz/corpus/NAME. An input that breaks a promise is kept as BUILD/fuzz/NAME.crash (BUILD: environment).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <glob.h>
#include <limits.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "fuzz.h"
#include "mutate.h"
#include "tests/unit/cases.h"

enum { INPUT_SECONDS = 10 }; /* processor time per input: more is a hang */

static const char *task = ""; /* current task, for the message of a crash */
static struct input current;  /* the current input */
static char crash_file[PATH_MAX];

static void keep_input(void) {
    FILE *file = fopen(crash_file, "w");
    if (file) {
        fwrite(current.bytes, 1, current.size, file);
        fclose(file);
    }
    printf("[  FAILED  ] %s: %s; the input: %s\n", fuzz_name, task, crash_file);
    fflush(stdout);
}

/* Called after abort() in a harness or at the time limit; sanitizers call keep_input() themselves. */
static void on_signal(int number) {
    if (number == SIGPROF)
        fprintf(stderr, "%s: more than %d s for one input\n", fuzz_name, INPUT_SECONDS);
    keep_input();
    _Exit(1);
}

static void prepare(void) {
    const char *build = getenv("BUILD");
    char folder[PATH_MAX / 2];
    snprintf(folder, sizeof folder, "%s/fuzz", build ? build : "build");
    mkdir(folder, 0777);
    snprintf(crash_file, sizeof crash_file, "%s/%s.crash", folder, fuzz_name);
    __sanitizer_set_death_callback(keep_input);
    signal(SIGABRT, on_signal);
    signal(SIGPROF, on_signal);
}

static void run(unsigned char *bytes, size_t size) {
    static const struct itimerval limit = {.it_value = {.tv_sec = INPUT_SECONDS}};
    current = (struct input){bytes, size};
    setitimer(ITIMER_PROF, &limit, NULL);
    LLVMFuzzerTestOneInput(bytes, size);
}

/* Reads the whole file to `out`; 0 or -1. The buffer has exactly the file's size, so that reads beyond its end are
 * detected. */
static int read_file(const char *path, struct input *out) {
    struct stat status;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    *out = (struct input){.size = fstat(fileno(file), &status) == 0 ? (size_t)status.st_size : 0};
    out->bytes = malloc(out->size ? out->size : 1);
    int failed = !out->bytes || fread(out->bytes, 1, out->size, file) != out->size;
    fclose(file);
    return failed ? -1 : 0;
}

/* Runs all files that match a pattern and adds them to the pool. Returns their number; increases *accepted. */
static size_t run_files(struct pool *pool, const char *pattern) {
    glob_t found = {0};
    size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < count; i++) {
        struct input input;
        if (read_file(found.gl_pathv[i], &input) != 0)
            continue;
        run(input.bytes, input.size);
        pool_add(pool, input.bytes, input.size);
    }
    globfree(&found);
    return count;
}

/* Reads tests/fuzz/seeds: lines "NAME PATTERN"; '#' starts a comment. */
static size_t run_seeds(struct pool *pool) {
    char line[512], name[64], pattern[256];
    size_t count = 0;
    FILE *file = fopen("tests/fuzz/seeds", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%63s %255s", name, pattern) == 2 && strcmp(name, fuzz_name) == 0)
            count += run_files(pool, pattern);
    if (file)
        fclose(file);
    return count;
}

/* Prints cmocka's result line for the task; `wrong`: NULL, or why it failed. Returns whether it failed. */
static int report(const char *wrong) {
    printf(wrong ? "[  FAILED  ] %s: %s: %s\n" : "[       OK ] %s: %s\n", fuzz_name, task, wrong);
    fflush(stdout);
    return wrong != NULL;
}

int main(int argc, char **argv) {
    struct pool pool = {.random = UINT64_C(0x9e3779b97f4a7c15)};
    prepare();
    task = "files given";
    for (int i = 1; i < argc; i++)
        run_files(&pool, argv[i]);
    if (argc > 1) {
        pool_free(&pool);
        return report(NULL);
    }

    remove(crash_file);
    char pattern[128];
    task = "the files of this checkout are accepted";
    size_t seeds = run_seeds(&pool);
    int failed = report(fuzz_accepted() == seeds ? NULL : "some are refused");
    task = "inputs once found to break it";
    snprintf(pattern, sizeof pattern, "tests/fuzz/corpus/%s/*", fuzz_name);
    run_files(&pool, pattern);
    failed |= report(NULL);

    static unsigned char mutant[INPUT_MAX_BYTES];
    unsigned inputs = test_cases(fuzz_inputs / 10, fuzz_inputs);
    unsigned long before = fuzz_accepted();
    task = "mutated inputs";
    for (unsigned i = 0; i < inputs; i++) {
        size_t size = pool_mutate(&pool, mutant);
        unsigned char *exact = malloc(size ? size : 1);
        if (!exact)
            abort();
        memcpy(exact, mutant, size);
        run(exact, size);
        free(exact);
    }
    unsigned long taken = fuzz_accepted() - before;
    failed |= report(taken > 0 && taken < inputs ? NULL : "all accepted or all refused: they test nothing");
    printf("%s: %zu seeds, %u mutated inputs, %lu of them accepted\n", fuzz_name, pool.seeds, inputs, taken);
    pool_free(&pool);
    return failed;
}
