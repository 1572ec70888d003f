/* kernels.h - the streaming kernels of this node's instruction set, assembled and counted. */
#ifndef ASSAY_KERNELS_H
#define ASSAY_KERNELS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/node/node.h"

/* Assembles kernels/ISA/NAME.ptt into the folder `cache`, counts it and checks its header against its body. Adds
 * plan.lua's `kernels` entry to `kernels` and the object's file to `objects`, under NAME; of a kernel of AVX-512 the
 * entry is why the node cannot be measured with it, and there is no object. */
int kernels_prepare(const struct paths *paths, const struct node *node, const char *name, const char *cache,
                    json_t *kernels, json_t *objects, struct error *error);

/* What programs that predict cycles call the processor, NULL: nothing. */
struct analyzed_for {
    const char *mca, *osaca;
};

/* Counts `function` of the program patterns/NAME (validate/kernel/function.h). Adds { name, parts = { pass, constant }
 * } to `kernels`, under "NAME:FUNCTION"; unless `processor` is NULL, parts.in_core is { cycles, by }, what llvm-mca
 * predicts of a pass on that processor (in_core.h), or { none = reason }, and parts.in_core.beside the same of OSACA.
 */
int kernels_count_function(const struct paths *paths, const char *name, const char *function,
                           const struct analyzed_for *processor, json_t *kernels, struct error *error);

#endif
