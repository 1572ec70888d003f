/* fresh.h - creates files that did not exist before, so nobody can plant a link, a pipe or a file under the name. */
#ifndef ASSAY_FRESH_H
#define ASSAY_FRESH_H

#include <stdio.h>

/* Opens a new file for writing. An existing file is removed first; of a link only the link, not its target. NULL with
 * errno on failure. */
FILE *fresh_open(const char *file);

#endif
