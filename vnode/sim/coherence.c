/* coherence.c - requests, victims and cache-bypassing writes of a core, outside of that core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "coherence.h"

#include "cycles.h"
#include "frames.h"
#include "inclusive.h"
#include "memory.h"
#include "others.h"
#include "private.h"
#include "snoop.h"
#include "victim.h"

static const enum sim_lookup lookup_of[SIM_REQUESTS] = {
    [REQUEST_DATA_READ] = LOOKUP_DATA_READ,          [REQUEST_RFO] = LOOKUP_RFO,
    [REQUEST_CODE_READ] = LOOKUP_CODE_READ,          [REQUEST_L1_PREFETCH] = LOOKUP_DATA_READ,
    [REQUEST_PREFETCH_DATA_READ] = LOOKUP_DATA_READ, [REQUEST_PREFETCH_RFO] = LOOKUP_RFO,
    [REQUEST_PREFETCH_CODE_READ] = LOOKUP_CODE_READ, [REQUEST_L3_PREFETCH_DATA_READ] = LOOKUP_DATA_READ,
    [REQUEST_L3_PREFETCH_RFO] = LOOKUP_RFO,          [REQUEST_L3_PREFETCH_CODE_READ] = LOOKUP_CODE_READ,
};

static int wants_ownership(enum sim_request request) {
    return lookup_of[request] == LOOKUP_RFO;
}

static const enum sim_supplier supplier_of[SOURCES] = {
    [SOURCE_L3_SNOOP_NONE] = SUPPLIER_L3,
    [SOURCE_L3_SNOOP_MISS] = SUPPLIER_L3,
    [SOURCE_L3_SNOOP_HIT] = SUPPLIER_L3,
    [SOURCE_L3_SNOOP_HITM] = SUPPLIER_L3,
    [SOURCE_SOCKET_FORWARD] = SUPPLIER_SOCKET_CACHE,
    [SOURCE_SOCKET_HITM] = SUPPLIER_SOCKET_CACHE,
    [SOURCE_LOCAL_DRAM] = SUPPLIER_LOCAL_DRAM,
    [SOURCE_REMOTE_DRAM] = SUPPLIER_REMOTE_DRAM,
    [SOURCE_REMOTE_FORWARD] = SUPPLIER_REMOTE_CACHE,
    [SOURCE_REMOTE_HITM] = SUPPLIER_REMOTE_CACHE,
};

/* The source of a request served inside the domain. */
static enum source source_inside(enum sim_snoop snoop) {
    static const enum source by_snoop[SIM_SNOOPS] = {SOURCE_L3_SNOOP_NONE, SOURCE_L3_SNOOP_MISS, SOURCE_L3_SNOOP_HIT,
                                                     SOURCE_L3_SNOOP_HITM};
    return by_snoop[snoop];
}

static void count_response(struct sim_core *core, enum sim_request request, enum source source, enum sim_snoop snoop) {
    core->counts->offcore[request][supplier_of[source]][snoop]++;
    core->sim->exchanges += snoop >= SNOOP_HIT;
}

/* ---- inclusive ---- */

/* Counts a request for a line that the last level has. */
static inline void count_known(const struct domain *domain, const struct l3_place *place, enum sim_request request) {
    const struct l3_set *set = place->set;
    struct sim_slice_counts *slice = &domain->slices[place->set->slice];
    slice->lookups[lookup_of[request]][set->state[place->way]]++;
    slice->requests[request][LINE_KNOWN][domain_distance(domain, set->home[place->way])]++;
}

/* The core takes ownership of a line that the last level has. */
static enum sim_snoop own_inclusive(struct sim_core *core, const struct l3_place *place, uint64_t line) {
    struct l3_set *set = place->set;
    enum sim_line_state state = (enum sim_line_state)set->state[place->way];
    uint32_t bit = (uint32_t)core->bit;
    enum sim_snoop snoop = inclusive_invalidate(core->domain, place, set->sharers[place->way] & ~bit, line);
    set->sharers[place->way] &= bit;
    if (!line_owned(state))
        snoop = stronger_snoop(
            snoop, others_snoop(core->sim, core->domain->number, line, SNOOP_FOR_OWNERSHIP_ALONE, set->home[place->way])
                       .snoop);
    set->state[place->way] = line_modified(state) || snoop == SNOOP_HITM ? LINE_M : LINE_E;
    return snoop;
}

