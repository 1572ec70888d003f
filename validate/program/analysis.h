/* analysis.h - `assay analyse`: a program's counts in metric hierarchies. */
#ifndef ASSAY_ANALYSIS_H
#define ASSAY_ANALYSIS_H

#include "program_run.h"

struct analysis {
    struct program_run m;
    const char *hierarchy; /* a file of the user's that adds to Assay's own and replaces parts of them, or NULL */
    const char *only;      /* "A,B": these metrics and what is below them; NULL: all */
    json_t *trees;         /* input/hierarchy.lua's: metrics, wants, hierarchy */
};

/* From an opened program run to a plan of what is run. */
int analysis_prepare(struct analysis *a, struct error *error);

/* The analysis record of what was measured (docs/analysis.schema.json), a new reference. */
json_t *analysis_record(const struct analysis *a);

void analysis_release(struct analysis *a);

#endif
