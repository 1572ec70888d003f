/* coherence.c - what the L3s, home agents and the cores' caches do for a request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "coherence.h"

#include "hierarchy.h"
#include "memory.h"

/* What asking other caches brought: the strongest answer, and whether modified data came with it. */
static enum sim_snoop stronger(enum sim_snoop a, enum sim_snoop b) {
    return a > b ? a : b;
}

static enum sim_snoop snoop_result(enum private_state found) {
    if (found == PRIVATE_M)
        return SNOOP_HITM;
    return found == PRIVATE_I ? SNOOP_MISS : SNOOP_HIT;
}

static struct sim_core *core_of_bit(const struct socket *socket, uint32_t sharers) {
    return &socket->cores[__builtin_ctz(sharers)];
}

static int owns(enum sim_line_state state) {
    return state == LINE_E || state == LINE_M;
}

/* Invalidates the line of `place` in the cores `sharers` of the socket. */
static enum sim_snoop invalidate_cores(const struct socket *socket, const struct l3_place *place, uint32_t sharers,
                                       uint64_t line) {
    int code = l3_fetched(place);
    enum sim_snoop snoop = SNOOP_NONE;
    for (; sharers; sharers &= sharers - 1)
        snoop = stronger(snoop, snoop_result(hierarchy_drop(core_of_bit(socket, sharers), line, code)));
    return snoop;
}

/* Before a read by `reader` (0: by another socket): asks the one core that may hold more than a shared copy. Leaves
 * the socket's state M if modified data came. */
static enum sim_snoop ask_owner(const struct socket *socket, const struct l3_place *place, uint64_t line,
                                uint32_t reader) {
    struct l3_set *set = place->set;
    uint32_t sharers = set->sharers[place->way];
    if (!owns(set->state[place->way]) || sharers == 0 || sharers == reader || (sharers & (sharers - 1)))
        return SNOOP_NONE;
    enum private_state found = hierarchy_share(core_of_bit(socket, sharers), line, l3_fetched(place));
    if (found == PRIVATE_I)
        set->sharers[place->way] = 0;
    if (found == PRIVATE_M)
        set->state[place->way] = LINE_M;
    return snoop_result(found);
}

/* Takes the line out of a socket altogether. Nonzero if it was modified there. */
static int drop_from_socket(const struct socket *socket, const struct l3_place *place, uint64_t line) {
    int modified = place->set->state[place->way] == LINE_M;
    if (invalidate_cores(socket, place, place->set->sharers[place->way], line) == SNOOP_HITM)
        modified = 1;
    l3_remove(place);
    return modified;
}

static struct l3_place snooped_place(const struct socket *socket, uint64_t line) {
    struct l3_place place = l3_find(&socket->l3, line);
    enum sim_line_state state = place.way < 0 ? LINE_I : (enum sim_line_state)place.set->state[place.way];
    socket->counts->slice[place.slice].lookups[LOOKUP_REMOTE_SNOOP][state]++;
    return place;
}

/* What the other sockets had of a line. */
struct remote {
    enum sim_snoop snoop; /* NONE: there is no other socket */
    int forwards;         /* one of them supplies the data */
    uint32_t forwarder;
};

/* Snoops the other sockets. For a read owners and forwarders become sharers; for ownership all copies go. */
static struct remote snoop_others(struct sim *sim, uint32_t from, uint64_t line, int ownership) {
    struct remote remote = {SNOOP_NONE, 0, 0};
    for (uint32_t i = 0; i < sim->config.sockets; i++) {
        struct socket *socket = &sim->socket[i];
        if (i == from)
            continue;
        struct l3_place place = snooped_place(socket, line);
        if (place.way < 0) {
            remote.snoop = stronger(remote.snoop, SNOOP_MISS);
            continue;
        }
        if (!ownership)
            ask_owner(socket, &place, line, 0);
        uint8_t *state = &place.set->state[place.way];
        if (*state != LINE_S) {
            remote.forwards = 1;
            remote.forwarder = i;
        }
        int modified = ownership ? drop_from_socket(socket, &place, line) : *state == LINE_M;
        if (!ownership)
            *state = LINE_S;
        remote.snoop = stronger(remote.snoop, modified ? SNOOP_HITM : SNOOP_HIT);
    }
    return remote;
}

/* Makes room in the set of `place`; returns the free way. The victim leaves the cores of the socket too (the L3 is
 * inclusive); it counts as M if it was modified anywhere in the socket. */
