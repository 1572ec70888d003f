/* inputs.h - everything a campaign reads: patterns, the machine file, groups and kernels, checked. */
#ifndef ASSAY_INPUTS_H
#define ASSAY_INPUTS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"
#include "validate/node/node.h"

struct inputs {
    json_t *patterns; /* array of schema.pattern results, or of probe.read's */
    json_t *machine;  /* schema.machine result */
    json_t *groups;   /* { NAME: group.parse result } */
    json_t *kernels;  /* { NAME: counts of the code, plan.lua's `kernels` } */
    json_t *objects;  /* { NAME: file of the shared object } */
};

/* The file of a pattern. 0, or -1 and the reason: there is none of that name. */
int inputs_pattern_file(const struct paths *paths, const char *name, char file[PATH_MAX], struct error *error);

/* Loads patterns by name (count 0: all of DATA/patterns), the machine and groups of the node's
 * architecture, and assembles and counts the kernels that the patterns use. Each defect is one line with file:line. */
int inputs_load(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                char *const names[], int count, struct error *error);

/* The same with all of DATA/probes in the place of patterns. */
int inputs_load_probes(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                       struct error *error);

/* Loads what describes results: all patterns, the machine and groups of `arch`; kernels and objects stay NULL. */
int inputs_describe(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                    struct error *error);
void inputs_free(struct inputs *inputs);

#endif
