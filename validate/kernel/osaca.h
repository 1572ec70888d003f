/* osaca.h - cycles per pass of a loop, predicted by OSACA (Open Source Architecture Code Analyzer): a cross-check of
 * in_core.h.
 *
 * OSACA assumes that the larger of two bounds decides: the busiest port, and the longest dependency chain between
 * passes. Decoding is no bottleneck and all loads hit the first-level cache. */
#ifndef ASSAY_OSACA_H
#define ASSAY_OSACA_H

#include "validate/kernel/in_core.h"

/* `loop` is the assembly text of a pass (function.h), `processor` the value of --arch. Returns 0, or -1 with the
 * reason. */
int osaca_predict(const char *loop, const char *processor, struct in_core *in_core, struct error *error);

#endif
