/* cmd_vnode.c - `assay vnode`: any command on a virtual node. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "likwid.h"
#include "node.h"
#include "vnode/launch/vnode.h"

enum { STATUS_NOT_FOUND = 127 };

static void print_not_counted(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "assay vnode: not counted: %s\n", text);
}

int command_vnode(const struct paths *paths, int argc, char **argv) {
    const char *name = VNODE_DEFAULT;
    struct likwid likwid;
    struct error error;
    int at = 1;
    if (at + 1 < argc && strcmp(argv[at], "--node") == 0) {
        name = argv[at + 1];
        at += 2;
    }
    if (at < argc && strcmp(argv[at], "--") == 0)
        at++;
    else if (at < argc && argv[at][0] == '-')
        return command_fail("vnode", "unknown option; usage: assay vnode [--node NAME] -- COMMAND...");
    if (at >= argc)
        return command_fail("vnode", "no command; usage: assay vnode [--node NAME] -- COMMAND...");
    if (likwid_find(&likwid, &error) != 0)
        return command_fail("vnode", error.text);
    struct vnode *vnode = node_create_virtual(name, paths, likwid.version, &error);
    if (vnode == NULL)
        return command_fail("vnode", error.text);
    int status = vnode_run(vnode, argv + at);
    if (status == STATUS_NOT_FOUND)
        fprintf(stderr, "assay vnode: %s: no such program; is it in PATH?\n", argv[at]);
    vnode_not_counted(vnode, print_not_counted, NULL);
    vnode_destroy(vnode);
    return status;
}
