/* in_core.h - cycles that a pass of a loop takes in a processor's core, as llvm-mca predicts them.
 *
 * Its assumptions: all loads hit the first-level cache and meet no store, branches are predicted, and instructions are
 * decoded as fast as they are needed. The prediction is that of passes far from the begin and the end of the loop. */
#ifndef ASSAY_IN_CORE_H
#define ASSAY_IN_CORE_H

#include "validate/host/error.h"

struct in_core {
    double cycles;
    char by[80]; /* the tool, its version and the processor's name there */
};

/* The tool and its version, "llvm-mca 14.0.6". Returns 0, or -1 with the reason. */
int in_core_find(char by[40], struct error *error);

/* `loop` is what a pass consists of (function.h), `processor` its name for -mcpu. Returns 0, or -1 with the reason. */
int in_core_predict(const char *loop, const char *processor, struct in_core *in_core, struct error *error);

#endif
