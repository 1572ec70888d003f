/* error.h - one error, one line: what is wrong, where, and what to do about it.
 *
 * Functions that can fail take a `struct error *` and return -1 (or NULL) after filling it. */
#ifndef ASSAY_ERROR_H
#define ASSAY_ERROR_H

/* Exit statuses of the program: a contract (man page, EXIT STATUS). */
enum { EXIT_DONE = 0, EXIT_DRIFT = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct error {
    char text[1024];
};

/* Formats the message and returns -1, so that callers can write `return error_set(...)`. Messages quote files and
 * records, so newlines and tabs are replaced by blanks and other terminal control characters by '?'. */
int error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
