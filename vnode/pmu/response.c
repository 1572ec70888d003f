/* response.c - offcore response: requests that left L2, filtered by request, supplier and snoop result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "response.h"

struct wanted {
    uint32_t requests, suppliers;
    uint32_t snoops[2]; /* indexed by: data forwarded by another cache */
    int known[4];       /* whether a selected bit of this kind is modelled */
};

static struct wanted select_bits(const struct pmu_table *table, uint64_t filter) {
    struct wanted s = {0};
    for (uint32_t i = 0; i < table->response_bits; i++) {
        const struct response_bit *bit = &table->response_bit[i];
        if (!(filter >> bit->bit & 1))
            continue;
        s.known[bit->kind] = 1;
        if (bit->kind == RESPONSE_REQUEST)
            s.requests |= bit->bits;
        else if (bit->kind == RESPONSE_SUPPLIER)
            s.suppliers |= bit->bits;
        else if (bit->kind == RESPONSE_SNOOP)
            for (int forwarded = 0; forwarded < 2; forwarded++)
                if (bit->forwarded < 0 || bit->forwarded == forwarded)
                    s.snoops[forwarded] |= bit->bits;
    }
    return s;
}

const char *response_error(const struct pmu_table *table, uint64_t filter) {
    struct wanted s = select_bits(table, filter);
    if (!s.known[RESPONSE_REQUEST])
        return "no modelled request in the offcore response filter";
    if (s.known[RESPONSE_ANY])
        return NULL;
    if (!s.known[RESPONSE_SUPPLIER])
        return "no modelled supplier in the offcore response filter";
    return s.known[RESPONSE_SNOOP] ? NULL : "no modelled snoop result in the offcore response filter";
}

uint64_t response_value(const struct pmu_table *table, const struct node_view *view, uint32_t core, uint64_t filter) {
    struct wanted s = select_bits(table, filter);
    uint64_t sum = 0;
    for (int request = 0; request < SIM_REQUESTS; request++)
        for (int supplier = 0; supplier < SIM_SUPPLIERS; supplier++)
            for (int snoop = 0; snoop < SIM_SNOOPS; snoop++) {
                int forwarded = supplier == SUPPLIER_REMOTE_CACHE;
                int memory = supplier == SUPPLIER_LOCAL_DRAM || supplier == SUPPLIER_REMOTE_DRAM;
                int told = memory && snoop == SNOOP_NONE ? table->memory_snoop : snoop;
                int response =
                    s.known[RESPONSE_ANY] || ((s.suppliers >> supplier & 1) && (s.snoops[forwarded] >> told & 1));
                if ((s.requests >> request & 1) && response)
                    sum += node_total(view, offcore_offset(core, (enum sim_request)request, (enum sim_supplier)supplier,
                                                           (enum sim_snoop)snoop));
            }
    return sum;
}
