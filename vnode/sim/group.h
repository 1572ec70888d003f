/* group.h - a short sequence of plain accesses, simulated in one call.
 *
 * An unrolled loop accesses its streams in steps smaller than a line, in a fixed order: a0 b0 c0, a0+d b0+d c0+d, and
 * so on. Such a group has rounds of `width` accesses, `step` bytes apart. If each access stays in the line of its
 * first round, later rounds are certain hits that do not change the LRU order: they are only counted. Otherwise each
 * access is simulated separately. Results are the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_GROUP_H
#define ASSAY_SIM_GROUP_H

#include "types.h"

enum { SIM_GROUP_LENGTH = 63 };

struct sim_group {
    uint8_t width;  /* accesses per round, 1 .. SIM_GROUP_WIDTH */
    uint8_t length; /* total accesses, at most SIM_GROUP_LENGTH; the last round may be incomplete */
    uint8_t step;   /* bytes from one round to the next; unused with a single round */
    uint8_t stores; /* bit i: access i of a round is a store */
    uint8_t
        last[SIM_GROUP_WIDTH]; /* offset of an access's last byte from its first, below a line; 0 beyond the width */
};

/* The group as a word, the form that generated code passes. */
union sim_group_word {
    struct sim_group group;
    uint64_t word;
};

/* Simulates the accesses in order; `first`: the SIM_GROUP_WIDTH addresses of the first round, 0 beyond the width. */
void sim_access_group(struct sim_core *core, struct sim_group group, const uint64_t *first);

#endif
