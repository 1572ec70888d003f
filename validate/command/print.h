/* print.h - what Lua makes of results, to standard output, where no control character of a name or text
 * arrives. */
#ifndef ASSAY_PRINT_H
#define ASSAY_PRINT_H

#include "validate/host/script.h"

/* Prints the text that a door, one of "report:..", makes of the argument; releases that. 0, or -1 and the reason. */
int print_rendered(struct script *script, const char *door, json_t *argument, struct error *error);

/* Prints "WHAT FILE", the name plain. */
void print_file(const char *what, const char *file);

#endif
