/* measuring.h - what commands that measure a program of the user's have in common: the options before its command, and
 * the way from these to a record. */
#ifndef ASSAY_MEASURING_H
#define ASSAY_MEASURING_H

#include "program_run.h"
#include "validate/command/arguments.h"

/* Their entries in a command's table. */
#define MEASURING_OPTIONS                                                                                              \
    OPTION_NODE, {"reps", "N", "runs with every set of events; 1 by default"},                                         \
        {"out", "FILE", "the record as JSON; if it is interrupted it goes on with the same command"},                  \
        {"cores", "LIST", "the cores it runs on, as 0-3,8; OMP_NUM_THREADS of them, or one, by default"},              \
        {"ranks", "N", "it is a program of MPI: N processes, the cores dealt out to them"},                            \
        {"launcher", "WORDS", "what starts these; mpirun by default"},                                                 \
        {"whole", NULL, "all of the program, even if it has regions of the Marker API"}, OPTION_TIMEOUT,               \
        {"jobs", "N", "runs side by side on a virtual node; 1 by default, as programs write files"}, OPTION_FAULT, {   \
        "plan", NULL, "print which events would be counted in which run, and measure nothing"                          \
    }

/* Plans and measures what the arguments ask for, or prints the plan; returns the exit status. `m` is the first member
 * of the command's own structure, for these two: `prepare` goes from an opened program run to a plan, 0, or -1 and the
 * reason; `tell` writes what was found to `m->v.options.out` if that is not NULL, prints it, and returns EXIT_DONE, or
 * EXIT_USAGE and the reason. */
int measuring_run(struct program_run *m, const struct arguments *arguments,
                  int (*prepare)(struct program_run *m, const struct arguments *arguments, struct error *error),
                  int (*tell)(struct program_run *m, const struct arguments *arguments, struct error *error));

#endif
