/* survey.h - common part of the commands that measure single events with all probes. */
#ifndef ASSAY_SURVEY_H
#define ASSAY_SURVEY_H

#include "event_survey.h"

/* Prepares the event survey by its options, measures, and calls `tell`, which prints the findings, writes them to
 * `e->d.v.options.out` if not NULL, and returns EXIT_DONE, or EXIT_USAGE with a reason. Error messages begin with
 * `command`. Releases the event survey; returns the exit status. */
int survey(const char *command, struct event_survey *e, int (*tell)(struct event_survey *e, struct error *error));

#endif
