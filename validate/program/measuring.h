/* measuring.h - common part of the commands that measure a user's program: the options before its command, and the
 * steps from these to a record. */
#ifndef ASSAY_MEASURING_H
#define ASSAY_MEASURING_H

#include "program_run.h"
#include "validate/command/arguments.h"

/* Entries of these options in a command's table. */
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

/* Plans and measures by the arguments, or only prints the plan; returns the exit status. `m` is the first member of the
 * command's own structure, so that the callbacks can access that. `prepare` makes a plan from an opened program run; 0,
 * or -1 with the reason. `tell` prints the findings, writes them to `m->v.options.out` if not NULL, and returns
 * EXIT_DONE, or EXIT_USAGE with the reason. */
int measuring_run(struct program_run *m, const struct arguments *arguments,
                  int (*prepare)(struct program_run *m, const struct arguments *arguments, struct error *error),
                  int (*tell)(struct program_run *m, const struct arguments *arguments, struct error *error));

#endif