static int evict(struct sim *sim, struct socket *socket, const struct l3_place *place) {
    struct l3_place victim = *place;
    struct l3_set *set = place->set;
    victim.way = l3_victim(place);
    enum sim_line_state state = (enum sim_line_state)set->state[victim.way];
    if (state == LINE_I)
        return victim.way;
    uint64_t line = l3_line(&socket->l3, place, victim.way);
    if (invalidate_cores(socket, &victim, set->sharers[victim.way], line) == SNOOP_HITM)
        state = LINE_M;
    socket->counts->slice[place->slice].victims[state]++;
    if (state == LINE_M)
        memory_write(sim, set->home[victim.way], line, socket->number, 0);
    return victim.way;
}

static const enum sim_lookup lookup_of[] = {
    [REQUEST_DATA_READ] = LOOKUP_DATA_READ, [REQUEST_RFO] = LOOKUP_RFO, [REQUEST_CODE_READ] = LOOKUP_CODE_READ};

static const enum sim_supplier supplier_of[SOURCES] = {
    [SOURCE_L3_SNOOP_NONE] = SUPPLIER_L3,
    [SOURCE_L3_SNOOP_MISS] = SUPPLIER_L3,
    [SOURCE_L3_SNOOP_HIT] = SUPPLIER_L3,
    [SOURCE_L3_SNOOP_HITM] = SUPPLIER_L3,
    [SOURCE_LOCAL_DRAM] = SUPPLIER_LOCAL_DRAM,
    [SOURCE_REMOTE_DRAM] = SUPPLIER_REMOTE_DRAM,
    [SOURCE_REMOTE_FORWARD] = SUPPLIER_REMOTE_CACHE,
    [SOURCE_REMOTE_HITM] = SUPPLIER_REMOTE_CACHE,
};

/* The L3 does not have the line: fetches it from another socket or from memory. */
static enum source fetch_line(struct sim_core *core, struct l3_place *place, uint64_t line, enum sim_request request,
                              enum sim_snoop *snoop) {
    struct sim *sim = core->sim;
    struct socket *socket = core->socket;
    uint32_t from = socket->number;
    uint32_t home = home_of(&sim->homes, line >> (sim->page_shift - LINE_SHIFT), from);
    int rfo = request == REQUEST_RFO;
    struct remote remote = {SNOOP_NONE, 0, 0};
    if (sim->config.sockets > 1)
        remote = snoop_others(sim, from, line, rfo);
    *snoop = remote.snoop;
    memory_read(sim, home, line, from, !remote.forwards);
    int modified = remote.snoop == SNOOP_HITM;
    if (remote.forwards) {
        sim->socket[remote.forwarder].counts->qpi_data_lines_out++;
        if (modified && !rfo)
            memory_write(sim, home, line, remote.forwarder, 0);
    }
    enum sim_line_state state = LINE_E;
    if (rfo && modified)
        state = LINE_M;
    else if (!rfo && remote.snoop >= SNOOP_HIT)
        state = LINE_F;
    l3_fill(place, evict(sim, socket, place), state, home);
    if (remote.forwards)
        return modified ? SOURCE_REMOTE_HITM : SOURCE_REMOTE_FORWARD;
    return home == from ? SOURCE_LOCAL_DRAM : SOURCE_REMOTE_DRAM;
}

/* The L3 has the line: settles it with the other cores, and for ownership with the other sockets. */
static enum source settle_hit(struct sim_core *core, const struct l3_place *place, uint64_t line,
                              enum sim_request request, enum sim_snoop *snoop) {
    static const enum source by_snoop[SIM_SNOOPS] = {SOURCE_L3_SNOOP_NONE, SOURCE_L3_SNOOP_MISS, SOURCE_L3_SNOOP_HIT,
                                                     SOURCE_L3_SNOOP_HITM};
    struct l3_set *set = place->set;
    uint8_t *state = &set->state[place->way];
    if (request == REQUEST_RFO) {
        *snoop = invalidate_cores(core->socket, place, set->sharers[place->way] & ~core->bit, line);
        set->sharers[place->way] &= core->bit;
        if (*snoop == SNOOP_HITM)
            *state = LINE_M;
        if (!owns(*state)) {
            *snoop = stronger(*snoop, snoop_others(core->sim, core->socket->number, line, 1).snoop);
            *state = LINE_E;
        }
    } else {
        *snoop = ask_owner(core->socket, place, line, core->bit);
    }
    l3_touch(place);
    return by_snoop[*snoop];
}

