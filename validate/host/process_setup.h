/* process_setup.h - makes what this process inherited well defined: files, limits, environment. */
#ifndef ASSAY_PROCESS_SETUP_H
#define ASSAY_PROCESS_SETUP_H

#include "error.h"

/* Must be called first. Opens closed standard input and error on /dev/null, so that no later file gets their numbers.
 * Makes new files readable and writable for the user whatever the umask. A write beyond ulimit -f fails instead of
 * killing the process. Ended children are reported, even if the caller ignores them. Raises limits that are too low for
 * a run. Makes TMPDIR absolute. -1 with the reason, also if standard output is closed, because results could not be
 * printed. */
int process_setup_secure(struct error *error);

/* Removes environment variables that change measured counts or the behaviour and output of LIKWID, Lua, Valgrind and
 * the C library. For commands that measure Assay's own code, not a user's program. */
void process_setup_forget_variables(void);

#endif
