/* survey.h - common part of the commands that measure single events with all probes. */
#ifndef ASSAY_SURVEY_H
#define ASSAY_SURVEY_H

#include "event_survey.h"
#include "validate/command/arguments.h"

/* Prepares the event survey by its options, measures, and calls `tell`, which prints the findings, writes them to
 * `e->d.v.options.out` if not NULL, and returns EXIT_DONE, or EXIT_USAGE with a reason. Releases the event survey;
 * returns what a command's run() does (arguments.h). */
int survey(const struct arguments *arguments, struct event_survey *e,
           int (*tell)(struct event_survey *e, struct error *error), struct error *error);

#endif
