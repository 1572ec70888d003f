/* cmd_doctor.c - `assay doctor`. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "doctor.h"
#include "node.h"
#include "probe.h"

/* This machine: what stands in the way and, if nothing does, whether its counters count. */
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
        if (node_choose("native", paths, &likwid, &node, &error) == 0) {
            printf("ok      %-16s %s\nThis machine can be validated: assay validate\n", "probe", node.why);
            node_release(&node);
            return EXIT_DONE;
        }
        printf("blocks  %-16s %s\n", "probe", error.text);
    }
    puts("This machine cannot be validated natively; assay validate --node virtual runs on the virtual node.");
    return EXIT_DONE;
}

/* A node by name: do its counters count? */
static int examine_node(const struct paths *paths, const char *name) {
    char finding[300];
    struct likwid likwid;
    struct node node;
    struct error error;
    if (likwid_find(&likwid, &error) != 0 || node_choose(name, paths, &likwid, &node, &error) != 0)
        return command_fail("doctor", error.text);
    int counts = probe_node(&node, paths, &likwid, finding, &error) == 0;
    node_release(&node);
    if (!counts)
        return command_fail("doctor", error.text);
    printf("ok      %-16s %s: %s\n", "probe", node.name, finding);
    return EXIT_DONE;
}

int command_doctor(const struct paths *paths, int argc, char **argv) {
    if (argc == 1)
        return examine_machine(paths);
    if (argc == 3 && strcmp(argv[1], "--node") == 0)
        return examine_node(paths, argv[2]);
    return command_fail("doctor", "usage: assay doctor [--node NODE]");
}
