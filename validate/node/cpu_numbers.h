/* cpu_numbers.h - CPUs as LIKWID's options -c and -C number them.
 *
 * If a process may use all CPUs of the machine, LIKWID's numbers are the system's. Else it takes the usable CPUs for a
 * cpuset (Slurm, cgroups, taskset, CPUs that are offline), and numbers them from 0 in an order of its own. */
#ifndef ASSAY_CPU_NUMBERS_H
#define ASSAY_CPU_NUMBERS_H

#include <jansson.h>

#include "validate/likwid/likwid.h"

/* Stores { "system's number": LIKWID's number } in `*numbers` (a new reference), NULL if they are the same. -1 with the
 * reason if LIKWID has no number for a CPU of `description` (topology.h). */
int cpu_numbers_find(json_t **numbers, const struct likwid *likwid, const json_t *description, struct error *error);

/* The array `cpus` in LIKWID's numbers. A new reference. */
json_t *cpu_numbers_translate(const json_t *numbers, const json_t *cpus);

#endif
