/* command.c - how a program is started on the virtual node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int executable(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

static int find_program(char *out, const char *file, int search, const char *path) {
    if (!search || strchr(file, '/')) {
        snprintf(out, COMMAND_PATH, "%s", file);
        return executable(out) ? 0 : -1;
    }
    for (; path && *file; path = strchr(path, ':') ? strchr(path, ':') + 1 : NULL) {
        int length = (int)strcspn(path, ":");
        snprintf(out, COMMAND_PATH, "%.*s/%s", length ? length : 1, length ? path : ".", file);
        if (executable(out))
            return 0;
    }
    return -1;
}

/* The file's contents with a 0 behind them, cut off where the buffer ends. */
static size_t read_start(const char *path, char *out, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, out, size - 1);
    if (fd >= 0)
        close(fd);
    out[length < 0 ? 0 : length] = '\0';
    return length < 0 ? 0 : (size_t)length;
}

/* The name of a script's interpreter ("" if it is no script); of env's argument for "#!/usr/bin/env NAME". */
static void interpreter(const char *program, char *out, size_t size) {
    char line[256];
    out[0] = '\0';
    if (read_start(program, line, sizeof line) < 3 || line[0] != '#' || line[1] != '!')
        return;
    line[strcspn(line, "\n")] = '\0';
    char *word = line + 2 + strspn(line + 2, " \t");
    char *rest = word + strcspn(word, " \t");
    if (*rest)
        *rest++ = '\0';
    rest += strspn(rest, " \t");
    rest[strcspn(rest, " \t")] = '\0';
    snprintf(out, size, "%s", strcmp(base_name(word), "env") == 0 && *rest ? rest : base_name(word));
}

/* The next name of a list like native-programs.txt, NULL at its end; the list is cut into strings on the way. */
static char *next_name(char **list, int *always) {
    for (;;) {
        char *line = *list;
        if (*line == '\0')
            return NULL;
        size_t length = strcspn(line, "\n");
        *list = line + length + (line[length] == '\n');
        line[length] = '\0';
        *always = strstr(line, " always") != NULL;
        line[strcspn(line, "# \t")] = '\0';
        if (*line)
            return line;
    }
}

int command_prepare(struct command *out, const char *node_folder, const char *tools, const char *file, int search,
                    const char *path, int measured) {
    char list_path[COMMAND_PATH], list[COMMAND_LIST], script[128];
    if (find_program(out->program, file, search, path) != 0)
        return -1;
    interpreter(out->program, script, sizeof script);
    snprintf(list_path, sizeof list_path, "%s/%s", node_folder, NATIVE_PROGRAMS_FILE);
    read_start(list_path, list, sizeof list);
    out->simulated = 1;
    size_t used = (size_t)snprintf(out->skip, sizeof out->skip, "--trace-children-skip=");
    char *rest = list;
    int always;
    for (const char *name = next_name(&rest, &always); name && used + 160 < sizeof out->skip;
         name = next_name(&rest, &always)) {
        if ((always || !measured) && (strcmp(name, base_name(out->program)) == 0 || strcmp(name, script) == 0))
            out->simulated = 0;
        used += (size_t)snprintf(out->skip + used, sizeof out->skip - used, "*/%.128s,", name);
    }
    out->skip[used - (out->skip[used - 1] == ',')] = '\0';
    snprintf(out->engine, sizeof out->engine, "%s/bin/assay-engine", tools);
    const char *prefix[] = {out->engine, "--tool=assay", "-q", "--trace-children=yes", out->skip, NULL};
    memcpy(out->prefix, prefix, sizeof prefix);
    return 0;
}
