/* cmd_doctor.c - `assay doctor`. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/node/doctor.h"
#include "validate/run/choose.h"
#include "validate/run/probe.h"

/* Examines this machine: prints obstacles and, if there is none, whether its counters count. */
static int examine_machine(const struct paths *paths) {
    static const char *const words[] = {[FINDING_OK] = "ok", [FINDING_NOTE] = "note", [FINDING_BLOCKS] = "blocks"};
    struct finding findings[FINDINGS_MAX];
    size_t count = doctor_examine(paths, findings);
    for (size_t i = 0; i < count; i++) {
        printf("%-7s %-16s %s", words[findings[i].state], findings[i].subject, findings[i].text);
        printf("%s%s\n", findings[i].remedy[0] != '\0' ? "; remedy: " : "", findings[i].remedy);
    }
    struct likwid likwid;
    struct node node;
    struct error error;
    if (doctor_first_block(findings, count) == NULL && likwid_find(&likwid, &error) == 0) {
        if (node_choose("native", NODE_NO_FALLBACK, paths, &likwid, &node, &error) == 0) {
            printf("ok      %-16s %s\nThis machine can be validated: assay validate\n", "probe", node.why);
            node_release(&node);
            return EXIT_DONE;
        }
        printf("blocks  %-16s %s\n", "probe", error.text);
    }
    puts("This machine cannot be validated natively; assay validate --node virtual runs on the virtual node.");
    return EXIT_DONE;
}

/* Checks whether the counters of a named node count. */
static int examine_node(const struct paths *paths, const char *name) {
    char finding[300];
    struct likwid likwid;
    struct node node;
    struct error error;
    if (likwid_find(&likwid, &error) != 0 || node_choose(name, NODE_NO_FALLBACK, paths, &likwid, &node, &error) != 0)
        return command_fail("doctor", error.text);
    int counts = probe_node(&node, paths, &likwid, finding, &error) == 0;
    node_release(&node);
    if (!counts)
        return command_fail("doctor", error.text);
    printf("ok      %-16s %s: %s\n", "probe", node.name, finding);
    return EXIT_DONE;
}

enum { NODE };

static int run(const struct paths *paths, const struct arguments *arguments) {
    return arguments->value[NODE] == NULL ? examine_machine(paths) : examine_node(paths, arguments->value[NODE]);
}

static const struct argument options[] = {[NODE] = {"node", "NODE", "do the counters of that node count?"}, {0}};

const struct command command_doctor = {
    .name = "doctor",
    .words = "",
    .about = "can this machine be validated, and what stands in the way",
    .options = options,
    .run = run,
};
