/* perfctr.c - likwid-perfctr on the virtual node. Two things need help from inside its process:
 *
 * The measured program must not run before the counters do. likwid-perfctr starts it, stops it a moment later, programs
 * the counters and lets it continue: what ran in that moment would depend on chance. Its child therefore waits before
 * it executes the program until likwid-perfctr has sent SIGCONT.
 *
 * An event that the node does not model must read '-', not 0. LIKWID shows '-' only for a counter that it was refused
 * when the group was added, which is before it names the event. By the time of SIGCONT the access daemon has noted such
 * counters: then likwid-perfctr is executed once more, with these counters refused. Until then its output is kept back.
 * With several groups a counter may be fine in one and not in another: then it stays with the note.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "shim.h"
#include "vnode/parent.h"
#include "vnode/pmu/notes.h"

#define DENIED_VARIABLE "ASSAY_DENIED"

enum { ARGUMENTS = 64 * 1024, WAIT_US = 200 };

struct perfctr {
    pid_t pid;             /* of likwid-perfctr; 0: this is another program */
    int output, held;      /* the real standard output, and the file that stands in for it; -1: not kept back */
    volatile int *started; /* shared with the child: SIGCONT was sent */
    long noted;            /* bytes that were in the notes before */
    int groups;
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

static void notes_path(char *out, size_t size) {
    snprintf(out, size, "%s/%s", shim()->folder, NOTES_FILE_NAME);
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

/* The counters noted since the start, comma separated, in `out`; 0: none. */
static int newly_noted(char *out, size_t size) {
    char path[4200], notes[8192];
    notes_path(path, sizeof path);
    size_t length = read_all(path, notes, sizeof notes), used = 0;
    out[0] = '\0';
    for (char *line = notes + (self()->noted < (long)length ? self()->noted : (long)length); *line;) {
        size_t name = strcspn(line, " \n");
        if (used + name + 2 < size && strncmp(line, "FIXC", 4) != 0) /* these share one register: none can be refused */
            used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? "," : "", (int)name, line);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return used > 0;
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

int kill(pid_t pid, int signal) {
    struct perfctr *p = self();
    char denied[4096];
    /* The child waits by itself, and a stopped one would stay for ever, pipes open, where likwid-perfctr fails. */
    if (signal == SIGSTOP && p->pid && p->pid == getpid() && !*p->started)
        return 0;
    if (signal == SIGCONT && p->pid && p->pid == getpid() && !*p->started) {
        if (p->groups < 2 && p->held >= 0 && newly_noted(denied, sizeof denied))
            restart(pid, denied);
        release_output(1);
        *p->started = 1; /* no signal: it would reach the program at a moment of its own, and change its counts */
        return 0;
    }
    return (int)syscall(SYS_kill, pid, signal);
}

int perfctr_is_self(void) {
    return self()->pid && self()->pid == getpid();
}

int perfctr_await_start(void) {
    struct perfctr *p = self();
    if (!p->pid || getpid() == p->pid || getppid() != p->pid || !p->started)
        return 0;
    parent_end_with(p->pid);
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
    return 1;
}

/* Whether the process runs likwid-perfctr; `groups`: how many -g it was given. */
static int is_perfctr(int *groups) {
    char arguments[ARGUMENTS], *argv[1024];
    size_t argc = split(arguments, read_all("/proc/self/cmdline", arguments, sizeof arguments), argv, 1024);
    const char *name = argc > 1 ? strrchr(argv[1], '/') : NULL;
    *groups = 0;
    for (size_t i = 2; i < argc; i++)
        *groups += strncmp(argv[i], "-g", 2) == 0 || strncmp(argv[i], "--group", 7) == 0;
    return argc > 1 && strcmp(name ? name + 1 : argv[1], "likwid-perfctr") == 0;
}

__attribute__((constructor)) static void enter(void) {
    struct perfctr *p = self();
    char path[4200], notes[8192];
    if (!shim()->active || shim()->simulated || !is_perfctr(&p->groups))
        return;
    void *shared = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return;
    p->started = shared;
    p->pid = getpid();
    notes_path(path, sizeof path);
    p->noted = (long)read_all(path, notes, sizeof notes);
    if (getenv(DENIED_VARIABLE)) /* refused already: a second time would not end */
        return;
    p->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 64);
    p->held = memfd_create("likwid-perfctr", MFD_CLOEXEC);
    if (p->output >= 0 && p->held >= 0) {
        dup2(p->held, STDOUT_FILENO);
        atexit(release_at_exit);
    }
}
