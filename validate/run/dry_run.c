/* dry_run.c - prints a plan. SPDX-License-Identifier: GPL-3.0-or-later */
#include "dry_run.h"

#include "validate/command/print.h"

int dry_run_print(struct validation *v, struct error *error) {
    validation_announce(v);
    int status = print_rendered(v->script, "report:plan",
                                json_pack("{s:O, s:O, s:O, s:O, s:O, s:o, s:i}", "node", v->node.description, "machine",
                                          v->inputs.machine, "patterns", v->inputs.patterns, "plans", v->plans, "jobs",
                                          v->jobs, "commands", validation_commands(v), "reps", v->reps),
                                error);
    validation_warn(v);
    return status;
}
