/* perfctr.c - likwid-perfctr on the virtual node. Two things need help from inside its process:
 *
 * The measured program must not run before the counters do. likwid-perfctr starts it, stops it a moment later, programs
 * the counters and lets it continue: what ran in that moment would depend on chance. Its child therefore waits before
 * it executes the program until likwid-perfctr has sent SIGCONT.
 *
 * An event that the node does not model is named before the table, and must read '-', not 0. LIKWID shows '-' only for
 * a counter that it was refused when the group was added, which is before it names the event. By the time of SIGCONT it
 * is known (events.h): then likwid-perfctr is executed once more, with these counters refused. Until then its output is
 * kept back. With several groups a counter may be fine in one and not in another: then none is refused.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"
#include "helper.h"
#include "native_time.h"
#include "shim.h"
#include "vnode/node_file.h"
#include "vnode/parent.h"

#define DENIED_VARIABLE "ASSAY_DENIED"
#define TIMER_LIBRARY "libassay-timer.so" /* in the folder of the node's tools */

enum { ARGUMENTS = 64 * 1024, WAIT_US = 200 };

struct perfctr {
    pid_t pid;              /* of likwid-perfctr; 0: this is another program */
    int output, held;       /* the real standard output, and the file that stands in for it; -1: not kept back */
    volatile int *started;  /* shared with the child: SIGCONT was sent */
    pid_t program;          /* that child, then */
    int explained;          /* without a program: its events */
    char marker_file[4096]; /* LIKWID_FILEPATH when it started */
};

