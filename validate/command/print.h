/* print.h - prints texts rendered by Lua, without control characters, and JSON to standard output. */
#ifndef ASSAY_PRINT_H
#define ASSAY_PRINT_H

#include "validate/host/script.h"

/* Prints the result of a door "report:.." (script.h) for the argument, rounds the argument's numbers to a record's and
 * releases it. 0, or -1 with the reason. */
int print_rendered(struct script *script, const char *door, json_t *argument, struct error *error);

/* Prints a value as records are written, and a newline. 0, or -1 with the reason; main() looks for failed writes. */
int print_value(const json_t *value, struct error *error);

/* Prints "WHAT FILE", with control characters of the name replaced. */
void print_file(const char *what, const char *file);

#endif
