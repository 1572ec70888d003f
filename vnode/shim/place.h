/* place.h - cores and memory policy of a node's process, as passed to programs that it starts: NODE_AFFINITY_VARIABLE
 * contains 0xCORES, or 0xCORES,0xMODE:0xDOMAINS with a memory policy in Linux' numbering.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_PLACE_H
#define ASSAY_SHIM_PLACE_H

#include <stdint.h>

enum { PLACE_TEXT = 96 };

struct place {
    uint64_t cores;
    unsigned mode; /* 0: default policy, `domains` unused */
    uint64_t domains;
};

/* The calling thread's place in a native process, on which it has no effect. */
struct place *place_native(void);
/* Call after a change of a native process's place: stores it in the environment of later programs. 0, or -1 and
 * errno. */
int place_changed(void);

#endif
