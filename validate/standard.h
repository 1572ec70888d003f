/* standard.h - the process's standard streams: there from the start, and standard output whole at the end. */
#ifndef ASSAY_STANDARD_H
#define ASSAY_STANDARD_H

/* Before anything is opened. A standard stream that the caller closed would otherwise be the next file that is opened,
 * and output would go into it. A write beyond the limit on the size of files (ulimit -f) is an error from here on, not
 * the process's end; commands that it starts are not concerned. */
void standard_prepare(void);

/* Closes standard output. Returns `status`; if what was printed could not be written, EXIT_USAGE, and says so on stderr
 * in the name of `command` unless an error was told before. */
int standard_finish(const char *command, int status);

#endif
