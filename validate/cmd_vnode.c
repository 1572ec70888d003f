/* cmd_vnode.c - `assay vnode`: any command on a virtual node. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "likwid.h"
#include "node.h"
#include "vnode/launch/vnode.h"

/* Of programs that use LIKWID's library themselves nobody has told the user. */
static void print_not_counted(void *vnode, const char *text) {
    if (!vnode_is_explained(vnode, text))
        fprintf(stderr, "assay vnode: not counted here: %s; metrics that use it mean nothing\n", text);
}

static int fail_usage(const char *what) {
    char text[128];
    snprintf(text, sizeof text, "%s; usage: assay vnode [--node NAME] [--fault FILE] -- COMMAND...", what);
    return command_fail("vnode", text);
}

/* The virtual node, with faults if there is a file of them; NULL and the reason. */
static struct vnode *make_node(const char *name, const char *fault, const struct paths *paths, struct error *error) {
    struct likwid likwid;
    struct faults faults = {0};
    struct vnode *vnode = NULL;
    int failed = likwid_find(&likwid, error) != 0 || (fault != NULL && faults_load(&faults, fault, error) != 0);
    if (!failed)
        vnode = node_create_virtual(name, paths, likwid.version, error);
    if (vnode != NULL && fault != NULL &&
        vnode_set_faults(vnode, fault, faults.text, NULL, error->text, sizeof error->text) != 0) {
        vnode_destroy(vnode);
        vnode = NULL;
    }
    faults_free(&faults);
    return vnode;
}

int command_vnode(const struct paths *paths, int argc, char **argv) {
    const char *name = VNODE_DEFAULT, *fault = NULL;
    struct error error;
    int at = 1;
    for (; at + 1 < argc && (strcmp(argv[at], "--node") == 0 || strcmp(argv[at], "--fault") == 0); at += 2)
        *(argv[at][2] == 'n' ? &name : &fault) = argv[at + 1];
    if (at < argc && strcmp(argv[at], "--") == 0)
        at++;
    else if (at < argc && argv[at][0] == '-')
        return fail_usage("unknown option");
    if (at >= argc)
        return fail_usage("no command");
    struct vnode *vnode = make_node(name, fault, paths, &error);
    if (vnode == NULL)
        return command_fail("vnode", error.text);
    int status = vnode_run(vnode, argv + at);
    vnode_not_counted(vnode, print_not_counted, vnode);
    if (vnode_measured(vnode))
        fputs("assay vnode: times, CPI and bandwidths here are the virtual node's own model, not a processor's: see "
              "TIME in "
              "assay(1)\n",
              stderr);
    vnode_destroy(vnode);
    return status;
}
