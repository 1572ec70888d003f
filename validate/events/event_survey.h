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

/* What a judge of the door "event_judge" says of all that is known, and of `findings` if it looks at some (NULL: none).
 * A new reference; NULL and the reason. */
json_t *event_survey_judge(const struct event_survey *e, const char *door, json_t *findings, struct error *error);

/* Repeats the unsteady findings of `found` (of the judge "survey"), each measured alone. Adds the result of
 * events/judge/noise.lua to it, as "closer". EXIT_DONE, also without unsteady findings; else the exit status. */
int event_survey_repeat(struct event_survey *e, json_t *found, struct error *error);

/* validation_write() of what the judge "survey" found, and "probes": titles of the rows that slopes are of. */
int event_survey_write(const struct event_survey *e, json_t *found, struct error *error);

/* Removes the state of an event survey whose findings are written. */
void event_survey_forget(const struct event_survey *e);

void event_survey_release(struct event_survey *e);

#endif
