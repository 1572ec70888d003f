/* types.h - plan, results and findings of `assay sampling`. */
#ifndef ASSAY_SAMPLING_TYPES_H
#define ASSAY_SAMPLING_TYPES_H

#include "validate/run/documented.h"

struct sampling {
    struct documented d; /* events: `d.v.options.patterns`; if empty, those of the architecture's groups */
    json_t *periods;     /* array of integers; NULL: the default of sampling/plan.lua */
    int skid;            /* virtual node: instructions between overflow and sampled instruction */
    char **program;      /* NULL-terminated; NULL: Assay's program, whose functions are counted */
    json_t *plan;        /* from sampling/plan.lua */
    json_t *runs;        /* results, one per run of the plan */
    json_t *found;       /* from sampling/judge.lua */
    int failed;          /* number of programs with an exit status other than 0 */
};

#endif
