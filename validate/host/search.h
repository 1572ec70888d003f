/* search.h - programs as execvp() finds them. */
#ifndef ASSAY_SEARCH_H
#define ASSAY_SEARCH_H

#include <limits.h>

/* The file of a program that is named by its path or is in PATH; -1: there is none that may be executed. */
int search_program(const char *name, char file[PATH_MAX]);

#endif
