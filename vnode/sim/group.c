/* group.c - a short sequence of plain accesses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "group.h"

#include "inline.h"

static inline void access(struct sim_core *core, const struct sim_group *group, uint32_t i, uint64_t address) {
    if (group->stores >> i & 1)
        sim_store_cached(core, address, group->last[i] + 1u);
    else
        sim_load_cached(core, address, group->last[i] + 1u);
}

/* Whether each access of the group stays in the line of its first round. */
static inline int stay_in_lines(const struct sim_group *group, uint32_t rounds, const uint64_t *first) {
    uint32_t walked = (rounds - 1) * group->step;
    uint64_t left = 0;
    for (uint32_t i = 0; i < SIM_GROUP_WIDTH; i++)
        left |= (first[i] ^ (first[i] + walked + group->last[i])) | (first[i] & ~ADDRESS_MASK);
    return left < LINE_BYTES_MIN;
}

/* Number of bits set in the four of `stores`. */
static inline uint32_t stores_of(const struct sim_group *group) {
    uint32_t pairs = group->stores - (group->stores >> 1 & 5u);
    return (pairs & 3) + (pairs >> 2);
}

/* Whether the round uses the pages of the previous round in the same order: then all are in the TLB, and using them
 * again does not change the LRU order. */
static inline int same_pages(const struct sim_core *core, const struct sim_group *group, const uint64_t *first) {
    uint64_t left = group->width ^ core->group_width;
    for (uint32_t i = 0; i < SIM_GROUP_WIDTH; i++)
        left |= first[i] >> core->page_shift ^ core->group_pages[i];
    return left == 0;
}

static inline void remember_pages(struct sim_core *core, const struct sim_group *group, const uint64_t *first) {
    if (group->width > core->nearest_ways)
        return;
    for (uint32_t i = 0; i < group->width; i++)
        if (sim_leaves_out(core, first[i]))
            return;
    core->group_width = group->width;
    for (uint32_t i = 0; i < SIM_GROUP_WIDTH; i++)
        core->group_pages[i] = first[i] >> core->page_shift;
}

static inline void first_round(struct sim_core *core, const struct sim_group *group, const uint64_t *first,
                               int simple) {
    if (simple && same_pages(core, group, first)) {
        for (uint32_t i = 0; i < group->width; i++) {
            if (group->stores >> i & 1)
                sim_store_translated(core, first[i] >> core->line_shift);
            else
                sim_load_translated(core, first[i] >> core->line_shift);
        }
        return;
    }
    for (uint32_t i = 0; i < group->width; i++)
        access(core, group, i, first[i]);
    if (simple)
        remember_pages(core, group, first);
}

/* Loads within lines that no store in flight wrote to cannot conflict. */
static inline int meets_nothing(const struct sim_core *core, const struct sim_group *group, const uint64_t *first) {
    const struct forwarding *forwarding = core->forwarding;
    uint32_t words = group->stores;
    for (uint32_t i = 0; i < group->width; i++) {
        uint32_t line = first[i] / FORWARDING_LINE % FORWARDING_LINES;
        words |= forwarding->words[0][line] | forwarding->words[1][line];
    }
    return words == 0;
}

/* Conflicts of the accesses with each other and with stores in flight, in order. Caches are not involved. */
static inline void meet_stores(struct sim_core *core, const struct sim_group *group, const uint64_t *first) {
    uint64_t loads = core->total[CORE_LOADS], walked = 0;
    for (uint32_t done = 0; done < group->length; walked += group->step) {
        for (uint32_t i = 0; i < group->width && done < group->length; i++, done++) {
            if (group->stores >> i & 1)
                forwarding_store(core->forwarding, first[i] + walked, group->last[i] + 1u, loads);
            else
                sim_meet_stores(core, first[i] + walked, group->last[i] + 1u, loads++);
        }
    }
}

