/* cpus.h - hardware threads as programs of patterns are told them, and pinning to them. */
#ifndef ASSAY_PROGRAM_CPUS_H
#define ASSAY_PROGRAM_CPUS_H

#include <stddef.h>

#include "validate/host/error.h"

enum { CPUS_MAX = 1024 };

/* A whole number at *text, which is moved behind it. 0, or -1 without one or above `limit`. */
int parse_whole(const char **text, unsigned long limit, unsigned long *value);

/* Reads "0,2" or "0-3", each CPU once, into cpu[CPUS_MAX]. 0, or -1 with the reason. */
int cpus_parse(const char *list, int cpu[CPUS_MAX], size_t *count, struct error *error);

/* Pins the calling thread. 0, or -1 with the reason. */
int cpu_pin(int cpu, struct error *error);

#endif
