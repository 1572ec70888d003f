/* list_patterns.c - `assay list patterns --long`. SPDX-License-Identifier: GPL-3.0-or-later */
#include "list_patterns.h"

#include <stdio.h>
#include <string.h>

#include "validate/command/print.h"
#include "validate/run/choose.h"
#include "validate/run/inputs.h"

static json_t *find_overview(const struct paths *paths, struct script *script, const struct node *node,
                             struct error *error) {
    struct inputs inputs;
    if (inputs_describe(&inputs, script, paths, node->arch, error) != 0)
        return NULL;
    json_t *argument = json_pack("{s:O, s:O, s:O, s:O}", "patterns", inputs.patterns, "machine", inputs.machine,
                                 "groups", inputs.groups, "node", node->description);
    json_t *found = script_call(script, "overview", argument, error);
    inputs_free(&inputs);
    return found;
}

static int print_text(struct script *script, const struct node *node, json_t *found, struct error *error) {
    char called[sizeof node->name + 20];
    snprintf(called, sizeof called, "%s node %s", node->is_virtual ? "virtual" : "native", node->name);
    return print_rendered(script, "report:patterns", json_pack("{s:O, s:s}", "patterns", found, "node", called), error);
}

int list_patterns(const struct paths *paths, struct script *script, const char *node_wish, const char *format,
                  struct error *error) {
    struct likwid likwid;
    struct node node;
    if (strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
        return error_set(error, "--format %.60s: unknown; one of text, json", format);
    if (likwid_find(&likwid, paths, error) != 0 ||
        node_choose(node_wish, NODE_MAY_SIMULATE, paths, &likwid, &node, error) != 0)
        return -1;
    json_t *found = find_overview(paths, script, &node, error);
    int status = found != NULL ? 0 : -1;
    if (found != NULL && strcmp(format, "json") == 0) {
        json_dumpf(found, stdout, JSON_INDENT(2));
        puts("");
    } else if (found != NULL) {
        status = print_text(script, &node, found, error);
    }
    json_decref(found);
    node_release(&node);
    return status;
}