/* A line arrives in the last level, in place of the least recent one. */
static inline __attribute__((always_inline)) struct arrival arrive(struct sim_core *core, const struct l3_place *place,
                                                                   enum sim_request request, uint32_t sharers,
                                                                   struct arrival arrival) {
    struct domain *domain = core->domain;
    struct sim_slice_counts *slice = &domain->slices[place->set->slice];
    slice->lookups[lookup_of[request]][LINE_I]++;
    slice->requests[request][LINE_UNKNOWN][domain_distance(domain, arrival.home)]++;
    count_response(core, request, arrival.source, arrival.snoop);
    inclusive_fill(domain, place, arrival.state, arrival.home, sharers);
    return arrival;
}

static __attribute__((noinline)) struct arrival fill_from_others(struct sim_core *core, struct l3_place place,
                                                                 uint64_t line, enum sim_request request,
                                                                 uint32_t sharers) {
    return arrive(core, &place, request, sharers, others_fetch(core, line, wants_ownership(request)));
}

/* Brings an absent line into the last level. */
static inline __attribute__((always_inline)) struct arrival
fill_l3(struct sim_core *core, struct l3_place place, uint64_t line, enum sim_request request, uint32_t sharers) {
    if (core->sim->domains > 1)
        return fill_from_others(core, place, line, request, sharers);
    return arrive(core, &place, request, sharers, others_fetch_alone(core, line, wants_ownership(request)));
}

static inline __attribute__((always_inline)) struct grant fill_for(struct sim_core *core, struct l3_place place,
                                                                   uint64_t line, enum sim_request request) {
    struct arrival arrival = fill_l3(core, place, line, request, (uint32_t)core->bit);
    return grant_of(line_owned(arrival.state) ? PRIVATE_E : PRIVATE_S, arrival.source, (uint32_t)place.way + 1);
}

/* The last level lacks the line of each request in a stream from memory: a function for each frequent request. */
static __attribute__((noinline, flatten)) struct grant fill_to_read(struct sim_core *core, struct l3_place place,
                                                                    uint64_t line) {
    return fill_for(core, place, line, REQUEST_DATA_READ);
}

static __attribute__((noinline, flatten)) struct grant fill_to_own(struct sim_core *core, struct l3_place place,
                                                                   uint64_t line) {
    return fill_for(core, place, line, REQUEST_RFO);
}

static __attribute__((noinline, flatten)) struct grant fill_for_any(struct sim_core *core, struct l3_place place,
                                                                    uint64_t line, enum sim_request request) {
    return fill_for(core, place, line, request);
}

static inline __attribute__((always_inline)) struct grant fill_inclusive(struct sim_core *core, struct l3_place place,
                                                                         uint64_t line, enum sim_request request) {
    if (request == REQUEST_DATA_READ)
        return fill_to_read(core, place, line);
    return request == REQUEST_RFO ? fill_to_own(core, place, line) : fill_for_any(core, place, line, request);
}

/* A request for a line that other cores may have, or that the domain does not own. */
static __attribute__((noinline)) struct grant request_of_all(struct sim_core *core, struct l3_place place,
                                                             uint64_t line, enum sim_request request) {
    count_known(core->domain, &place, request);
    enum sim_snoop snoop = wants_ownership(request)
                               ? own_inclusive(core, &place, line)
                               : inclusive_ask_owner(core->domain, &place, line, (uint32_t)core->bit);
    enum source source = source_inside(snoop);
    l3_touch(&place);
    count_response(core, request, source, snoop);
    uint32_t *sharers = &place.set->sharers[place.way];
    int alone = (*sharers & ~(uint32_t)core->bit) == 0;
    *sharers |= (uint32_t)core->bit;
    return grant_of(alone && line_owned(place.set->state[place.way]) ? PRIVATE_E : PRIVATE_S, source,
                    (uint32_t)place.way + 1);
}

