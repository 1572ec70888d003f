/* exec.c - programs that a node's process starts (docs/design.md, "Which processes are counted").
 *
 * A native process belongs to the measuring side, and so do programs it starts, except the one that liblikwid executes
 * for the user: that one runs under the engine. The engine then follows its children. Otherwise the shim only passes
 * cores and memory policy to programs (place.h). This code allocates nothing: it runs between fork() or vfork() and
 * exec().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <alloca.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/command.h"
#include "vnode/engine/requests.h"
#include "vnode/node_file.h"

extern char **environ;

static size_t length_of(char *const *list) {
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

static int is_variable(const char *entry, const char *name) {
    size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* Copies the environment and adds the thread's cores and memory policy; `out` has space for one more entry than
 * `envp`, and the final NULL. If the environment does not name the node's folder, nothing is added and the program
 * leaves the node: LIKWID starts its access daemon like that. 1: stays in the node. */
static int add_affinity(char *const *envp, char **out, char *text, size_t size) {
    size_t n = 0;
    int member = 0;
    for (size_t i = 0; envp && envp[i]; i++) {
        member |= is_variable(envp[i], NODE_DIR_VARIABLE);
        if (!is_variable(envp[i], NODE_AFFINITY_VARIABLE))
            out[n++] = envp[i];
    }
    shim_place(text, size);
    if (member)
        out[n++] = text;
    out[n] = NULL;
    return member;
}

static void add_prefix(const struct command *command, char *const *argv, char **out) {
    size_t n = 0;
    for (; command->prefix[n]; n++)
        out[n] = (char *)command->prefix[n];
    out[n++] = (char *)command->program;
    for (size_t i = 1; argv && argv[0] && argv[i]; i++)
        out[n++] = argv[i];
    out[n] = NULL;
}

/* 1: the program must start under the engine, as `command` says. 0: it starts natively; if it should have been counted,
 * this is reported. */
static int needs_engine(struct command *command, const char *file, int search) {
    struct command_node node = {.folder = shim()->folder, .tools = shim()->tools};
    if (command_prepare(command, &node, file, search, getenv("PATH")) != 0)
        return 0;
    if (program_uses_engine(command->kind))
        return 1;
    command_explain(command);
    return 0;
}

/* `caller`: address of the calling code. LIKWID executes the user's program with the node's environment, its daemon
 * without. */
static int execute(void *caller, const char *file, int search, char *const *argv, char *const *envp) {
    struct command command;
    char affinity[128];
    char **environment = alloca((length_of(envp) + 2) * sizeof *environment);
    char **arguments = alloca((length_of(argv) + COMMAND_PREFIX_WORDS + 2) * sizeof *arguments);
    int member = add_affinity(envp, environment, affinity, sizeof affinity);
    int by_likwid = likwid_library_at(caller) != NULL;
    if (by_likwid && shim()->simulated)
        engine_set_measuring(!member);
    if (by_likwid && member && !shim()->simulated) {
        perfctr_await_start();
        if (needs_engine(&command, file, search)) {
            add_prefix(&command, argv, arguments);
            return REAL(execve)(command.engine, arguments, environment);
        }
    }
    return search ? REAL(execvpe)(file, argv, environment) : REAL(execve)(file, argv, environment);
}

static int execute_path(void *caller, const char *path, char *const *argv, char *const *envp) {
    return shim()->active ? execute(caller, path, 0, argv, envp) : REAL(execve)(path, argv, envp);
}

static int execute_file(void *caller, const char *file, char *const *argv, char *const *envp) {
    return shim()->active ? execute(caller, file, 1, argv, envp) : REAL(execvpe)(file, argv, envp);
}

int execve(const char *path, char *const argv[], char *const envp[]) {
    return execute_path(__builtin_return_address(0), path, argv, envp);
}

int execv(const char *path, char *const argv[]) {
    return execute_path(__builtin_return_address(0), path, argv, environ);
}

int execvpe(const char *file, char *const argv[], char *const envp[]) {
    return execute_file(__builtin_return_address(0), file, argv, envp);
}

int execvp(const char *file, char *const argv[]) {
    return execute_file(__builtin_return_address(0), file, argv, environ);
}

/* Collects the arguments of execl() and similar calls, `first` and the following ones in `list`, in a vector on the
 * caller's stack. */
#define COLLECT(argv, first, list)                                                                                     \
    do {                                                                                                               \
        size_t count = 1;                                                                                              \
        va_list counting;                                                                                              \
        va_copy(counting, list);                                                                                       \
        while (va_arg(counting, char *))                                                                               \
            count++;                                                                                                   \
        va_end(counting);                                                                                              \
        argv = alloca((count + 1) * sizeof *argv);                                                                     \
        argv[0] = (char *)(first);                                                                                     \
        for (size_t i = 1; i <= count; i++)                                                                            \
            argv[i] = va_arg(list, char *);                                                                            \
    } while (0)

int execl(const char *path, const char *first, ...) {
    char **argv;
    va_list list;
    va_start(list, first);
    COLLECT(argv, first, list);
    va_end(list);
    return execute_path(__builtin_return_address(0), path, argv, environ);
}

int execlp(const char *file, const char *first, ...) {
    char **argv;
    va_list list;
    va_start(list, first);
    COLLECT(argv, first, list);
    va_end(list);
    return execute_file(__builtin_return_address(0), file, argv, environ);
}

int execle(const char *path, const char *first, ...) {
    char **argv;
    va_list list;
    va_start(list, first);
    COLLECT(argv, first, list);
    char *const *envp = va_arg(list, char *const *);
    va_end(list);
    return execute_path(__builtin_return_address(0), path, argv, envp);
}

/* The environment with the thread's cores, on the caller's stack. */
#define WITH_AFFINITY(envp, text)                                                                                      \
    ({                                                                                                                 \
        char **list = alloca((length_of(envp) + 2) * sizeof *list);                                                    \
        add_affinity(envp, list, text, sizeof text);                                                                   \
        list;                                                                                                          \
    })

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
                const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const envp[restrict]) {
    char affinity[128];
    if (!shim()->active)
        return REAL(posix_spawn)(pid, path, actions, attributes, argv, envp);
    return REAL(posix_spawn)(pid, path, actions, attributes, argv, WITH_AFFINITY(envp, affinity));
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
    char affinity[128];
    if (!shim()->active)
        return REAL(posix_spawnp)(pid, file, actions, attributes, argv, envp);
    return REAL(posix_spawnp)(pid, file, actions, attributes, argv, WITH_AFFINITY(envp, affinity));
}
