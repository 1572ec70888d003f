/* event_survey.h - `assay events`: all probes measured with single events, and what these are found to count. */
#ifndef ASSAY_EVENT_SURVEY_H
#define ASSAY_EVENT_SURVEY_H

#include "validate/run/documented.h"

struct event_survey {
    struct documented d;
    json_t *checked; /* groups of `d.v.options.check`, own_groups.h; NULL: none */
    json_t *names;   /* what other groups call quantities: input/concepts.lua; NULL unless `checked` is there */
    json_t *plan;    /* events/plan/events.lua */
};

/* From the options in `d.v` to a plan of what is measured: `d.v.options.patterns` are the events' names, none means
 * those of all groups, or with `d.v.options.all` all that LIKWID knows. */
int event_survey_prepare(struct event_survey *e, struct error *error);

/* Measures. If there are many events, one probe is measured first, and events without values there are left out.
 * EXIT_DONE, or the exit status. */
int event_survey_measure(struct event_survey *e, struct error *error);

/* events/judge/events.lua's findings and what follows from them (its survey), a new reference; NULL and the reason. */
json_t *event_survey_find(const struct event_survey *e, struct error *error);

/* Repeats the unsteady findings of `found` (from event_survey_find()), each measured alone. Adds the result of
 * events/judge/noise.lua to it, as "closer". EXIT_DONE, also without unsteady findings; else the exit status. */
int event_survey_repeat(struct event_survey *e, json_t *found, struct error *error);

/* events/judge/noise.lua's, of an event survey with `d.v.options.noise`, a new reference; NULL and the reason. */
json_t *event_survey_noise(const struct event_survey *e, struct error *error);

/* events/judge/curves.lua's, of a plan with `d.v.options.curves`, a new reference; NULL and the reason. */
json_t *event_survey_curves(const struct event_survey *e, struct error *error);

/* events/discovery/discovery.lua's findings from the same results, a new reference; NULL and the reason. */
json_t *event_survey_discover(const struct event_survey *e, struct error *error);

/* validation_write() of event_survey_find()'s, and "probes": titles of the rows that slopes are of. */
int event_survey_write(const struct event_survey *e, json_t *found, struct error *error);

/* Removes the state of an event survey whose findings are written. */
void event_survey_forget(const struct event_survey *e);

void event_survey_release(struct event_survey *e);

#endif