static inline __attribute__((always_inline)) struct grant request_inclusive(struct sim_core *core, uint64_t line,
                                                                            enum sim_request request) {
    struct l3_place place = l3_find(&core->domain->l3, line);
    uint32_t bit = (uint32_t)core->bit;
    if (place.way < 0) {
        place.way = l3_victim(&place);
        return fill_inclusive(core, place, line, request);
    }
    if ((place.set->sharers[place.way] & ~bit) || !line_owned(place.set->state[place.way]))
        return request_of_all(core, place, line, request);
    /* The domain owns the line and no other core has it: the same result without snoops. */
    count_known(core->domain, &place, request);
    core->counts->offcore[request][SUPPLIER_L3][SNOOP_NONE]++;
    place.set->sharers[place.way] = bit;
    l3_touch(&place);
    return grant_of(PRIVATE_E, SOURCE_L3_SNOOP_NONE, (uint32_t)place.way + 1);
}

__attribute__((flatten)) int coherence_prefetch_l3(struct sim_core *core, uint64_t line, enum sim_request request) {
    struct l3_place place = l3_find(&core->domain->l3, line);
    if (place.way < 0) {
        place.way = l3_victim(&place);
        fill_l3(core, place, line, request, 0);
        return 0;
    }
    count_known(core->domain, &place, request);
    core->counts->offcore[request][SUPPLIER_L3][SNOOP_NONE]++;
    return 1;
}

/* ---- victim ---- */

/* The core takes ownership of a line that the domain has. */
static struct victim_found own_victim(struct sim_core *core, struct holding *holding, uint64_t line) {
    int owned = line_owned(victim_state(holding)), home = (int)victim_home(holding);
    struct victim_found found = victim_own(core, holding, line);
    if (!owned)
        found.snoop = stronger_snoop(
            found.snoop, others_snoop(core->sim, core->domain->number, line, SNOOP_FOR_OWNERSHIP_ALONE, home).snoop);
    found.grant = found.modified || found.snoop == SNOOP_HITM ? PRIVATE_M : PRIVATE_E;
    return found;
}

/* The domain does not have the line, which bypasses the last level. */
static struct victim_found fetch_victim(struct sim_core *core, uint64_t line, enum sim_request request,
                                        enum source *source) {
    struct arrival arrival = others_fetch(core, line, wants_ownership(request));
    struct victim_found found = {.snoop = arrival.snoop, .left = arrival.state, .home = arrival.home};
    found.grant = line_owned(arrival.state) ? PRIVATE_E : PRIVATE_S;
    if (arrival.state == LINE_M) { /* the core must write it back */
        found.grant = PRIVATE_M;
        found.left = LINE_E;
    }
    *source = arrival.source;
    return found;
}

static inline __attribute__((always_inline)) struct grant request_victim(struct sim_core *core, uint64_t line,
                                                                         enum sim_request request) {
    struct holding holding = victim_find(core->domain, line);
    struct victim_found found;
    enum source source;
    victim_count_lookup(core->domain, &holding, lookup_of[request]);
    if (victim_state(&holding) == LINE_I) {
        found = fetch_victim(core, line, request, &source);
        domain_count_request(core->domain, holding.data.set->slice, request, LINE_UNKNOWN, found.home);
    } else {
        domain_count_request(core->domain, holding.data.set->slice, request, LINE_KNOWN, victim_home(&holding));
        if (wants_ownership(request))
            found = own_victim(core, &holding, line);
        else
            victim_read(core, &holding, line, &found);
        source = source_inside(found.snoop);
    }
    count_response(core, request, source, found.snoop);
    uint32_t place = victim_add_sharer(core, &holding, line, found.left, found.home);
    return grant_of(found.grant, source, place);
}

/* ---- either ---- */

/* A function for each frequent request, apart from those of inclusive domains, which need fewer registers. */
static __attribute__((noinline, flatten)) struct grant read_victim(struct sim_core *core, uint64_t line) {
    return request_victim(core, line, REQUEST_DATA_READ);
}

static __attribute__((noinline, flatten)) struct grant take_victim(struct sim_core *core, uint64_t line) {
    return request_victim(core, line, REQUEST_RFO);
}

static __attribute__((noinline)) struct grant request_any_victim(struct sim_core *core, uint64_t line,
                                                                 enum sim_request request) {
    return request_victim(core, line, request);
}

