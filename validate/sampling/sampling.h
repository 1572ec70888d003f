/* sampling.h - `assay sampling`: what is estimated from samples of a program, beside what is true. */
#ifndef ASSAY_SAMPLING_H
#define ASSAY_SAMPLING_H

#include "validate/events/examination.h"

struct sampling {
    struct examination e; /* its events: `v.options.patterns`; those of the architecture's groups without */
    json_t *periods;      /* array of whole numbers, NULL: sampling/plan.lua's */
    int skid;             /* instructions between an overflow and what is sampled, on a virtual node */
    char **program;       /* NULL-ended; NULL: the program whose functions are known */
    json_t *plan;         /* sampling/plan.lua */
    json_t *runs;         /* measured, one of each of the plan's */
    json_t *found;        /* sampling/judge.lua */
    int failed;           /* programs that ended with another status than 0 */
};

/* From options to a plan. */
int sampling_prepare(struct sampling *sampling, struct error *error);

/* Runs the plan and judges. EXIT_DONE and `found`, or the exit status and the reason. */
int sampling_measure(struct sampling *sampling, struct error *error);

/* Writes what was found to `v.options.out`: docs/sampling.schema.json. */
int sampling_write(const struct sampling *sampling, struct error *error);

void sampling_release(struct sampling *sampling);

#endif