static struct perfctr *self(void) {
    static struct perfctr state = {.output = -1, .held = -1};
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

/* Gives the output back, and what was kept of it. */
static void release_output(int keep) {
    struct perfctr *p = self();
    if (p->held < 0 || getpid() != p->pid)
        return;
    fflush(stdout);
    off_t size = lseek(p->held, 0, SEEK_END), from = 0;
    while (keep && from < size) {
        char part[4096];
        ssize_t n = pread(p->held, part, sizeof part, from);
        ssize_t written = n > 0 ? write(p->output, part, (size_t)n) : -1;
        if (written <= 0)
            break;
        from += written;
    }
    dup2(p->output, STDOUT_FILENO);
    close(p->output);
    close(p->held);
    p->output = p->held = -1;
}

static void release_at_exit(void) {
    release_output(1);
}

static size_t split(char *text, size_t length, char **out, size_t room) {
    size_t n = 0;
    for (char *at = text; at < text + length && n + 1 < room; at += strlen(at) + 1)
        out[n++] = at;
    out[n] = NULL;
    return n;
}

/* Executes likwid-perfctr again with the environment that it was started with. Returns if that fails. */
static void restart(pid_t child, const char *denied) {
    char arguments[ARGUMENTS], environment[2 * ARGUMENTS], variable[4200];
    char *argv[1024], *envp[2048];
    size_t argc = split(arguments, read_all("/proc/self/cmdline", arguments, sizeof arguments), argv, 1024);
    size_t envc = split(environment, read_all("/proc/self/environ", environment, sizeof environment), envp, 2047);
    if (argc == 0)
        return;
    snprintf(variable, sizeof variable, "%s=%s", DENIED_VARIABLE, denied);
    envp[envc] = variable;
    envp[envc + 1] = NULL;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    release_output(0);
    syscall(SYS_close_range, 3U, ~0U, 0U); /* the daemon ends with its connection */
    REAL(execve)("/proc/self/exe", argv, envp);
}

static const char *marker_file(void) {
    const char *file = getenv("LIKWID_FILEPATH");
    return file ? file : "";
}

/* In marker mode likwid-perfctr names the file for its program, which starts the counters; else it has started them. */
static int has_started_counters(void) {
    return strcmp(marker_file(), self()->marker_file) == 0;
}

/* From now on the node's totals are those of programs that LIKWID started. */
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

/* With -C, or regions, likwid-perfctr measures its program; with -c it watches cores, whoever works there. */
static int measures_program(void) {
    return getenv("LIKWID_PIN") != NULL || !has_started_counters();
}

int kill(pid_t pid, int signal) {
    struct perfctr *p = self();
    char denied[4096];
    /* The child waits by itself, and a stopped one would stay for ever, pipes open, where likwid-perfctr fails. */
    if (signal == SIGSTOP && p->pid && p->pid == getpid() && !*p->started) {
        p->program = pid;
        if (measures_program())
            begin_measuring(); /* LIKWID has started the program, and no counter yet */
        return 0;
    }
    if (signal == SIGCONT && p->pid && p->pid == getpid() && !*p->started) {
        const char *library = likwid_library_at(__builtin_return_address(0));
        int groups =
            p->held >= 0 && library ? events_explain(library, has_started_counters(), denied, sizeof denied) : 0;
        if (groups > 1)
            restart(pid, "");
        else if (groups == 1 && denied[0])
            restart(pid, denied);
        release_output(1);
        native_time_child(pid);
        *p->started = 1; /* no signal: it would reach the program at a moment of its own, and change its counts */
        return 0;
    }
    return (int)syscall(SYS_kill, starts_helper(__builtin_return_address(0)) ? helper_process(pid) : pid, signal);
}

pid_t perfctr_program(void) {
    const struct perfctr *p = self();
    return p->pid == getpid() ? p->program : 0;
}

/* With several groups, to program the others would disturb the one that runs. */
void perfctr_before_sleep(void *caller) {
    struct perfctr *p = self();
    char counters[4096];
    const char *library = p->pid && p->pid == getpid() && !p->program ? likwid_library_at(caller) : NULL;
    if (library && p->held >= 0 && !p->explained && events_are_noted() && events_groups(library) == 1)
        p->explained = events_explain(library, 1, counters, sizeof counters);
}

int perfctr_is_self(void) {
    return self()->pid && self()->pid == getpid();
}

void perfctr_await_start(void) {
    struct perfctr *p = self();
    if (!p->pid || getpid() == p->pid || !p->started)
        return;
    parent_end_with(p->pid); /* and does so here if likwid-perfctr has failed and ended before */
    if (p->held >= 0) {
        dup2(p->output, STDOUT_FILENO);
        close(p->output);
        close(p->held);
        p->held = -1;
    }
    while (!*p->started && getppid() == p->pid)
        REAL(usleep)(WAIT_US);
    if (!*p->started) /* likwid-perfctr has failed and ended: there is nothing to measure */
        _exit(EXIT_FAILURE);
}

/* A script's name follows that of its interpreter. */
static int script_begins_with(const char *start) {
    char arguments[ARGUMENTS], *argv[1024];
    size_t argc = split(arguments, read_all("/proc/self/cmdline", arguments, sizeof arguments), argv, 1024);
    const char *name = argc > 1 ? strrchr(argv[1], '/') : NULL;
    return argc > 1 && strncmp(name ? name + 1 : argv[1], start, strlen(start)) == 0;
}

/* LIKWID, which is loaded later, finds these timers before its own. */
static void load_timers(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s/" TIMER_LIBRARY, shim()->tools);
    if (!dlopen(path, RTLD_NOW | RTLD_GLOBAL))
        fprintf(stderr, "assay vnode: %s; LIKWID's times are the host's\n", dlerror());
}

/* LIKWID looks for its access daemon in PATH, which a login shell on the way (likwid-mpirun's) has set anew. */
static void find_daemon(void) {
    char path[16384];
    const char *given = getenv("PATH");
    size_t length = (size_t)snprintf(path, sizeof path, "%s/bin:", shim()->tools);
    if (given && strncmp(given, path, length) == 0)
        return;
    snprintf(path + length, sizeof path - length, "%s", given ? given : "");
    setenv("PATH", path, 1);
}

__attribute__((constructor)) static void enter(void) {
    struct perfctr *p = self();
    if (!shim()->active || shim()->simulated || !script_begins_with("likwid-"))
        return;
    native_time_start();
    load_timers();
    if (!script_begins_with("likwid-perfctr"))
        return;
    void *shared = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return;
    p->started = shared;
    find_daemon();
    p->pid = getpid();
    snprintf(p->marker_file, sizeof p->marker_file, "%s", marker_file());
    if (getenv(DENIED_VARIABLE)) /* refused already: a second time would not end */
        return;
    p->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 64);
    p->held = memfd_create("likwid-perfctr", MFD_CLOEXEC);
    if (p->output >= 0 && p->held >= 0) {
        dup2(p->held, STDOUT_FILENO);
        atexit(release_at_exit);
    }
}
