/* place.h - where a process of the node runs and where its memory lies, as it is handed on to programs that it starts:
 * in NODE_AFFINITY_VARIABLE as 0xCORES, or 0xCORES,0xMODE:0xDOMAINS with a memory policy of Linux' number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_PLACE_H
#define ASSAY_SHIM_PLACE_H

#include <stdint.h>

enum { PLACE_TEXT = 96 };

struct place {
    uint64_t cores;
    unsigned mode; /* 0: the default policy, `domains` says nothing */
    uint64_t domains;
};

/* The calling thread's, of a native process: it has no effect on it. */
struct place *place_native(void);
/* `place` of a native process was changed: later programs find it in the environment. 0, or -1 and errno. */
int place_changed(void);

#endif
