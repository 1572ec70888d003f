/* standard.h - standard output is whole at the end. */
#ifndef ASSAY_STANDARD_H
#define ASSAY_STANDARD_H

/* Closes standard output. Returns `status`; if what was printed could not be written, EXIT_USAGE, and says so on stderr
 * in the name of `command` unless an error was told before. */
int standard_finish(const char *command, int status);

#endif
