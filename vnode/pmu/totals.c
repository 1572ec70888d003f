/* totals.c - sums of totals over all processes of a node. No libc: the engine links it, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "totals.h"

#include <stddef.h>

#include "moment.h"

static uint32_t core_offset(uint32_t core) {
    return (uint32_t)(offsetof(struct sim_counts, core) + core * sizeof(struct sim_core_counts));
}

static uint32_t socket_offset(const struct place *place) {
    return (uint32_t)(offsetof(struct sim_counts, socket) + place->socket * sizeof(struct sim_socket_counts));
}

static uint32_t memory_offset(const struct place *place) {
    return (uint32_t)(offsetof(struct sim_counts, memory) + place->numa * sizeof(struct sim_memory_counts));
}

uint32_t total_offset(const struct total_name *total, const struct place *place) {
    switch (total->scope) {
    case SCOPE_CORE:
        return core_offset(place->core) + total->offset;
    case SCOPE_SLICE:
        return (uint32_t)(offsetof(struct sim_counts, domain) + place->domain * sizeof(struct sim_domain_counts) +
                          place->instance * sizeof(struct sim_slice_counts)) +
               total->offset;
    case SCOPE_AGENT:
        return memory_offset(place) + (uint32_t)offsetof(struct sim_memory_counts, agent) +
               place->instance * (uint32_t)sizeof(struct sim_agent_counts) + total->offset;
    case SCOPE_CHANNEL:
        return memory_offset(place) + total->offset + 8u * total->place_step * place->instance;
    case SCOPE_HBM:
        return (uint32_t)(offsetof(struct sim_counts, hbm) + place->numa * sizeof(struct sim_hbm_counts)) +
               total->offset + 8u * total->place_step * place->instance;
    case SCOPE_LINK:
        return socket_offset(place) + total->offset + 8u * total->place_step * place->instance;
    default:
        return socket_offset(place) + total->offset;
    }
}

uint32_t offcore_offset(uint32_t core, enum sim_request request, enum sim_supplier supplier, enum sim_snoop snoop) {
    uint32_t index = ((uint32_t)request * SIM_SUPPLIERS + (uint32_t)supplier) * SIM_SNOOPS + (uint32_t)snoop;
    return core_offset(core) + (uint32_t)offsetof(struct sim_core_counts, offcore) + 8u * index;
}

void node_ask(struct node_file *node, const struct total_name *total) {
    static const uint32_t asked[] = {CORE_LOADS_NOT_FORWARDED, CORE_LOADS_ALIASED};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        if (total->scope == SCOPE_CORE && total->offset == offsetof(struct sim_core_counts, total) + 8u * asked[i])
            __atomic_store_n(&node->follows, 1, __ATOMIC_RELAXED);
}

static uint64_t total_at(const struct sim_counts *counts, uint32_t offset) {
    return __atomic_load_n((const uint64_t *)(const void *)((const char *)counts + offset), __ATOMIC_RELAXED);
}

/* The total of the client. */
static uint64_t client_total(const struct node_view *view, uint32_t offset) {
    const struct node_file *node = view->node;
    for (int i = 0; i < NODE_SLOTS; i++)
        if (__atomic_load_n(&node->owner[i].pid, __ATOMIC_ACQUIRE) == view->client)
            return node->owner[i].beside && node->measures ? 0 : total_at(&node->slot[i].published, offset);
    return 0;
}

uint64_t node_total(const struct node_view *view, uint32_t offset) {
    if (view->own)
        return total_at(view->own, offset);
    if (view->moment)
        return total_at(&view->moment->sum, offset) + client_total(view, offset);
    int all = !__atomic_load_n(&view->node->measures, __ATOMIC_ACQUIRE);
    uint64_t sum = total_at(&view->node->ended, offset) + (all ? total_at(&view->node->ended_beside, offset) : 0);
    for (int i = 0; i < NODE_SLOTS; i++) {
        const struct node_owner *owner = &view->node->owner[i];
        const struct node_slot *slot = &view->node->slot[i];
        pid_t pid = __atomic_load_n(&owner->pid, __ATOMIC_ACQUIRE);
        if (pid != 0 && (all || !owner->beside))
            sum += total_at(pid == view->client ? &slot->published : &slot->live, offset);
    }
    return sum;
}

uint64_t node_sum(const struct node_view *view, const struct total_name *total, const struct place *place,
                  const struct total_filter *filter) {
    uint32_t offset = total_offset(total, place), chosen = ~0U;
    uint64_t sum = 0;
    if (total->choice != CHOICE_NONE)
        chosen = !filter ? 0 : total->choice == CHOICE_STATES ? filter->states : filter->requests;
    for (uint32_t set = 0; set < total->sets; set++)
        for (uint32_t i = 0; (chosen >> set & 1) && i < total->totals; i++)
            sum += node_total(view, offset + 8u * (set * total->set_step + i * total->step));
    return sum;
}
