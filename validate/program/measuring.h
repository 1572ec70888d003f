/* measuring.h - common part of the commands that measure a user's program: the options before its command, and the
 * steps from these to a record. */
#ifndef ASSAY_MEASURING_H
#define ASSAY_MEASURING_H

#include "program_run.h"
#include "validate/command/arguments.h"

/* Entries of these options in a command's table. */
#define MEASURING_OPTIONS                                                                                              \
    OPTION_NODE, {"reps", "N", "runs with every set of events; 1 by default"},                                         \
        {"out", "FILE", "the record as JSON; after an interruption the same command continues"},                       \
        {"cores", "LIST", "cores for the program, such as 0-3,8; OMP_NUM_THREADS of them, or one, by default"},        \
        {"ranks", "N", "an MPI program: N processes, which share out the cores"},                                      \
        {"launcher", "WORDS", "command that starts the processes; mpirun by default"},                                 \
        {"whole", NULL, "the whole program, even if it has regions of the Marker API"}, OPTION_TIMEOUT,                \
        {"jobs", "N", "parallel runs on a virtual node; 1 by default, because programs write files"}, OPTION_FAULT, {  \
        "plan", NULL, "print which events would be counted in which run, and measure nothing"                          \
    }

/* Plans and measures by the arguments, or only prints the plan; returns what a command's run() does (arguments.h). `m`
 * is the first member of the command's own structure, so that the callbacks can access that. `prepare` makes a plan
 * from an opened program run; 0, or -1 with the reason. `tell` prints the findings, writes them to `m->v.options.out`
 * if not NULL, and returns EXIT_DONE, or EXIT_USAGE with the reason. */
int measuring_run(struct program_run *m, const struct arguments *arguments,
                  int (*prepare)(struct program_run *m, const struct arguments *arguments, struct error *error),
                  int (*tell)(struct program_run *m, const struct arguments *arguments, struct error *error),
                  struct error *error);

#endif
