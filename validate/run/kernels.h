/* kernels.h - assembles and counts the streaming kernels for this node's instruction set. */
#ifndef ASSAY_KERNELS_H
#define ASSAY_KERNELS_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/node/node.h"

/* Assembles kernels/ISA/NAME.ptt into the folder `cache`, counts its events and checks its header against its body.
 * Adds plan.lua's `kernels` entry to `kernels` and the object's file to `objects`, under NAME. For a kernel with
 * AVX-512 instructions, which are not counted, the entry is { name, refused = reason } and there is no object. */
int kernels_prepare(const struct paths *paths, const struct node *node, const char *name, const char *cache,
                    json_t *kernels, json_t *objects, struct error *error);

/* Names of the processor in llvm-mca and OSACA; NULL: unknown to the tool. */
struct analyzed_for {
    const char *mca, *osaca;
};

/* Counts `function` of the program patterns/NAME (validate/kernel/function.h). Adds { name, parts = { pass, guarded,
 * nested, other, constant, jumps_apart } } to `kernels`, under "NAME:FUNCTION". Unless `processor` is NULL,
 * parts.in_core is llvm-mca's prediction for a pass (in_core.h), { cycles, by } or { none = reason }, and
 * parts.in_core.beside is OSACA's. */
int kernels_count_function(const struct paths *paths, const char *name, const char *function,
                           const struct analyzed_for *processor, json_t *kernels, struct error *error);

#endif
