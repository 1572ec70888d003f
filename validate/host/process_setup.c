/* process_setup.c - standard files, umask and environment. SPDX-License-Identifier: GPL-3.0-or-later */
#include "process_setup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A final '*' matches any rest of the name. LIKWID_FORCE (use counters that are in use) and LIKWID_PREFIX are the
 * user's decisions and stay. */
static const char *const forgotten[] = {
    "LD_PRELOAD",       "LD_AUDIT",     "LD_PROFILE",    "LD_DEBUG",         "MALLOC_*",
    "POSIXLY_CORRECT",  "BASH_ENV",     "ENV",           "CDPATH",           "LUA_*",
    "VALGRIND_*",       "OMP_*",        "KMP_*",         "GOMP_*",           "ASSAY_NODE_*",
    "LIKWID_FILEPATH",  "LIKWID_MODE",  "LIKWID_EVENTS", "GLIBC_TUNABLES",   "LIKWID_THREADS",
    "LIKWID_DEBUG",     "LIKWID_PIN",   "LIKWID_SILENT", "LIKWID_NO_ACCESS", "LIKWID_IGNORE*",
    "LIKWID_HWTHREADS", "LIKWID_SKIP*", "LIKWID_PERF_*",
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

void process_setup_forget_variables(void) {
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

/* Minimum limits, in ulimit's units, that a run needs: likwid-perfctr uses a quarter of the stack when it starts;
 * likwid-perfctr, the access daemons and the program need files and processes. */
static const struct need {
    int resource;
    rlim_t least, unit;
    const char *option, *what;
} needs[] = {{RLIMIT_STACK, 1 << 20, 1024, "-s", "kB of stack"},
             {RLIMIT_NOFILE, 64, 1, "-n", "open files"},
             {RLIMIT_NPROC, 10, 1, "-u", "processes of a user"}};

/* Raises the limit if it is too low; fails if that is not permitted. Root's number of processes is not limited. */
static int check_limit(const struct need *need, struct error *error) {
    struct rlimit limit;
    if (getrlimit(need->resource, &limit) != 0 || limit.rlim_cur >= need->least ||
        (need->resource == RLIMIT_NPROC && geteuid() == 0))
        return 0;
    struct rlimit raised = {.rlim_cur = need->least,
                            .rlim_max = limit.rlim_max < need->least ? need->least : limit.rlim_max};
    if (setrlimit(need->resource, &raised) == 0)
        return 0;
    return error_set(error, "%llu %s are too few; ulimit %s %llu", (unsigned long long)(limit.rlim_cur / need->unit),
                     need->what, need->option, (unsigned long long)(need->least / need->unit));
}

/* Makes TMPDIR absolute: started programs run in other folders. */
static void fix_scratch(void) {
    const char *given = getenv("TMPDIR");
    char *absolute = given != NULL && given[0] != '/' ? realpath(given, NULL) : NULL;
    if (absolute != NULL)
        setenv("TMPDIR", absolute, 1);
    free(absolute);
}

int process_setup_secure(struct error *error) {
    int output_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        /* open() returns the lowest free number: `file` */
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDWR) != file)
            return error_set(error, "/dev/null: %s; standard files are closed and cannot be opened", strerror(errno));
    }
    umask(umask(S_IRWXG | S_IRWXO) & (S_IRWXG | S_IRWXO));
    signal(SIGCHLD, SIG_DFL);    /* if it is ignored, ended children are never reported */
    signal(SIGXFSZ, do_nothing); /* unlike SIG_IGN a handler is not inherited by a user's program */
    fix_scratch();
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (check_limit(&needs[i], error) != 0)
            return -1;
    }
    if (output_closed)
        return error_set(error, "standard output is closed, results go there; use >/dev/null to see none");
    return 0;
}
