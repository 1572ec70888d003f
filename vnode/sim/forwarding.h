/* forwarding.h - stores in flight of a core, and loads that overlap them.
 *
 * The model has no time at which stores retire to L1, so buffer sizes bound them. A store is in flight for a load if
 * it is among the last FORWARDING_STORES stores and fewer than FORWARDING_LOADS loads came between. Both are
 * Haswell's buffer sizes; other processors have more. A load is compared by page offset (4 KiB) and meets the
 * youngest store in flight that overlaps:
 *     the store has all bytes of the load    forwarded: not counted
 *     it has some of them                    the load waits until the store has left: not forwarded
 *     it lies in another page                the load is repeated: aliased
 * (Intel 64 and IA-32 Architectures Optimization Reference Manual: "Store Forwarding", "Memory Disambiguation" and
 * "4-KByte aliasing"; buffer sizes: "Haswell microarchitecture".)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_FORWARDING_H
#define ASSAY_SIM_FORWARDING_H

#include <stdint.h>

enum {
    FORWARDING_STORES = 42,
    FORWARDING_LOADS = 72,
    FORWARDING_RING = 64, /* a power of two, at least FORWARDING_STORES */
    FORWARDING_PAGE = 4096,
    FORWARDING_LINE = 64, /* unit of the marks; a node's lines may be longer */
    FORWARDING_LINES = FORWARDING_PAGE / FORWARDING_LINE,
};

enum forwarding_outcome { FORWARDING_NOTHING, FORWARDING_FAILED, FORWARDING_ALIASED };

struct forwarding {
    /* Per line of a page: bits of the 8-byte words that recent stores wrote, one array for the current generation and
     * one for the previous. A generation is FORWARDING_STORES stores, so every store in flight is in one of them. */
    uint8_t words[2][FORWARDING_LINES];
    uint32_t generation, of_generation; /* current array, 0 or 1; stores in this generation */
    uint64_t stores;                    /* since the last drain */
    struct forwarding_entry {
        uint64_t address, loads; /* `loads`: number of loads before the store */
        uint64_t size;
    } ring[FORWARDING_RING];
};

/* Removes all stores in flight. */
void forwarding_drain(struct forwarding *forwarding);

/* Outcome of a load; `loads`: number of loads before it. */
enum forwarding_outcome forwarding_meet(struct forwarding *forwarding, uint64_t address, uint32_t size, uint64_t loads);

void forwarding_new_generation(struct forwarding *forwarding);
void forwarding_mark_split(struct forwarding *forwarding, uint64_t address, uint32_t size);

static inline int forwarding_is_split(uint64_t address, uint32_t size) {
    return (address ^ (address + size - 1)) >= FORWARDING_LINE;
}

/* Bits of the words of an access within one line. */
static inline uint32_t forwarding_words(uint64_t address, uint32_t size) {
    return (2u << ((address + size - 1) >> 3 & 7)) - (1u << (address >> 3 & 7));
}

/* Whether stores in flight may overlap the load. */
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
