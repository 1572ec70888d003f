/* survey.h - what commands have in common that measure single events over all probes. */
#ifndef ASSAY_SURVEY_H
#define ASSAY_SURVEY_H

#include "event_survey.h"

/* Prepares the event survey from the options in it, measures, and calls `tell`, which prints what was found, writes it
 * to `e->d.v.options.out` if that is not NULL, and returns EXIT_DONE or EXIT_USAGE with a reason. Complaints begin with
 * the command's name. Releases the event survey; returns the exit status. */
int survey(const char *command, struct event_survey *e, int (*tell)(struct event_survey *e, struct error *error));

#endif