/* Whether something else than the first round changed sets of L1D that it used. */
static inline int is_disturbed(const struct sim_core *core, const struct sim_group *group, const uint64_t *first) {
    uint64_t used = 0;
    if (core->disturbed == 0)
        return 0;
    for (uint32_t i = 0; i < group->width; i++)
        used |= sim_set_bit(core, first[i] >> core->line_shift);
    return (core->disturbed & used) != 0;
}

/* A line just touched is lost only to a snoop or prefetch, or to more lines of its set than there are ways; likewise
 * pages. */
static __attribute__((noinline)) void access_rounds(struct sim_core *core, struct sim_group group,
                                                    const uint64_t *first) {
    /* complete rounds; 4 is the usual width, and a division is slow */
    uint32_t rounds = group.width == 4 ? group.length / 4 : group.length / group.width;
    uint32_t done = group.width;
    int simple = stay_in_lines(&group, rounds, first);
    if (*core->follows && (!simple || !meets_nothing(core, &group, first)))
        meet_stores(core, &group, first);
    core->disturbed = 0;
    first_round(core, &group, first, simple);
    if (simple && group.width <= core->nearest_ways && !is_disturbed(core, &group, first)) {
        uint32_t stores = stores_of(&group);
        core->total[CORE_LOADS] += (rounds - 1) * (group.width - stores);
        core->total[CORE_LOAD_L1_HIT] += (rounds - 1) * (group.width - stores);
        core->total[CORE_STORES] += (rounds - 1) * stores;
        done = rounds * group.width;
    }
    for (; done < group.length; done++)
        access(core, &group, done % group.width, first[done % group.width] + done / group.width * group.step);
}

/* Access i of a round, if it is no hit near the front of its set, or not in one line. */
static __attribute__((noinline)) void access_far(struct sim_core *core, struct sim_group group, uint32_t i,
                                                 uint64_t address) {
    access(core, &group, i, address);
}

/* Whether the word has the line in the least state that the access needs, or a better one. */
static inline int serves(uint64_t word, uint64_t line, enum private_state least) {
    return (word ^ cache_word(line, PRIVATE_I)) - least <= (uint64_t)PRIVATE_M - least;
}

/* Access i of a round. Nonzero: a hit, which the caller counts. Loads and stores differ in values only: the host cannot
 * predict which one it is. */
static inline __attribute__((always_inline)) uint32_t is_near(struct sim_core *core, const struct sim_group *group,
                                                              uint32_t i, uint64_t address) {
    uint32_t is_store = group->stores >> i & 1;
    if (sim_simple_access(core, &core->dtlb, address, group->last[i] + 1u)) {
        enum private_state least = is_store ? PRIVATE_M : PRIVATE_I;
        uint64_t line = address >> core->line_shift, *set = cache_set(&core->l1d, line), front = set[0];
        if (serves(front, line, least))
            return 1;
        uint64_t second = set[1];
        if (serves(second, line, least)) {
            set[0] = second;
            set[1] = front;
            return 1;
        }
    }
    access_far(core, *group, i, address);
    return 0;
}

/* A group of one round, if nobody follows stores. */
static void access_round(struct sim_core *core, struct sim_group group, const uint64_t *first) {
    uint32_t loads = 0, stores = 0;
    core->group_width = 0;
    for (uint32_t i = 0; i < group.width; i++) {
        uint32_t hit = is_near(core, &group, i, first[i]), is_store = group.stores >> i & 1;
        stores += hit & is_store;
        loads += hit & ~is_store;
    }
    core->total[CORE_LOADS] += loads;
    core->total[CORE_LOAD_L1_HIT] += loads;
    core->total[CORE_STORES] += stores;
}

void sim_access_group(struct sim_core *core, struct sim_group group, const uint64_t *first) {
    if (group.length == group.width && !*core->follows) /* most groups outside of unrolled loops */
        access_round(core, group, first);
    else
        access_rounds(core, group, first);
}
