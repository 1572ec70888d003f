/* surroundings.c - standard files, umask and environment. SPDX-License-Identifier: GPL-3.0-or-later */
#include "surroundings.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STACK_NEEDED = 1 << 20 }; /* likwid-perfctr's start on the virtual node takes a quarter of it */

/* Ended by '*': all that begin so. LIKWID_FORCE (use counters that are in use) is a user's decision and stays, as does
 * LIKWID_PREFIX. */
static const char *const forgotten[] = {
    "LD_PRELOAD",     "LD_AUDIT",         "LD_PROFILE",      "LD_DEBUG",      "GLIBC_TUNABLES",
    "MALLOC_*",       "POSIXLY_CORRECT",  "BASH_ENV",        "ENV",           "CDPATH",
    "LUA_*",          "VALGRIND_*",       "OMP_*",           "KMP_*",         "GOMP_*",
    "ASSAY_DENIED",   "ASSAY_NODE_*",     "LIKWID_FILEPATH", "LIKWID_MODE",   "LIKWID_EVENTS",
    "LIKWID_THREADS", "LIKWID_DEBUG",     "LIKWID_PIN",      "LIKWID_SILENT", "LIKWID_NO_ACCESS",
    "LIKWID_IGNORE*", "LIKWID_HWTHREADS", "LIKWID_SKIP*",    "LIKWID_PERF_*",
};

static int is_forgotten(const char *entry) {
    size_t name = strcspn(entry, "=");
    for (size_t i = 0; i < sizeof forgotten / sizeof forgotten[0]; i++) {
        size_t length = strlen(forgotten[i]);
        int begins = forgotten[i][length - 1] == '*';
        if (begins ? name >= length - 1 && strncmp(entry, forgotten[i], length - 1) == 0
                   : name == length && strncmp(entry, forgotten[i], length) == 0)
            return 1;
    }
    return 0;
}

void surroundings_forget_variables(void) {
    char **kept = environ;
    for (char **entry = environ; *entry != NULL; entry++) {
        if (!is_forgotten(*entry))
            *kept++ = *entry;
    }
    *kept = NULL;
}

static void do_nothing(int signal_number) {
    (void)signal_number;
}

/* The limit of the stack, raised where it is too low and that is allowed. */
static int check_stack(struct error *error) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_NEEDED)
        return 0;
    struct rlimit raised = {.rlim_cur = STACK_NEEDED,
                            .rlim_max = limit.rlim_max < STACK_NEEDED ? STACK_NEEDED : limit.rlim_max};
    if (setrlimit(RLIMIT_STACK, &raised) == 0)
        return 0;
    return error_set(error, "a stack of %llu kB is too small; ulimit -s %d", (unsigned long long)limit.rlim_cur / 1024,
                     STACK_NEEDED / 1024);
}

/* Programs that are started run in folders of their own, where a relative TMPDIR would be another one. */
static void fix_scratch(void) {
    const char *given = getenv("TMPDIR");
    char *absolute = given != NULL && given[0] != '/' ? realpath(given, NULL) : NULL;
    if (absolute != NULL)
        setenv("TMPDIR", absolute, 1);
    free(absolute);
}

int surroundings_secure(struct error *error) {
    int output_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        /* the lowest number that is free is `file` */
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDWR) != file)
            return error_set(error, "/dev/null: %s; standard files are closed and cannot be opened", strerror(errno));
    }
    umask(umask(S_IRWXG | S_IRWXO) & (S_IRWXG | S_IRWXO));
    signal(SIGXFSZ, do_nothing); /* unlike SIG_IGN it is not handed on to a user's program */
    fix_scratch();
    if (check_stack(error) != 0)
        return -1;
    if (output_closed)
        return error_set(error, "standard output is closed, results go there; use >/dev/null to see none");
    return 0;
}
