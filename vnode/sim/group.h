/* group.h - a short sequence of plain accesses that is simulated in one call.
 *
 * An unrolled loop walks through each of its streams in steps smaller than a line: a0 b0 c0, a0+d b0+d c0+d, and so on,
 * always in the same order. Such a sequence is `width` accesses, repeated at a distance of `step` bytes. When each of
 * them stays in the line of its first one, the second and later rounds are certain hits that change no order of
 * recency: they are only counted. In all other cases every access is simulated by itself; the results are the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_GROUP_H
#define ASSAY_SIM_GROUP_H

#include "types.h"

enum { SIM_GROUP_LENGTH = 63 };

struct sim_group {
    uint8_t width;  /* accesses of a round, 1 .. SIM_GROUP_WIDTH */
    uint8_t length; /* accesses in all, SIM_GROUP_LENGTH at most; the last round may be incomplete */
    uint8_t step;   /* bytes from round to round; without a second round it does not matter */
    uint8_t stores; /* bit i: access i of a round is a store */
    uint8_t
        last[SIM_GROUP_WIDTH]; /* offset of an access's last byte from its first, below a line; 0 beyond the width */
};

/* The group as one word, as generated code passes it. */
union sim_group_word {
    struct sim_group group;
    uint64_t word;
};

/* The accesses of the group in their order; `first`: SIM_GROUP_WIDTH addresses of its first round, 0 beyond the width.
 */
void sim_access_group(struct sim_core *core, struct sim_group group, const uint64_t *first);

#endif
