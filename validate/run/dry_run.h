/* dry_run.h - prints what a validation would execute. */
#ifndef ASSAY_DRY_RUN_H
#define ASSAY_DRY_RUN_H

#include "validation.h"

/* Prints the node, the jobs with their commands in order, and what is skipped, on stdout. Executes nothing on the node.
 * 0, or -1 with the reason. */
int dry_run_print(struct validation *v, struct error *error);

#endif
