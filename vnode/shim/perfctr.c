/* perfctr.c - likwid-perfctr on the virtual node. Two things need changes inside its process.
 *
 * The measured program must not run before the counters do. likwid-perfctr starts it, stops it a moment later,
 * programs the counters and continues it: what runs in that moment would be random. So its child waits, before it
 * executes the program, until likwid-perfctr has sent SIGCONT.
 *
 * An event that the node does not model is reported before the table and shows '-' in it. This is known after all
 * groups have been programmed (events.h). LIKWID's results are replaced when likwid-perfctr reads them
 * (likwid/results.c), its statistics in its Lua code (likwid/statistics.lua).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events.h"
#include "helper.h"
#include "native_time.h"
#include "shim.h"
#include "vnode/node_file.h"
#include "vnode/parent.h"

#define LIKWID_LIBRARY "libassay-likwid.so" /* in the node's tools folder */
#define STATISTICS "statistics.lua"

enum { ARGUMENTS = 64 * 1024, WAIT_US = 200 };

struct perfctr {
    pid_t pid;              /* pid of likwid-perfctr; 0: another program */
    volatile int *started;  /* shared with the child: SIGCONT was sent */
    pid_t program;          /* pid of that child */
    int explained;          /* without a program: events were reported */
    char marker_file[4096]; /* LIKWID_FILEPATH when it started */
    char lua_init[4200];    /* value of LUA_INIT, if only likwid-perfctr gets it */
};

static struct perfctr *self(void) {
    static struct perfctr state;
    return &state;
}

static size_t read_all(const char *path, char *out, size_t size) {
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    for (ssize_t n = 1; fd >= 0 && n > 0 && used<size - 1; used += n> 0 ? (size_t)n : 0)
        n = read(fd, out + used, size - 1 - used);
    if (fd >= 0)
        close(fd);
    out[used] = '\0';
    return used;
}

static size_t split(char *text, size_t length, char **out, size_t room) {
    size_t n = 0;
    for (char *at = text; at < text + length && n + 1 < room; at += strlen(at) + 1)
        out[n++] = at;
    out[n] = NULL;
    return n;
}

static const char *marker_file(void) {
    const char *file = getenv("LIKWID_FILEPATH");
    return file ? file : "";
}

/* In marker mode likwid-perfctr sets the file name for its program, which starts the counters; otherwise it has
 * started them itself. */
static int has_started_counters(void) {
    return strcmp(marker_file(), self()->marker_file) == 0;
}

/* The node's totals count only programs started by LIKWID from now on. */
static void begin_measuring(void) {
    static const uint32_t yes = 1;
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", shim()->folder, NODE_FILE_NAME);
    int node = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
    if (node < 0 || pwrite(node, &yes, sizeof yes, offsetof(struct node_file, measures)) != (ssize_t)sizeof yes)
        perror(path);
    if (node >= 0)
        close(node);
}

/* With -C or regions, likwid-perfctr measures its program; with -c it measures cores, with any program on them. */
static int measures_program(void) {
    return getenv("LIKWID_PIN") != NULL || !has_started_counters();
}

int kill(pid_t pid, int signal) {
    struct perfctr *p = self();
    /* The child waits itself; a stopped one would stay forever, with open pipes, if likwid-perfctr fails. */
    if (signal == SIGSTOP && p->pid && p->pid == getpid() && !*p->started) {
        p->program = pid;
        if (measures_program())
            begin_measuring(); /* LIKWID has started the program, but no counter yet */
        return 0;
    }
    if (signal == SIGCONT && p->pid && p->pid == getpid() && !*p->started) {
        const char *library = likwid_library_at(__builtin_return_address(0));
        if (library)
            events_explain(library, has_started_counters());
        native_time_child(pid);
        *p->started = 1; /* no signal: it would reach the program at a random time and change its counts */
        return 0;
    }
    return (int)syscall(SYS_kill, starts_helper(__builtin_return_address(0)) ? helper_process(pid) : pid, signal);
}

pid_t perfctr_program(void) {
    const struct perfctr *p = self();
    return p->pid == getpid() ? p->program : 0;
}

void perfctr_before_sleep(void *caller) {
    struct perfctr *p = self();
    const char *library = p->pid && p->pid == getpid() && !p->program ? likwid_library_at(caller) : NULL;
    if (library && !p->explained && events_are_noted()) {
        p->explained = 1;
        events_explain(library, 1);
    }
}

int perfctr_is_self(void) {
    return self()->pid && self()->pid == getpid();
}

void perfctr_await_start(void) {
    struct perfctr *p = self();
    if (!p->pid || getpid() == p->pid || !p->started)
        return;
    parent_end_with(p->pid); /* ends here if likwid-perfctr has already ended */
    if (p->lua_init[0])
        unsetenv("LUA_INIT");
    while (!*p->started && getppid() == p->pid)
        REAL(usleep)(WAIT_US);
    if (!*p->started) /* likwid-perfctr has failed and ended: nothing to measure */
        _exit(EXIT_FAILURE);
}

/* A script's name follows its interpreter's. */
static int script_begins_with(const char *start) {
    char arguments[ARGUMENTS], *argv[1024];
    size_t argc = split(arguments, read_all("/proc/self/cmdline", arguments, sizeof arguments), argv, 1024);
    const char *name = argc > 1 ? strrchr(argv[1], '/') : NULL;
    return argc > 1 && strncmp(name ? name + 1 : argv[1], start, strlen(start)) == 0;
}

/* LIKWID is loaded later and resolves these functions before its own. */
static void load_functions(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s/" LIKWID_LIBRARY, shim()->tools);
    if (!dlopen(path, RTLD_NOW | RTLD_GLOBAL))
        fprintf(stderr, "assay vnode: %s; LIKWID shows the host's times, and 0 for uncounted events\n", dlerror());
}

/* LIKWID finds its access daemon in PATH, which a login shell in between (likwid-mpirun's) may have reset. */
static void find_daemon(void) {
    char path[16384];
    const char *given = getenv("PATH");
    size_t length = (size_t)snprintf(path, sizeof path, "%s/bin:", shim()->tools);
    if (given && strncmp(given, path, length) == 0)
        return;
    snprintf(path + length, sizeof path - length, "%s", given ? given : "");
    setenv("PATH", path, 1);
}

/* Lua runs a file before likwid-perfctr's script. The user's LUA_INIT is preserved. */
static void load_statistics(void) {
    struct perfctr *p = self();
    snprintf(p->lua_init, sizeof p->lua_init, "@%s/" STATISTICS, shim()->tools);
    if (getenv("LUA_INIT"))
        p->lua_init[0] = '\0';
    else
        setenv("LUA_INIT", p->lua_init, 1);
}

__attribute__((constructor)) static void enter(void) {
    struct perfctr *p = self();
    if (!shim()->active || shim()->simulated || !script_begins_with("likwid-"))
        return;
    native_time_start();
    load_functions();
    if (!script_begins_with("likwid-perfctr"))
        return;
    void *shared = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return;
    p->started = shared;
    find_daemon();
    load_statistics();
    p->pid = getpid();
    snprintf(p->marker_file, sizeof p->marker_file, "%s", marker_file());
}
