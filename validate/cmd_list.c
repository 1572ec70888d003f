/* cmd_list.c - `assay list`: what there is. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "inputs.h"
#include "text.h"

/* Prints one name a line, each behind `prefix`. */
static int print_names(char **names, const char *prefix, struct error *error) {
    if (names == NULL)
        return command_fail("list", error->text);
    for (char **name = names; *name != NULL; name++)
        printf("%s%s\n", prefix, *name);
    text_free_names(names);
    return EXIT_DONE;
}

/* Prints "PART/NAME" for every file FOLDER/PART/NAME<suffix>. */
static int list_below(const char *folder, const char *suffix) {
    struct error error;
    char **parts = text_names(folder, "", &error);
    int status = parts != NULL ? EXIT_DONE : command_fail("list", error.text);
    for (char **part = parts; status == EXIT_DONE && *part != NULL; part++) {
        char below[PATH_MAX], prefix[PATH_MAX];
        struct stat kind;
        if (paths_join(below, folder, *part, &error) != 0 || stat(below, &kind) != 0 || !S_ISDIR(kind.st_mode))
            continue;
        snprintf(prefix, sizeof prefix, "%s/", *part);
        status = print_names(text_names(below, suffix, &error), prefix, &error);
    }
    text_free_names(parts);
    return status;
}

static int list_patterns(const struct paths *paths) {
    struct error error;
    return print_names(inputs_patterns(paths, &error), "", &error);
}

/* Folder and name of each kernel: kernels/ISA/NAME.ptt. */
static int list_kernels(const struct paths *paths) {
    char folder[PATH_MAX];
    struct error error;
    if (paths_join(folder, paths->data, "kernels", &error) != 0)
        return command_fail("list", error.text);
    return list_below(folder, ".ptt");
}

static int list_archs(const struct paths *paths) {
    struct error error;
    return print_names(inputs_archs(paths, &error), "", &error);
}

static int list_groups(const struct paths *paths) {
    char folder[PATH_MAX];
    struct error error;
    if (paths_join(folder, paths->data, "groups", &error) != 0)
        return command_fail("list", error.text);
    return list_below(folder, ".txt");
}

static int list_nodes(const struct paths *paths) {
    char folder[PATH_MAX];
    struct error error;
    if (paths_join(folder, paths->tools, "vnode/data/nodes", &error) != 0)
        return command_fail("list", error.text);
    return print_names(text_names(folder, ".lua", &error), "", &error);
}

static const struct {
    const char *name;
    int (*print)(const struct paths *);
} lists[] = {
    {"patterns", list_patterns}, {"kernels", list_kernels}, {"groups", list_groups},
    {"archs", list_archs},       {"nodes", list_nodes},
};

int command_list(const struct paths *paths, int argc, char **argv) {
    size_t count = sizeof lists / sizeof lists[0];
    if (argc > 2)
        return command_fail("list", "takes one word; usage: assay list [patterns|kernels|groups|archs|nodes]");
    if (argc == 1) {
        int status = EXIT_DONE;
        for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
            printf("%s%s:\n", i > 0 ? "\n" : "", lists[i].name);
            status = lists[i].print(paths);
        }
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(argv[1], lists[i].name) == 0)
            return lists[i].print(paths);
    }
    char text[300];
    snprintf(text, sizeof text, "%.200s: unknown; one of patterns, kernels, groups, archs, nodes", argv[1]);
    return command_fail("list", text);
}
