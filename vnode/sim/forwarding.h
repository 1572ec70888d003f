/* forwarding.h - the stores that a core has in flight, and the loads that meet them.
 *
 * There is no time here in which stores leave, so that what bounds them is what the core can hold: a store is in flight
 * for a load while it is among the last FORWARDING_STORES stores, and fewer than FORWARDING_LOADS loads came between
 * the two. Both are Haswell's buffers; other processors have more. A load meets the youngest store in flight that has
 * a byte at the same place of a page of 4 KiB, which is all that is compared at first:
 *     the store has all bytes of the load    it is forwarded: nothing is counted
 *     it has some of them                    the load must wait until the store has left: not forwarded
 *     it lies in another page                the load must be tried again: aliased
 * (Intel 64 and IA-32 Architectures Optimization Reference Manual: "Store Forwarding", "Memory Disambiguation" and
 * "4-KByte aliasing"; the numbers of buffers: "Haswell microarchitecture".)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_FORWARDING_H
#define ASSAY_SIM_FORWARDING_H

#include <stdint.h>

enum {
    FORWARDING_STORES = 42,
    FORWARDING_LOADS = 72,
    FORWARDING_RING = 64, /* a power of two, no less than the stores */
    FORWARDING_PAGE = 4096,
    FORWARDING_LINE = 64, /* what is marked together; a node's lines may be longer */
    FORWARDING_LINES = FORWARDING_PAGE / FORWARDING_LINE,
};

enum forwarding_outcome { FORWARDING_NOTHING, FORWARDING_FAILED, FORWARDING_ALIASED };

struct forwarding {
    /* Of each line of a page the words of 8 bytes that the last stores wrote to, a bit each: of those since the last
     * change of generations, every FORWARDING_STORES stores, and of those of the generation before. What is in flight
     * is in one of them. */
    uint8_t words[2][FORWARDING_LINES];
    uint32_t generation, of_generation; /* 0 or 1; its stores */
    uint64_t stores;                    /* since nothing was in flight */
    struct forwarding_entry {
        uint64_t address, loads; /* loads before it */
        uint64_t size;
    } ring[FORWARDING_RING];
};

/* Nothing is in flight any more. */
void forwarding_drain(struct forwarding *forwarding);

/* What the load meets; `loads` were made before it. */
enum forwarding_outcome forwarding_meet(struct forwarding *forwarding, uint64_t address, uint32_t size, uint64_t loads);

void forwarding_new_generation(struct forwarding *forwarding);
void forwarding_mark_split(struct forwarding *forwarding, uint64_t address, uint32_t size);

static inline int forwarding_is_split(uint64_t address, uint32_t size) {
    return (address ^ (address + size - 1)) >= FORWARDING_LINE;
}

/* The words of an access that lies in one line. */
static inline uint32_t forwarding_words(uint64_t address, uint32_t size) {
    return (2u << ((address + size - 1) >> 3 & 7)) - (1u << (address >> 3 & 7));
}

/* Whether stores in flight may have bytes of the load. */
static inline int forwarding_is_marked(const struct forwarding *forwarding, uint64_t address, uint32_t size) {
    uint32_t line = address / FORWARDING_LINE % FORWARDING_LINES;
    uint32_t marked = forwarding->words[0][line] | forwarding->words[1][line];
    return (marked & forwarding_words(address, size)) != 0 || forwarding_is_split(address, size);
}

static inline void forwarding_store(struct forwarding *forwarding, uint64_t address, uint32_t size, uint64_t loads) {
    forwarding->ring[forwarding->stores++ % FORWARDING_RING] = (struct forwarding_entry){address, loads, size};
    if (++forwarding->of_generation > FORWARDING_STORES)
        forwarding_new_generation(forwarding);
    if (forwarding_is_split(address, size))
        forwarding_mark_split(forwarding, address, size);
    else
        forwarding->words[forwarding->generation][address / FORWARDING_LINE % FORWARDING_LINES] |=
            (uint8_t)forwarding_words(address, size);
}

#endif
