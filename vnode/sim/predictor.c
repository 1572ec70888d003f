/* predictor.c - the branch predictor of a core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "predictor.h"

size_t predictor_bytes(void) {
    return PREDICTOR_COUNTERS + PREDICTOR_TARGETS * sizeof(struct predictor_target);
}

void predictor_init(struct predictor *predictor, void *memory) {
    predictor->targets = memory;
    predictor->counters = (uint8_t *)(predictor->targets + PREDICTOR_TARGETS);
    predictor->top = 0;
    predictor->history = 0;
}
