/* forwarding.c - stores in flight. SPDX-License-Identifier: GPL-3.0-or-later */
#include "forwarding.h"

static void forget(uint8_t words[FORWARDING_LINES]) {
    for (uint32_t line = 0; line < FORWARDING_LINES; line++)
        words[line] = 0;
}

void forwarding_drain(struct forwarding *forwarding) {
    forget(forwarding->words[0]);
    forget(forwarding->words[1]);
    forwarding->of_generation = 0;
    forwarding->stores = 0;
}

void forwarding_new_generation(struct forwarding *forwarding) {
    forwarding->generation ^= 1;
    forwarding->of_generation = 1; /* the current store */
    forget(forwarding->words[forwarding->generation]);
}

void forwarding_mark_split(struct forwarding *forwarding, uint64_t address, uint32_t size) {
    for (uint64_t word = address >> 3; word <= (address + size - 1) >> 3; word++)
        forwarding->words[forwarding->generation][word >> 3 & (FORWARDING_LINES - 1)] |= (uint8_t)(1u << (word & 7));
}

enum forwarding_outcome forwarding_meet(struct forwarding *forwarding, uint64_t address, uint32_t size,
                                        uint64_t loads) {
    for (uint64_t back = 1; back <= FORWARDING_STORES && back <= forwarding->stores; back++) {
        const struct forwarding_entry *store = &forwarding->ring[(forwarding->stores - back) % FORWARDING_RING];
        if (loads - store->loads >= FORWARDING_LOADS) { /* older ones have left too */
            if (back == 1)
                forwarding_drain(forwarding);
            break;
        }
        uint64_t behind = (address - store->address) % FORWARDING_PAGE; /* distance of the load, modulo pages */
        if (behind >= store->size && behind + size <= FORWARDING_PAGE)
            continue;
        if (address + size <= store->address || store->address + store->size <= address)
            return FORWARDING_ALIASED;
        int is_whole = address >= store->address && address + size <= store->address + store->size;
        return is_whole ? FORWARDING_NOTHING : FORWARDING_FAILED;
    }
    return FORWARDING_NOTHING;
}
