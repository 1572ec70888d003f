/* inputs.h - loads and checks a campaign's inputs: patterns, the machine file, groups and kernels. */
#ifndef ASSAY_INPUTS_H
#define ASSAY_INPUTS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"
#include "validate/node/node.h"

#define INPUTS_SHARE 0.05 /* part of the run time from which a pattern is present, unless --share says another */

struct inputs {
    json_t *patterns; /* array of schema.pattern results, or of probe.read results */
    json_t *machine;  /* schema.machine result */
    json_t *groups;   /* { NAME: group.parse result } */
    json_t *kernels;  /* { NAME: counts of the code, plan.lua's `kernels` } */
    json_t *objects;  /* { NAME: file of the shared object } */
};

/* Stores the file of a pattern. 0, or -1 with the reason if there is no pattern of that name. */
int inputs_pattern_file(const struct paths *paths, const char *name, char file[PATH_MAX], struct error *error);

/* Loads patterns by name (count 0: all of DATA/patterns) and the machine file and groups of the node's architecture;
 * assembles and counts the patterns' kernels. An error is one line that begins with file:line. */
int inputs_load(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                char *const names[], int count, struct error *error);

/* Makes machine and groups those that likwid->interface counts instead of LIKWID. 0, or -1 with the reason. */
int inputs_count_by(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                    const struct likwid *likwid, struct error *error);

/* Like inputs_load(), with all of DATA/probes as patterns. `machine`: used instead of the machine file if not NULL, for
 * an architecture without one; stolen. */
int inputs_load_probes(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                       json_t *machine, struct error *error);

/* Loads what is needed to describe results: all patterns, machine file and groups of `arch`; kernels and objects stay
 * NULL. */
int inputs_describe(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                    struct error *error);
void inputs_free(struct inputs *inputs);

#endif
