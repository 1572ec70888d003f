/* command.c - starts a program on the virtual node, from outside of the engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "search_path.h"

static long read_start(const char *path, unsigned char *out, unsigned size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t length = fd < 0 ? -1 : read(fd, out, size);
    if (fd >= 0)
        close(fd);
    return length;
}

int command_lacks_interpreter(const char *path, char interpreter[COMMAND_LINE]) {
    char line[COMMAND_LINE];
    long length = read_start(path, (unsigned char *)line, sizeof line - 1);
    struct stat status;
    if (length < 2 || line[0] != '#' || line[1] != '!')
        return 0;
    line[length] = '\0';
    char *name = line + 2 + strspn(line + 2, " \t");
    name[strcspn(name, " \t\n")] = '\0';
    strcpy(interpreter, name);
    return stat(name, &status) != 0;
}

/* 0: not executable, with errno. */
static int executable(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    if (!S_ISREG(status.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0) {
        errno = EACCES;
        return 0;
    }
    char interpreter[COMMAND_LINE];
    if (!command_lacks_interpreter(path, interpreter))
        return 1;
    errno = ENOENT;
    return 0;
}

static int find_program(char *out, const char *file, int search, const char *path) {
    int refused = 0;
    if (!search || strchr(file, '/')) {
        snprintf(out, COMMAND_PATH, "%s", file);
        return executable(out) ? 0 : -1;
    }
    while (path && *file) {
        path = search_path_take(path, file, out, COMMAND_PATH);
        if (executable(out))
            return 0;
        refused |= errno == EACCES;
    }
    errno = refused ? EACCES : ENOENT;
    return -1;
}

static int privileged(const char *path) {
    struct stat status;
    char capabilities[64];
    return stat(path, &status) == 0 && ((status.st_mode & (S_ISUID | S_ISGID)) != 0 ||
                                        getxattr(path, "security.capability", capabilities, sizeof capabilities) > 0);
}

static int exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

int command_prepare(struct command *out, const struct command_node *node, const char *file, int search,
                    const char *path) {
    static const struct program_files files = {read_start, privileged, exists};
    if (find_program(out->program, file, search, path) != 0)
        return -1;
    out->kind = program_kind(out->program, node->tools, &files);
    snprintf(out->engine, sizeof out->engine, "%s/bin/assay-engine", node->tools);
    snprintf(out->node, sizeof out->node, "--node=%s", node->folder);
    /* passed as options, they reach the program's children whatever it does to their environment */
    const char *prefix[] = {
        out->engine,
        "--tool=assay",
        "-q",
        "--command-line-only=yes", /* the user's VALGRIND_OPTS and .valgrindrc are for other tools */
        "--vgdb=no",               /* its pipes in TMPDIR would outlive a killed process */
        "--trace-children=yes",
        out->node,
        node->beside ? "--beside=yes" : NULL,
        NULL};
    memcpy(out->prefix, prefix, sizeof prefix);
    return 0;
}

void command_explain(const struct command *command) {
    const char *obstacle = program_obstacle(command->kind);
    if (obstacle)
        dprintf(STDERR_FILENO, "assay: %s: not counted: %s\n", command->program, obstacle);
}
