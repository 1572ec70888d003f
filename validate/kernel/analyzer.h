/* analyzer.h - programs that predict how long a processor's core takes for a loop: started, and given the loop's text.
 */
#ifndef ASSAY_ANALYZER_H
#define ASSAY_ANALYZER_H

#include "validate/host/error.h"

enum { ANALYZER_PATH = 40 };

/* Opens a file that has no name in any folder and holds "PROLOGUEloop:\nLOOP", and writes its path for children. The
 * descriptor, to be closed; -1 and the reason. */
int analyzer_open(const char *prologue, const char *loop, char path[ANALYZER_PATH], struct error *error);

/* What argv[0], looked up in PATH, prints with these arguments, to be freed; NULL and the reason, which is `remedy` if
 * there is no such program. One that prints an error and goes on without what it does not know has failed, too. */
char *analyzer_run(char *const argv[], const char *remedy, struct error *error);

#endif
