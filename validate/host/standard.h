/* standard.h - detects failed writes to standard output. */
#ifndef ASSAY_STANDARD_H
#define ASSAY_STANDARD_H

/* Closes standard output. Returns `status`, or EXIT_USAGE if a write failed; then also prints the failure on stderr,
 * prefixed with `command`, unless `status` is EXIT_USAGE, an error already printed. */
int standard_finish(const char *command, int status);

#endif
