/* kernels.h - the streaming kernels of this node's instruction set, assembled and counted. */
#ifndef ASSAY_KERNELS_H
#define ASSAY_KERNELS_H

#include <jansson.h>

#include "error.h"
#include "paths.h"

/* Assembles kernels/ISA/NAME.ptt into the folder `cache`, counts it and checks its header against its body. Adds
 * plan.lua's `kernels` entry to `kernels` and the object's file to `objects`, under NAME. */
int kernels_prepare(const struct paths *paths, const char *name, const char *cache, json_t *kernels, json_t *objects,
                    struct error *error);

#endif
