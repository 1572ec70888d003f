/* program.h - interface of programs that show a pattern, and their common part.
 *
 * patterns/NAME.c defines `pattern_program`; the rest, main() included, is here. Several of them can be linked into one
 * executable (probes/module.mk), each with its own codes and parameters. The command line is
 *     NAME -c CPUS [REGION CODE PARAMETER...]...
 * one pinned thread per CPU, and each point is a Marker API region that every thread enters once:
 *     setup (first thread) - first_touch (each on its CPU) - all meet - warm_up - all meet -
 *     start - work - stop - all meet - release
 * REGION*N stands for N points one after the other, of the regions REGION.1 to REGION.N.
 *
 * If a point has the same code and the same data as the point before it, it only does start, work, stop.
 *
 * A thread reads its own counters as soon as its work is done: it waits for the others outside of the region. */
#ifndef ASSAY_PROGRAM_PROGRAM_H
#define ASSAY_PROGRAM_PROGRAM_H

#include <stddef.h>

#include "validate/host/error.h"

enum {
    PROGRAM_PARAMETERS_MAX = 4,
    PROGRAM_LINE_BYTES = 64,
    PROGRAM_PAIR_BYTES = 2 * PROGRAM_LINE_BYTES, /* an adjacent-line prefetcher completes such pairs of lines */
    PROGRAM_REPETITIONS_MAX = 100000
};

struct pattern_program;

struct program_point {
    char *region;
    const struct pattern_program *program;
    size_t code; /* index into the program's codes */
    size_t parameter[PROGRAM_PARAMETERS_MAX];
    void *data; /* made by setup(), for the other functions */
};

struct pattern_program {
    const char *usage;        /* what codes and parameters mean, lines of the help text */
    const char *const *codes; /* names, NULL at the end */
    size_t parameters;        /* number of each point's parameters, whole numbers from 1 on */
    size_t lasting;           /* number of leading parameters that define the data; 0: each point has its own data */
    size_t threads;           /* number of threads that it needs */
    /* All but `work` may be NULL. `repeat` may replace `work` and `warm_up`: it is called with `times` 1 to warm up,
     * then with the last parameter. */
    int (*setup)(struct program_point *point, struct error *error);
    void (*first_touch)(const struct program_point *point, size_t thread);
    void (*warm_up)(const struct program_point *point, size_t thread);
    void (*work)(const struct program_point *point, size_t thread);
    void (*repeat)(const struct program_point *point, size_t thread, size_t times);
    void (*release)(struct program_point *point);
};

extern const struct pattern_program pattern_program;

/* All programs of the executable, NULL at the end. No two of their codes have the same name. */
extern const struct pattern_program *const pattern_programs[];

/* Returns `bytes` of zeroed, untouched pages that share no line with other data. NULL and the reason on failure. */
void *program_allocate(size_t bytes, struct error *error);
void program_free(void *memory, size_t bytes);

#endif
