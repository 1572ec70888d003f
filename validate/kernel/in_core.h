/* in_core.h - cycles per pass of a loop in a processor's core, predicted by llvm-mca.
 * llvm-mca assumes that all loads hit the first-level cache and do not depend on stores, that branches are predicted,
 * and that decoding is no bottleneck. The prediction is for the steady state, without the loop's start and end. */
#ifndef ASSAY_IN_CORE_H
#define ASSAY_IN_CORE_H

#include "validate/host/error.h"

struct in_core {
    double cycles;
    char by[80]; /* tool, its version, its name of the processor */
};

/* Stores the tool and its version in `by`: "llvm-mca 14.0.6". Returns 0, or -1 with the reason. */
int in_core_find(char by[40], struct error *error);

/* `loop` is the assembly text of a pass (function.h), `processor` the value of -mcpu. 0, or -1 with the reason. */
int in_core_predict(const char *loop, const char *processor, struct in_core *in_core, struct error *error);

#endif
