/* types.h - what is planned, run and found of `assay sampling`. */
#ifndef ASSAY_SAMPLING_TYPES_H
#define ASSAY_SAMPLING_TYPES_H

#include "validate/run/documented.h"

struct sampling {
    struct documented d; /* its events: `d.v.options.patterns`; those of the architecture's groups without */
    json_t *periods;     /* array of whole numbers, NULL: sampling/plan.lua's */
    int skid;            /* instructions between an overflow and what is sampled, on a virtual node */
    char **program;      /* NULL-ended; NULL: the program whose functions are known */
    json_t *plan;        /* sampling/plan.lua */
    json_t *runs;        /* measured, one of each of the plan's */
    json_t *found;       /* sampling/judge.lua */
    int failed;          /* programs that ended with another status than 0 */
};

#endif
