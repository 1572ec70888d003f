/* ask.h - a short question to another program. */
#ifndef ASSAY_ASK_H
#define ASSAY_ASK_H

#include "error.h"

/* Runs argv to its end, at most `seconds`; its standard output, to be freed, and its exit status in `*status`. What it
 * says on standard error comes in `error`, its last line; "" if nothing. NULL and the reason if it cannot be run. */
char *ask(char *const argv[], double seconds, int *status, struct error *error);

#endif
