/* search.h - finds programs like execvp(). */
#ifndef ASSAY_SEARCH_H
#define ASSAY_SEARCH_H

#include <limits.h>

/* Stores the executable file of the program `name`, a path or a name in PATH. -1 if there is none. */
int search_program(const char *name, char file[PATH_MAX]);

#endif
