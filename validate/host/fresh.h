/* fresh.h - files that did not exist before: nobody can have prepared a link, a pipe or a file of their own under the
 * name. */
#ifndef ASSAY_FRESH_H
#define ASSAY_FRESH_H

#include <stdio.h>

/* Opens a new file for writing; what is left of an earlier one is removed first, not what a link of that name points
 * to. NULL and errno. */
FILE *fresh_open(const char *file);

#endif
