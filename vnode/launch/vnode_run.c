/* vnode_run.c - vnode-run: runs one command on a virtual node, for tests of the node itself.
 *
 *     vnode-run [--groups FOLDER] [--node NAME] -- COMMAND...
 *
 * FOLDER contains the architectures; default: the build's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vnode.h"

enum { STATUS_USAGE = 2 };

static void print_line(void *node, const char *text) {
    if (!vnode_is_explained(node, text))
        fprintf(stderr, "vnode-run: not counted here: %s\n", text);
}

/* This program's folder. */
static int own_folder(char *out, size_t size) {
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length <= 0)
        return -1;
    out[length] = '\0';
    *strrchr(out, '/') = '\0';
    return 0;
}

int main(int argc, char **argv) {
    char tools[4096], own_groups[4096 + 16], error[1024];
    const char *name = "", *groups = own_groups;
    struct vnode *node;
    int at = 1;
    for (; at + 1 < argc && (strcmp(argv[at], "--node") == 0 || strcmp(argv[at], "--groups") == 0); at += 2)
        *(argv[at][2] == 'n' ? &name : &groups) = argv[at + 1];
    if (at + 1 >= argc || strcmp(argv[at], "--") != 0) {
        fprintf(stderr, "usage: %s [--groups FOLDER] [--node NAME] -- COMMAND...\n", argv[0]);
        return STATUS_USAGE;
    }
    if (own_folder(tools, sizeof tools) != 0)
        return STATUS_USAGE;
    snprintf(own_groups, sizeof own_groups, "%s/../groups", tools);
    struct vnode_paths paths = {.tools = tools, .groups = groups};
    if (vnode_create(name, &paths, &node, error, sizeof error) != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], error);
        return STATUS_USAGE;
    }
    int status = vnode_run(node, argv + at + 1);
    vnode_not_counted(node, print_line, node);
    vnode_destroy(node);
    return status;
}
