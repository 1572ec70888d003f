/* cpus.h - reads lists of hardware threads (CPUs) from the command line, and pins threads to them. */
#ifndef ASSAY_PROGRAM_CPUS_H
#define ASSAY_PROGRAM_CPUS_H

#include <stddef.h>

#include "validate/host/error.h"

enum { CPUS_MAX = 1024 };

/* Reads a whole number at *text and advances *text. Returns 0, or -1 if there is none or it is above `limit`. */
int parse_whole(const char **text, unsigned long limit, unsigned long *value);

/* Reads "0,2" or "0-3", each CPU once, into cpu[CPUS_MAX]. Returns 0, or -1 with the reason. */
int cpus_parse(const char *list, int cpu[CPUS_MAX], size_t *count, struct error *error);

/* Pins the calling thread. Returns 0, or -1 with the reason. */
int cpu_pin(int cpu, struct error *error);

#endif