/* A request that others than the core and its L3 take part in, or may. */
static __attribute__((noinline)) struct grant request_of_all(struct sim_core *core, struct l3_place *place,
                                                             uint64_t line, enum sim_request request) {
    struct sim_slice_counts *slice = &core->socket->counts->slice[place->slice];
    struct grant grant;
    enum sim_snoop snoop;
    if (place->way < 0) {
        slice->lookups[lookup_of[request]][LINE_I]++;
        grant.source = fetch_line(core, place, line, request, &snoop);
    } else {
        slice->lookups[lookup_of[request]][place->set->state[place->way]]++;
        grant.source = settle_hit(core, place, line, request, &snoop);
    }
    core->counts->offcore[request][supplier_of[grant.source]][snoop]++;
    core->sim->exchanges += snoop >= SNOOP_HIT;
    uint32_t *sharers = &place->set->sharers[place->way];
    int alone = (*sharers & ~core->bit) == 0;
    grant.state = alone && owns(place->set->state[place->way]) ? PRIVATE_E : PRIVATE_S;
    *sharers |= core->bit;
    return grant;
}

struct grant coherence_request(struct sim_core *core, uint64_t line, enum sim_request request) {
    struct l3_place place = l3_find(&core->socket->l3, line);
    if (place.way < 0 || (place.set->sharers[place.way] & ~core->bit) || !owns(place.set->state[place.way]))
        return request_of_all(core, &place, line, request);
    /* The socket owns the line and no other core of it has it: the same as above, without asking anyone. */
    core->socket->counts->slice[place.slice].lookups[lookup_of[request]][place.set->state[place.way]]++;
    core->counts->offcore[request][SUPPLIER_L3][SNOOP_NONE]++;
    place.set->sharers[place.way] = core->bit;
    l3_touch(&place);
    return (struct grant){PRIVATE_E, SOURCE_L3_SNOOP_NONE};
}

void coherence_fetched(struct sim_core *core, uint64_t line) {
    struct l3_place place = l3_find(&core->socket->l3, line);
    place.set->fetched |= 1U << place.way;
}

void coherence_writeback(struct sim_core *core, uint64_t line) {
    struct l3_place place = l3_find(&core->socket->l3, line);
    uint8_t *state = &place.set->state[place.way];
    core->socket->counts->slice[place.slice].lookups[LOOKUP_WRITE][*state]++;
    core->counts->offcore[REQUEST_WRITEBACK][SUPPLIER_NONE][SNOOP_NONE]++;
    *state = LINE_M;
    if (!hierarchy_holds_in_l1(core, line, l3_fetched(&place)))
        place.set->sharers[place.way] &= ~core->bit;
}

/* Drops the line from all sockets. Nonzero if it was modified somewhere. */
static int drop_everywhere(struct sim_core *core, uint64_t line) {
    enum sim_snoop snoop = snoop_others(core->sim, core->socket->number, line, 1).snoop;
    int modified = snoop == SNOOP_HITM;
    struct l3_place place = l3_find(&core->socket->l3, line);
    core->sim->exchanges += snoop >= SNOOP_HIT || (place.way >= 0 && (place.set->sharers[place.way] & ~core->bit));
    if (place.way >= 0 && drop_from_socket(core->socket, &place, line))
        modified = 1;
    return modified;
}

static uint32_t home_for(struct sim_core *core, uint64_t line) {
    struct sim *sim = core->sim;
    return home_of(&sim->homes, line >> (sim->page_shift - LINE_SHIFT), core->socket->number);
}

void coherence_streaming_store(struct sim_core *core, uint64_t line, int partial) {
    uint32_t home = home_for(core, line);
    int modified = drop_everywhere(core, line);
    core->counts->offcore[REQUEST_STREAMING_STORE][SUPPLIER_NONE][SNOOP_NONE]++;
    if (modified && partial)
        memory_write(core->sim, home, line, core->socket->number, 0);
    memory_write(core->sim, home, line, core->socket->number, partial);
}

void coherence_flush(struct sim_core *core, uint64_t line) {
    if (drop_everywhere(core, line))
        memory_write(core->sim, home_for(core, line), line, core->socket->number, 0);
}
