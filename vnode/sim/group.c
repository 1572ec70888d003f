/* group.c - a short sequence of plain accesses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "group.h"

#include "inline.h"

static inline void access(struct sim_core *core, const struct sim_group *group, uint32_t i, uint64_t address) {
    if (group->stores >> i & 1)
        sim_store_inline(core, address, group->size[i]);
    else
        sim_load_inline(core, address, group->size[i]);
}

/* Whether each access of a round stays in the line of its first one until the end of the rounds. */
static inline int stays_in_lines(const struct sim_group *group, uint32_t rounds, const uint64_t *first) {
    uint32_t walked = (rounds - 1) * group->step;
    uint64_t left = 0;
    for (uint32_t i = 0; i < group->width; i++)
        left |= first[i] ^ (first[i] + walked + group->size[i] - 1);
    return left < LINE_BYTES;
}

/* A line just touched can only be lost by more lines of its set than there are ways, or by a snoop; the same holds for
 * pages. */
void sim_access_group(struct sim_core *core, struct sim_group group, const uint64_t *first) {
    uint32_t width = group.width, done = width, stores = 0, snoops = core->snoops;
    for (uint32_t i = 0; i < width; i++) {
        access(core, &group, i, first[i]);
        stores += group.stores >> i & 1;
    }
    uint32_t rounds = group.length / width;
    if (rounds > 1 && width <= core->nearest_ways && snoops == core->snoops && stays_in_lines(&group, rounds, first)) {
        core->total[CORE_LOADS] += (rounds - 1) * (width - stores);
        core->total[CORE_LOAD_L1_HIT] += (rounds - 1) * (width - stores);
        core->total[CORE_STORES] += (rounds - 1) * stores;
        done = rounds * width;
    }
    for (; done < group.length; done++)
        access(core, &group, done % width, first[done % width] + done / width * group.step);
}
