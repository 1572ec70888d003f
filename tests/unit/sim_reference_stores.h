/* sim_reference_stores.h - part of sim_reference.h: stores in flight, by docs/simulator.md.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_STORES_H
#define ASSAY_TESTS_SIM_REFERENCE_STORES_H

#include "sim_reference_node.h"

static inline int ref_has_byte(const struct ref_store *store, uint64_t address) {
    return address >= store->address && address < store->address + store->size;
}

/* Whether a byte of the store has the same offset in its page as a byte of the load. */
static inline int ref_meets(const struct ref_store *store, uint64_t address, uint32_t size) {
    for (uint32_t i = 0; i < store->size; i++)
        for (uint32_t k = 0; k < size; k++)
            if ((store->address + i) % 4096 == (address + k) % 4096)
                return 1;
    return 0;
}

static inline void ref_meet_stores(struct ref_core *core, uint64_t address, uint32_t size) {
    uint64_t *total = core->counts->total;
    for (int i = core->flight->in_flight - 1; i >= 0; i--) {
        const struct ref_store *store = &core->flight->stores[i];
        if (total[CORE_LOADS] - store->loads >= REF_LOADS_BETWEEN || !ref_meets(store, address, size))
            continue;
        uint32_t of_store = 0;
        for (uint32_t k = 0; k < size; k++)
            of_store += ref_has_byte(store, address + k);
        enum ref_rule rule = of_store == size ? RULE_LOAD_FORWARDED
                             : of_store > 0   ? RULE_LOAD_NOT_FORWARDED
                                              : RULE_LOAD_ALIASED;
        total[CORE_LOADS_NOT_FORWARDED] += rule == RULE_LOAD_NOT_FORWARDED;
        total[CORE_LOADS_ALIASED] += rule == RULE_LOAD_ALIASED;
        ref_reach(core->node, rule, 0);
        return;
    }
}

static inline void ref_fly(struct ref_core *core, uint64_t address, uint32_t size) {
    if (core->flight->in_flight == REF_STORES_IN_FLIGHT) {
        for (int i = 1; i < REF_STORES_IN_FLIGHT; i++)
            core->flight->stores[i - 1] = core->flight->stores[i];
        core->flight->in_flight--;
    }
    core->flight->stores[core->flight->in_flight++] =
        (struct ref_store){address, size, core->counts->total[CORE_LOADS]};
}

#endif
