/* preflight.c - examines this machine. SPDX-License-Identifier: GPL-3.0-or-later */
#include "preflight.h"

#include "choose.h"
#include "probe.h"
#include "validate/node/doctor.h"
#include "validate/node/state.h"

static void print_finding(const struct finding *finding, FILE *out) {
    static const char *const words[] = {[FINDING_OK] = "ok", [FINDING_NOTE] = "note", [FINDING_BLOCKS] = "blocks"};
    fprintf(out, "%-7s %-16s %s%s%s\n", words[finding->state], finding->subject, finding->text,
            finding->remedy[0] != '\0' ? "; remedy: " : "", finding->remedy);
}

static json_t *describe_node(struct node *node) {
    json_object_set(node->description, "state", node->state);
    return json_incref(node->description);
}

/* The description of a machine that cannot be measured. */
static json_t *describe_anyway(const struct likwid *likwid) {
    struct error error;
    struct node node;
    char arch[32] = ""; /* stays so if LIKWID does not know the processor */
    if (likwid != NULL)
        likwid_arch(likwid, arch, &error);
    if (node_describe_native(arch, likwid, &node, &error) != 0)
        return NULL;
    if (likwid != NULL)
        node.state = state_read("", likwid, node.description);
    json_t *description = describe_node(&node);
    node_release(&node);
    return description;
}

/* Opens the machine and counts a known loop. A processor without groups is counted, too, but is no node to validate. */
static int count_loop(const struct paths *paths, const struct likwid *likwid, int has_groups, struct node *node,
                      struct error *error) {
    char found[300];
    if (has_groups)
        return node_choose("native", NODE_NO_FALLBACK, paths, likwid, node, error);
    if (node_take_unjudged(paths, likwid, node, error) != 0)
        return -1;
    if (probe_node(node, paths, likwid, found, error) == 0) {
        snprintf(node->why, sizeof node->why, "%s", found);
        return 0;
    }
    node_release(node);
    return -1;
}

void preflight(const struct paths *paths, FILE *out, json_t **machine) {
    struct finding findings[FINDINGS_MAX];
    struct likwid likwid;
    struct node node;
    struct error error;
    size_t count = doctor_examine(paths, findings);
    const struct finding *block = doctor_first_block(findings, count);
    int has_likwid = likwid_find(&likwid, NULL, &error) == 0,
        is_tried = block == NULL || block->subject == doctor_groups;
    for (size_t i = 0; i < count; i++)
        print_finding(&findings[i], out);
    int counts = is_tried && has_likwid && count_loop(paths, &likwid, block == NULL, &node, &error) == 0;
    if (is_tried)
        fprintf(out, "%-7s %-16s %s\n", counts ? "ok" : "blocks", "probe", counts ? node.why : error.text);
    fputs(counts && block == NULL ? "This machine can be validated: assay validate\n"
                                  : "This machine cannot be validated natively; assay validate --node virtual runs on "
                                    "the virtual node.\n",
          out);
    if (machine != NULL)
        *machine = counts ? describe_node(&node) : describe_anyway(has_likwid ? &likwid : NULL);
    if (counts)
        node_release(&node);
}
