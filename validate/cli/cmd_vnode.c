/* cmd_vnode.c - `assay vnode`: any command on a virtual node. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/likwid/likwid.h"
#include "validate/node/access.h"
#include "validate/node/node.h"
#include "validate/run/choose.h"
#include "vnode/launch/faults.h"
#include "vnode/launch/vnode.h"

/* Reports events that were not counted; needed for programs that call LIKWID's library directly. */
static void print_not_counted(void *vnode, const char *text) {
    if (!vnode_is_explained(vnode, text))
        fprintf(stderr, "assay vnode: not counted here: %s; metrics that use it mean nothing\n", text);
}

enum { NODE, FAULT, NOISE };

/* Creates the virtual node, with faults from the file `fault` and noise (either may be NULL); NULL with the reason. */
static struct vnode *make_node(const char *name, const char *fault, const char *noise, const struct paths *paths,
                               struct error *error) {
    struct likwid likwid;
    if (likwid_find(&likwid, paths, error) != 0)
        return NULL;
    int runs = access_is_perf(&likwid) || node_check_mode(&likwid, error) == 0; /* others need all options of events */
    struct vnode *vnode = runs ? node_create_virtual(name, paths, likwid.version, 1, error) : NULL;
    if (vnode == NULL || (fault == NULL && noise == NULL))
        return vnode;
    struct vnode_faults *faults = faults_read(fault, noise, vnode, error);
    if (faults == NULL || vnode_set_faults(vnode, faults, NULL, error->text, sizeof error->text) != 0) {
        vnode_destroy(vnode);
        vnode = NULL;
    }
    vnode_free_faults(faults);
    return vnode;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    const char *wish = arguments->value[NODE] != NULL ? arguments->value[NODE] : "";
    const char *name = node_virtual_name(wish); /* accepts the same names as other commands */
    struct vnode *vnode =
        make_node(name != NULL ? name : wish, arguments->value[FAULT], arguments->value[NOISE], paths, error);
    if (vnode == NULL)
        return -1;
    error->text[0] = '\0'; /* the status is that of the user's command */
    int status = vnode_run(vnode, arguments->words);
    vnode_not_counted(vnode, print_not_counted, vnode);
    if (vnode_measured(vnode))
        fputs("assay vnode: times, CPI and bandwidths here are the virtual node's own model, not a processor's: see "
              "TIME in "
              "assay(1)\n",
              stderr);
    vnode_destroy(vnode);
    return status;
}

static const struct argument options[] = {
    [NODE] = {"node", "NAME", "which one; assay list nodes"},
    [FAULT] = {"fault", "FILE", "make it wrong on purpose: see FAULTS in assay(1)"},
    [NOISE] = {"noise", "LEVEL", "make it as noisy as machines are: quiet or busy"},
    {0},
};

const struct command command_vnode = {
    .name = "vnode",
    .words = "[--] COMMAND...",
    .least = 1,
    .most = INT_MAX,
    .is_prefix = 1,
    .missing = "no command",
    .about = "any LIKWID command line on the virtual node",
    .options = options,
    .run = run,
};
