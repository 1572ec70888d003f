/* ask.h - runs another program and returns its output. */
#ifndef ASSAY_ASK_H
#define ASSAY_ASK_H

#include "error.h"

/* Runs argv for at most `seconds`. Returns its standard output, freed by the caller, and stores its exit status in
 * `*status` and the last line of its standard error in `error` ("" if there is none). NULL with the reason if it cannot
 * be run. */
char *ask(char *const argv[], double seconds, int *status, struct error *error);

#endif