struct grant coherence_request(struct sim_core *core, uint64_t line, enum sim_request request) {
    return core->tells ? request_any_victim(core, line, request) : request_inclusive(core, line, request);
}

__attribute__((noinline)) struct grant coherence_read(struct sim_core *core, uint64_t line) {
    return core->tells ? read_victim(core, line) : request_inclusive(core, line, REQUEST_DATA_READ);
}

__attribute__((noinline)) struct grant coherence_own(struct sim_core *core, uint64_t line) {
    return core->tells ? take_victim(core, line) : request_inclusive(core, line, REQUEST_RFO);
}

void coherence_fetched(struct sim_core *core, uint64_t line) {
    if (!core->tells) /* a victim domain always asks L1I */
        inclusive_fetched(core, line);
}

void coherence_writeback(struct sim_core *core, uint64_t word) {
    core->counts->offcore[REQUEST_WRITEBACK][SUPPLIER_NONE][SNOOP_NONE]++;
    if (core->tells)
        victim_writeback(core, word);
    else
        inclusive_writeback(core, word);
}

int coherence_clean_victim(struct sim_core *core, uint64_t word) {
    return victim_clean(core, word);
}

void coherence_left(struct sim_core *core, uint64_t line) {
    victim_left(core, line);
}

/* Result of dropping a line from all domains. */
struct dropped {
    enum sim_snoop own; /* in the core's domain: MISS, HIT, HITM */
    int modified;       /* modified in any domain */
    uint32_t home;      /* if modified: the line's home */
};

/* `asked`: home that receives the answers, -1: none. */
static struct dropped drop_everywhere(struct sim_core *core, uint64_t line, int asked) {
    struct others others = others_snoop(core->sim, core->domain->number, line, SNOOP_FOR_MEMORY, asked);
    struct domain_answer own = domain_drop(core->domain, line, 0);
    core->sim->exchanges += others.snoop >= SNOOP_HIT || (own.sharers & ~core->bit);
    return (struct dropped){own.snoop, others.snoop == SNOOP_HITM || own.snoop == SNOOP_HITM,
                            own.snoop == SNOOP_HITM ? own.home : others.home};
}

static void count_stream(struct sim_core *core, uint64_t line, uint32_t home, enum sim_snoop own) {
    struct domain *domain = core->domain;
    uint32_t slice = l3_slice(&domain->l3, line);
    domain_count_request(domain, slice, REQUEST_STREAMING_STORE, own == SNOOP_MISS ? LINE_UNKNOWN : LINE_KNOWN, home);
    domain->slices[slice].streams_over_modified += own == SNOOP_HITM;
}

void coherence_streaming_store(struct sim_core *core, uint64_t line, int partial) {
    uint32_t home = home_for(core, line);
    struct dropped dropped = drop_everywhere(core, line, (int)home);
    count_stream(core, line, home, dropped.own);
    core->counts->offcore[REQUEST_STREAMING_STORE][SUPPLIER_NONE][SNOOP_NONE]++;
    if (dropped.modified && partial)
        memory_write(core->sim, dropped.home, line, core->socket->number, 0);
    memory_write(core->sim, home, line, core->socket->number, partial);
    int is_own = core->sim->socket_of_memory[home] == core->socket->number;
    clock_add(core, core->latency[is_own ? SOURCE_LOCAL_DRAM : SOURCE_REMOTE_DRAM]);
}

void coherence_flush(struct sim_core *core, uint64_t line) {
    struct sim *sim = core->sim;
    int asked = home_known(&sim->homes, frames_program_line(sim, line) >> (sim->page_shift - sim->line_shift));
    struct dropped dropped = drop_everywhere(core, line, asked);
    if (dropped.modified)
        memory_write(sim, dropped.home, line, core->socket->number, 0);
}

void coherence_drop(struct sim *sim, uint64_t line) {
    for (uint32_t i = 0; i < sim->domains; i++) {
        struct domain_answer answer = domain_drop(&sim->domain[i], line, 0);
        if (answer.snoop == SNOOP_HITM)
            memory_write(sim, answer.home, line, sim->domain[i].socket, 0);
    }
}
