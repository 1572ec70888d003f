/* osaca.h - the same as in_core.h as OSACA predicts it (Open Source Architecture Code Analyzer), for a second opinion.
 *
 * Its assumptions: the more loaded of the units and the longest chain from pass to pass decide, instructions are
 * decoded as fast as they are needed, all loads hit the first-level cache. */
#ifndef ASSAY_OSACA_H
#define ASSAY_OSACA_H

#include "validate/kernel/in_core.h"

/* `loop` is what a pass consists of (function.h), `processor` its name for --arch. Returns 0, or -1 with the reason. */
int osaca_predict(const char *loop, const char *processor, struct in_core *in_core, struct error *error);

#endif
