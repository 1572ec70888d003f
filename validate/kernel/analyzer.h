/* analyzer.h - runs static analyzers (llvm-mca, OSACA), which predict the cycles of a loop on a core. */
#ifndef ASSAY_ANALYZER_H
#define ASSAY_ANALYZER_H

#include "validate/host/error.h"

enum { ANALYZER_PATH = 40 };

/* Opens an anonymous file that contains "PROLOGUEloop:\nLOOP" and stores in `path` a name that children can open.
 * Returns the descriptor, closed by the caller, or -1 with the reason. */
int analyzer_open(const char *prologue, const char *loop, char path[ANALYZER_PATH], struct error *error);

/* Runs argv[0], searched in PATH, and returns its output, freed by the caller. NULL with the reason on failure; the
 * reason is `remedy` if the program is missing. A program that prints an error but exits with 0 has also failed. */
char *analyzer_run(char *const argv[], const char *remedy, struct error *error);

#endif
