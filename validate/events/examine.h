/* examine.h - what commands have in common that measure single events over all probes. */
#ifndef ASSAY_EXAMINE_H
#define ASSAY_EXAMINE_H

#include "examination.h"

/* Prepares the examination from the options in it, measures, and calls `tell`, which prints what was found, writes it
 * to `e->d.v.options.out` if that is not NULL, and returns EXIT_DONE or EXIT_USAGE with a reason. Complaints begin with
 * the command's name. Releases the examination; returns the exit status. */
int examine(const char *command, struct examination *e, int (*tell)(struct examination *e, struct error *error));

#endif
