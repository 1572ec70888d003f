/* examination.h - `assay events`: all probes measured with single events, and what these are found to count. */
#ifndef ASSAY_EXAMINATION_H
#define ASSAY_EXAMINATION_H

#include "validate/run/documented.h"

struct examination {
    struct documented d;
    json_t *checked; /* groups of `d.v.options.check`, own_groups.h; NULL: none */
    json_t *names;   /* what other groups call quantities: input/concepts.lua; NULL unless `checked` is there */
    json_t *plan;    /* events/plan/events.lua */
};

/* From the options in `d.v` to a plan of what is measured: `d.v.options.patterns` are the events' names, none means
 * those of all groups, or with `d.v.options.all` all that LIKWID knows. */
int examination_prepare(struct examination *e, struct error *error);

/* Measures. If there are many events, one probe is measured first, and events without values there are left out.
 * EXIT_DONE, or the exit status. */
int examination_measure(struct examination *e, struct error *error);

/* events/judge/events.lua's findings and what follows from them (its examine), a new reference; NULL and the reason. */
json_t *examination_find(const struct examination *e, struct error *error);

/* Repeats the unsteady findings of `found` (from examination_find()), each measured alone. Adds the result of
 * events/judge/noise.lua to it, as "closer". EXIT_DONE, also without unsteady findings; else the exit status. */
int examination_look_closer(struct examination *e, json_t *found, struct error *error);

/* events/judge/noise.lua's, of an examination with `d.v.options.noise`, a new reference; NULL and the reason. */
json_t *examination_noise(const struct examination *e, struct error *error);

/* events/judge/curves.lua's, of a plan with `d.v.options.curves`, a new reference; NULL and the reason. */
json_t *examination_curves(const struct examination *e, struct error *error);

/* events/discovery/discovery.lua's findings from the same results, a new reference; NULL and the reason. */
json_t *examination_discover(const struct examination *e, struct error *error);

/* Writes what was found with what it was found on to `d.v.options.out`: { "schema": 1, "kind": "events", "assay",
 * "started", "seconds", "node", "faults", "probes": titles of the rows that slopes are of, and examination_find's }. */
int examination_write(const struct examination *e, const json_t *found, struct error *error);

/* The same of curves: "kind": "curves", and "curves": what examination_curves() gave. */
int examination_write_curves(const struct examination *e, json_t *curves, struct error *error);

/* The same of repetitions: "kind": "noise", and "events": what examination_noise() gave. */
int examination_write_noise(const struct examination *e, json_t *noise, struct error *error);

/* The same for discovery: "kind": "discovery", and what examination_discover() gave. */
int examination_write_discovery(const struct examination *e, const json_t *found, struct error *error);

/* Removes the state of an examination whose findings are written. */
void examination_forget(const struct examination *e);

void examination_release(struct examination *e);

#endif
