/* process_setup.h - what a process has inherited, made so that nothing depends on it by chance. */
#ifndef ASSAY_PROCESS_SETUP_H
#define ASSAY_PROCESS_SETUP_H

#include "error.h"

/* To be called first. Standard input and error that are closed are opened on /dev/null, or files of our own would get
 * their numbers; the user may read and write what this process makes, whatever the umask; a file that grows over
 * ulimit -f is an error and no end; there is stack enough; TMPDIR is absolute. -1 and the reason, also if standard
 * output is closed: results have nowhere to go. */
int process_setup_secure(struct error *error);

/* Takes those variables out of the environment that would change what is measured, or what LIKWID, Lua, Valgrind and
 * the C library print or do: for commands that measure code of our own, not a user's. */
void process_setup_forget_variables(void);

#endif
