/* measuring.h - what commands are asked for that measure a program of the user's: options before its command. */
#ifndef ASSAY_MEASURING_H
#define ASSAY_MEASURING_H

#include "program_run.h"
#include "validate/command/arguments.h"

enum {
    MEASURING_NODE,
    MEASURING_REPS,
    MEASURING_OUT,
    MEASURING_CORES,
    MEASURING_RANKS,
    MEASURING_LAUNCHER,
    MEASURING_WHOLE,
    MEASURING_TIMEOUT,
    MEASURING_JOBS,
    MEASURING_FAULT,
    MEASURING_COUNT /* a command's own options go on from here */
};

/* Their entries in a command's table. */
#define MEASURING_OPTIONS                                                                                              \
    [MEASURING_NODE] = {"node", "NODE",                                                                                \
                        "where: auto (this machine if its counters count), native, virtual, virtual:NAME"},            \
    [MEASURING_REPS] = {"reps", "N", "runs with every set of events; 1 by default"},                                   \
    [MEASURING_OUT] = {"out", "FILE", "the record as JSON; if it is interrupted it goes on with the same command"},    \
    [MEASURING_CORES] = {"cores", "LIST",                                                                              \
                         "the cores it runs on, as 0-3,8; OMP_NUM_THREADS of them, or one, by default"},               \
    [MEASURING_RANKS] = {"ranks", "N", "it is a program of MPI: N processes, the cores dealt out to them"},            \
    [MEASURING_LAUNCHER] = {"launcher", "WORDS", "what starts these; mpirun by default"},                              \
    [MEASURING_WHOLE] = {"whole", NULL, "all of the program, even if it has regions of the Marker API"},               \
    [MEASURING_TIMEOUT] = {"timeout", "SECONDS", "limit of one run, 600 by default"},                                  \
    [MEASURING_JOBS] = {"jobs", "N", "runs side by side on a virtual node; 1 by default, as programs write files"},    \
    [MEASURING_FAULT] = {"fault", "FILE", "make the virtual node wrong on purpose: see FAULTS in assay(1)"}

/* What arguments with these options mean; `m` is as program_run.h says before program_run_open(), and points into them.
 * 0, or -1 with a one-line reason. */
int measuring_read(struct program_run *m, const struct arguments *arguments, struct error *error);

#endif
