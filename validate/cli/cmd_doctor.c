/* cmd_doctor.c - `assay doctor`. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/run/choose.h"
#include "validate/run/preflight.h"
#include "validate/run/probe.h"

static int examine_machine(const struct paths *paths) {
    preflight(paths, stdout, NULL);
    return EXIT_DONE;
}

/* Checks whether the counters of a named node count. */
static int examine_node(const struct paths *paths, const char *name, struct error *error) {
    char finding[300];
    struct likwid likwid;
    struct node node;
    if (likwid_find(&likwid, NULL, error) != 0 ||
        node_choose(name, NODE_NO_FALLBACK, paths, &likwid, &node, error) != 0)
        return -1;
    int counts = probe_node(&node, paths, &likwid, finding, error) == 0;
    node_release(&node);
    if (!counts)
        return -1;
    printf("ok      %-16s %s: %s\n", "probe", node.name, finding);
    return EXIT_DONE;
}

enum { NODE };

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    return arguments->value[NODE] == NULL ? examine_machine(paths) : examine_node(paths, arguments->value[NODE], error);
}

static const struct argument options[] = {[NODE] = {"node", "NODE", "do the counters of that node count?"}, {0}};

const struct command command_doctor = {
    .name = "doctor",
    .words = "",
    .about = "can this machine be validated, and what stands in the way",
    .options = options,
    .run = run,
};
