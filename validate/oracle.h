/* oracle.h - the virtual node's own truth beside what LIKWID reported: the same runs on the node without its faults. */
#ifndef ASSAY_ORACLE_H
#define ASSAY_ORACLE_H

#include <jansson.h>

/* For each job one that runs once on the node without faults; its id is JOB.clean. A new reference. */
json_t *oracle_jobs(const json_t *jobs);

/* The id of the run that shows the truth for a run: its own clean twin if there is one in `results`, else itself. */
void oracle_run_id(char id[200], const json_t *job, const json_t *packed, int rep, const json_t *results);

/* Gives every sample the value of its twin in `clean` as "simulated"; both lists are of one run of one job, in the same
 * order. */
void oracle_add(json_t *samples, const json_t *clean);

#endif
