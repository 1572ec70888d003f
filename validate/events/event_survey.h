/* event_survey.h - `assay events`: measures all probes with single events and finds what these events count. */
#ifndef ASSAY_EVENT_SURVEY_H
#define ASSAY_EVENT_SURVEY_H

#include "validate/run/documented.h"

struct event_survey {
    struct documented d;
    json_t *checked; /* groups from `d.v.options.check` (own_groups.h); NULL: none */
    json_t *names;   /* other groups' names of basis quantities: input/concepts.lua; NULL without `checked` */
    json_t *plan;    /* events/plan/events.lua */
};

/* Plans the measurement by the options in `d.v`. `d.v.options.patterns` are names of events; if empty, the events of
 * all groups, or with `d.v.options.all` all events that LIKWID knows. */
int event_survey_prepare(struct event_survey *e, struct error *error);

/* Measures. With `d.v.options.all` one probe is measured first, and events without values in it are skipped. EXIT_DONE,
 * or another exit status. */
int event_survey_measure(struct event_survey *e, struct error *error);

/* Calls a judge of the door "event_judge" (script.h) with all results and, if it needs them, `findings` (may be NULL).
 * A new reference; NULL with the reason. */
json_t *event_survey_judge(const struct event_survey *e, const char *door, json_t *findings, struct error *error);

/* Repeats the unsteady findings in `found` (from the judge "survey"), each measured alone. Adds the result of
 * events/judge/noise.lua to `found` as "closer". EXIT_DONE, also without unsteady findings, or another exit status. */
int event_survey_repeat(struct event_survey *e, json_t *found, struct error *error);

/* Writes the findings of the judge "survey" with validation_write(), and "probes": titles of the rows with slopes. */
int event_survey_write(const struct event_survey *e, json_t *found, struct error *error);

/* Removes the state of an event survey after its findings have been written. */
void event_survey_forget(const struct event_survey *e);

void event_survey_release(struct event_survey *e);

#endif
