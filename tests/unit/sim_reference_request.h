/* sim_reference_request.h - part of sim_reference.h: a core's messages to its domain: requests, victims of L2, and
 * writes that bypass the caches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_REQUEST_H
#define ASSAY_TESTS_SIM_REFERENCE_REQUEST_H

#include "sim_reference_level.h"

/* Source that served a demand access, nearest first. */
enum ref_source {
    FROM_L1,
    FROM_L2,
    FROM_L3_SNOOP_NONE,
    FROM_L3_SNOOP_MISS,
    FROM_L3_SNOOP_HIT,
    FROM_L3_SNOOP_HITM,
    FROM_SOCKET_FORWARD,
    FROM_SOCKET_HITM,
    FROM_LOCAL_DRAM,
    FROM_REMOTE_DRAM,
    FROM_REMOTE_FORWARD,
    FROM_REMOTE_HITM,
    REF_SOURCES
};

struct ref_grant {
    enum ref_right right;
    enum ref_source source;
};

static inline enum sim_snoop ref_stronger(enum sim_snoop a, enum sim_snoop b) {
    return a > b ? a : b;
}

/* ---- the domain knows the line ---- */

/* Makes the core the only holder. Sets `dirty` if memory has older data. */
static inline enum sim_snoop ref_known_to_own(struct ref_core *core, struct ref_way *known, int *dirty) {
    uint64_t others = known->sharers & ~ref_bit(core);
    enum sim_snoop snoop = ref_drop_sharers(ref_domain_of(core), known, others);
    if (ref_owned(known)) {
        if (snoop == SNOOP_MISS)
            ref_reach(core->node, RULE_OWN_STALE, 0);
        else if (snoop == SNOOP_NONE)
            ref_reach(core->node, RULE_OWN_ALONE, 0);
        else
            ref_reach(core->node, RULE_OWN_OWNED, snoop);
    } else {
        ref_reach(core->node, RULE_OWN_UNOWNED, known->state);
        snoop = ref_stronger(snoop, ref_snoop_others(core, known->line, REF_TO_OWN_ONLY, (int)known->home).answer);
    }
    *dirty = ref_owes(known) || snoop == SNOOP_HITM;
    return snoop;
}

static inline enum sim_snoop ref_known_to_read(struct ref_core *core, struct ref_way *known) {
    struct ref_domain *domain = ref_domain_of(core);
    uint64_t others = known->sharers & ~ref_bit(core);
    if (ref_owned(known) && others && ref_only_sharer(known) >= 0) {
        enum sim_snoop answer = ref_ask_only_sharer(domain, known);
        if (answer == SNOOP_MISS)
            ref_reach(core->node, RULE_READ_STALE, 0);
        else
            ref_reach(core->node, RULE_READ_ASKED, answer);
        return answer;
    }
    if (!ref_owned(known))
        ref_reach(core->node, RULE_READ_UNOWNED, known->state);
    else if (others)
        ref_reach(core->node, RULE_READ_MANY, 0);
    if (ref_is_victim(domain) && !ref_level_has(domain, known->line) && others) {
        ref_reach(core->node, RULE_READ_SHARER_SUPPLIES, 0);
        return SNOOP_HIT;
    }
    return SNOOP_NONE;
}

static inline enum ref_right ref_inclusive_own(struct ref_core *core, struct ref_way *known, int dirty) {
    known->state = dirty ? LINE_M : LINE_E;
    ref_use(&ref_domain_of(core)->level, known->line);
    return REF_EXCLUSIVE;
}

static inline enum ref_right ref_inclusive_read(struct ref_core *core, struct ref_way *known, enum sim_snoop snoop) {
    if (snoop == SNOOP_HITM)
        ref_reach(core->node, RULE_READ_HITM_IN_PLACE, 0);
    ref_use(&ref_domain_of(core)->level, known->line);
    return ref_owned(known) && !(known->sharers & ~ref_bit(core)) ? REF_EXCLUSIVE : REF_SHARED;
}

static inline enum ref_right ref_victim_own(struct ref_core *core, struct ref_way *known, int dirty) {
    struct ref_domain *domain = ref_domain_of(core);
    if (ref_level_has(domain, known->line))
        ref_reach(core->node, RULE_OWN_LL_GIVES_UP, known->state);
    ref_level_remove(domain, known->line);
    known->state = LINE_E;
    return dirty ? REF_MODIFIED : REF_EXCLUSIVE;
}

static inline enum ref_right ref_victim_read(struct ref_core *core, struct ref_way *known, enum sim_snoop snoop) {
    struct reference *node = core->node;
    struct ref_domain *domain = ref_domain_of(core);
    int had = ref_level_has(domain, known->line), alone = !(known->sharers & ~ref_bit(core));
    if (snoop == SNOOP_HITM) {
        ref_reach(node, had ? RULE_READ_HITM_IN_PLACE : RULE_READ_HITM_ENTERS, 0);
        if (!had)
            ref_level_enter(domain, known->line);
        ref_use(&domain->level, known->line);
        return REF_SHARED;
    }
    if (alone && !had) {
        ref_reach(node, RULE_READ_OWN_L1_HAS, 0);
        return ref_owned(known) ? REF_EXCLUSIVE : REF_SHARED;
    }
    if (alone && known->state != LINE_O) {
        ref_reach(node, RULE_READ_MOVES_OUT, known->state);
        enum ref_right right = known->state == LINE_M ? REF_MODIFIED : ref_owned(known) ? REF_EXCLUSIVE : REF_SHARED;
        if (known->state == LINE_M)
            known->state = LINE_E; /* the core must now write modified data back */
        ref_level_remove(domain, known->line);
        return right;
    }
    if (alone)
        ref_reach(node, RULE_READ_STAYS_OWED, 0);
    ref_use(&domain->level, known->line);
    return REF_SHARED;
}

/* Counts a request in the line's slice. */
static inline void ref_count_request(struct ref_core *core, uint64_t line, enum sim_request request, int known,
                                     uint32_t home) {
    int local = ref_socket_of(core->node, home) == core->socket;
    ref_slice_counts(ref_domain_of(core), line)
        ->requests[request][known ? LINE_KNOWN : LINE_UNKNOWN][local ? DISTANCE_LOCAL : DISTANCE_REMOTE]++;
}

static inline struct ref_grant ref_request_known(struct ref_core *core, struct ref_way *known,
                                                 enum sim_request request) {
    int victim = ref_is_victim(ref_domain_of(core));
    enum sim_snoop snoop;
    enum ref_right right;
    ref_count_request(core, known->line, request, 1, known->home);
    if (request == REQUEST_RFO) {
        int dirty;
        snoop = ref_known_to_own(core, known, &dirty);
        right = victim ? ref_victim_own(core, known, dirty) : ref_inclusive_own(core, known, dirty);
    } else {
        snoop = ref_known_to_read(core, known);
        right = victim ? ref_victim_read(core, known, snoop) : ref_inclusive_read(core, known, snoop);
    }
    ref_add_sharer(core, known);
    core->counts->offcore[request][SUPPLIER_L3][snoop]++;
    return (struct ref_grant){right, (enum ref_source)(FROM_L3_SNOOP_NONE + (int)snoop)};
}

/* ---- the domain does not know the line ---- */

/* The supplier: another domain, else memory. */
static inline enum sim_supplier ref_supplier(const struct ref_core *core, const struct ref_snooped *snooped,
                                             uint32_t home) {
    if (snooped->forwarder >= 0)
        return core->node->domain[snooped->forwarder].socket == core->socket ? SUPPLIER_SOCKET_CACHE
                                                                             : SUPPLIER_REMOTE_CACHE;
    return ref_socket_of(core->node, home) == core->socket ? SUPPLIER_LOCAL_DRAM : SUPPLIER_REMOTE_DRAM;
}

static inline enum ref_source ref_source_of(enum sim_supplier supplier, enum sim_snoop snoop) {
    switch (supplier) {
    case SUPPLIER_SOCKET_CACHE:
        return snoop == SNOOP_HITM ? FROM_SOCKET_HITM : FROM_SOCKET_FORWARD;
    case SUPPLIER_REMOTE_CACHE:
        return snoop == SNOOP_HITM ? FROM_REMOTE_HITM : FROM_REMOTE_FORWARD;
    case SUPPLIER_LOCAL_DRAM:
        return FROM_LOCAL_DRAM;
    default:
        return FROM_REMOTE_DRAM;
    }
}

static inline int ref_state_after_miss(const struct reference *node, int own, enum sim_snoop others) {
    if (own)
        return others == SNOOP_HITM ? LINE_M : LINE_E;
    if (others <= SNOOP_MISS)
        return LINE_E;
    return node->config.protocol == SIM_MESIF ? LINE_F : LINE_S;
}

/* Whether so many lines before this one were requested to own that memory need not be read. */
static inline int ref_evades(struct ref_core *core, uint64_t line) {
    uint64_t before = line == core->owned_line + 1 ? core->owned_lines + 1 : 0;
    core->owned_line = line;
    core->owned_lines = before;
    return core->node->config.evasion > 0 && before >= core->node->config.evasion;
}

static inline struct ref_grant ref_request_unknown(struct ref_core *core, uint64_t line, enum sim_request request) {
    struct reference *node = core->node;
    struct ref_domain *domain = ref_domain_of(core);
    int own = request == REQUEST_RFO, evades = own && ref_evades(core, line);
    uint32_t home = ref_home_of_line(core, line);
    struct ref_snooped snooped = ref_snoop_others(core, line, own ? REF_TO_OWN : REF_TO_READ, (int)home);
    if (snooped.answer != SNOOP_NONE)
        ref_reach(node, own ? RULE_MISS_OWN : RULE_MISS_READ, snooped.answer);
    ref_count_request(core, line, request, 0, home);
    ref_memory_read(node, home, line, core->socket, snooped.forwarder < 0 && !evades);
    if (snooped.forwarder >= 0)
        ref_send(node, node->domain[snooped.forwarder].socket, core->socket, line);
    enum sim_supplier supplier = ref_supplier(core, &snooped, home);
    ref_reach(node, RULE_MISS_SUPPLIER, supplier);

    struct ref_way *known = ref_learn(domain, line, ref_state_after_miss(node, own, snooped.answer), home);
    enum ref_right right = ref_owned(known) ? REF_EXCLUSIVE : REF_SHARED;
    if (!ref_is_victim(domain)) {
        ref_level_enter(domain, line);
    } else if (known->state == LINE_M) {
        right = REF_MODIFIED;
        known->state = LINE_E;
    }
    ref_add_sharer(core, known);
    core->counts->offcore[request][supplier][snooped.answer]++;
    return (struct ref_grant){right, ref_source_of(supplier, snooped.answer)};
}

static inline struct ref_grant ref_request(struct ref_core *core, uint64_t line, enum sim_request request) {
    static const enum sim_lookup kinds[] = {
        [REQUEST_DATA_READ] = LOOKUP_DATA_READ, [REQUEST_RFO] = LOOKUP_RFO, [REQUEST_CODE_READ] = LOOKUP_CODE_READ};
    struct ref_way *known = ref_lookup(ref_domain_of(core), line, kinds[request]);
    return known ? ref_request_known(core, known, request) : ref_request_unknown(core, line, request);
}

/* ---- what a core gives up ---- */

/* Removes the core from the sharers, unless one of its L1 caches has the line. */
static inline void ref_l2_gone(struct ref_core *core, struct ref_way *known) {
    if (ref_in_l1(core, known->line))
        ref_reach(core->node, RULE_L2_VICTIM_STAYS_IN_L1, 0);
    else
        ref_remove_sharer(core, known);
}

static inline void ref_l2_victim_modified(struct ref_core *core, uint64_t line) {
    struct ref_domain *domain = ref_domain_of(core);
    struct ref_way *known = ref_lookup(domain, line, LOOKUP_WRITE);
    core->counts->offcore[REQUEST_WRITEBACK][SUPPLIER_NONE][SNOOP_NONE]++;
    ref_count_request(core, line, REQUEST_WRITEBACK, 1, known->home);
    if (ref_is_victim(domain))
        ref_slice_counts(domain, line)->victims_in_modified++;
    known->state = LINE_M;
    if (ref_level_has(domain, line)) {
        ref_reach(core->node, RULE_L2_MODIFIED_LL_HAS, 0);
    } else {
        ref_reach(core->node, RULE_L2_MODIFIED_ENTERS, 0);
        ref_level_enter(domain, line);
    }
    ref_l2_gone(core, known);
}

static inline void ref_l2_victim_clean(struct ref_core *core, uint64_t line) {
    struct ref_domain *domain = ref_domain_of(core);
    if (!ref_is_victim(domain))
        return;
    struct ref_way *known = ref_known(domain, line);
    if (ref_level_has(domain, line)) {
        ref_reach(core->node, RULE_L2_CLEAN_LL_HAS, known->state);
    } else if (known->sharers & ~ref_bit(core)) {
        ref_reach(core->node, RULE_L2_CLEAN_OTHERS_SHARE, known->state);
    } else {
        ref_reach(core->node, RULE_L2_CLEAN_ENTERS, known->state);
        core->counts->total[CORE_L2_VICTIM_CLEAN]++;
        ref_slice_counts(domain, line)->victims_in_clean++;
        ref_level_enter(domain, line);
    }
    ref_l2_gone(core, known);
}

/* A clean line left an L1 of the core: notifies a victim domain if it was the core's last copy. */
static inline void ref_l1_victim_clean(struct ref_core *core, uint64_t line) {
    struct ref_domain *domain = ref_domain_of(core);
    if (!ref_is_victim(domain) || ref_in_l1(core, line) || ref_find(&core->l2, line))
        return;
    ref_reach(core->node, RULE_L1_VICTIM_LEAVES, 0);
    ref_remove_sharer(core, ref_known(domain, line));
}

/* ---- writes that pass the caches ---- */

/* Drops the line in all caches. HITM if it was modified anywhere; `own`: the own domain's answer, MISS if it did not
 * have the line. */
static inline struct ref_snooped ref_drop_everywhere(struct ref_core *core, uint64_t line, int home,
                                                     enum sim_snoop *own) {
    struct ref_domain *domain = ref_domain_of(core);
    struct ref_way *known = ref_known(domain, line);
    struct ref_snooped others = ref_snoop_others(core, line, REF_TO_WRITE, home);
    *own = SNOOP_MISS;
    if (!known)
        return others;
    struct ref_snooped mine = ref_snooped_to_drop(domain, known);
    *own = mine.answer;
    return mine.answer > others.answer ? mine : others;
}

/* Returns the line's home. */
static inline uint32_t ref_streaming_store(struct ref_core *core, uint64_t line, int partial) {
    struct reference *node = core->node;
    uint32_t home = ref_home_of_line(core, line);
    enum sim_snoop own;
    struct ref_snooped dropped = ref_drop_everywhere(core, line, (int)home, &own);
    ref_count_request(core, line, REQUEST_STREAMING_STORE, own != SNOOP_MISS, home);
    if (own == SNOOP_HITM)
        ref_slice_counts(ref_domain_of(core), line)->streams_over_modified++;
    core->counts->offcore[REQUEST_STREAMING_STORE][SUPPLIER_NONE][SNOOP_NONE]++;
    if (dropped.answer == SNOOP_HITM) {
        ref_reach(node, partial ? RULE_STREAM_PARTIAL_OVER_MODIFIED : RULE_STREAM_FULL_OVER_MODIFIED, 0);
        if (partial)
            ref_memory_write(node, dropped.home, line, core->socket, 0);
    }
    ref_memory_write(node, home, line, core->socket, partial);
    return home;
}

static inline void ref_flush(struct ref_core *core, uint64_t line) {
    const struct ref_home *home = ref_home_known(core->node, line * core->node->config.line / core->node->config.page);
    enum sim_snoop own;
    struct ref_snooped dropped = ref_drop_everywhere(core, line,
                                                     home                                     ? (int)home->numa
                                                     : sim_memories(&core->node->config) == 1 ? 0
                                                                                              : -1,
                                                     &own);
    ref_reach(core->node, dropped.answer == SNOOP_HITM ? RULE_FLUSH_MODIFIED : RULE_FLUSH_CLEAN, 0);
    if (dropped.answer == SNOOP_HITM)
        ref_memory_write(core->node, dropped.home, line, core->socket, 0);
}

/* A domain drops a line whose page was unmapped. */
static inline void ref_drop_unmapped(struct ref_domain *domain, uint64_t line) {
    struct ref_way *known = ref_known(domain, line);
    if (!known)
        return;
    struct ref_snooped dropped = ref_snooped_to_drop(domain, known);
    if (dropped.answer == SNOOP_HITM)
        ref_memory_write(domain->node, dropped.home, line, domain->socket, 0);
}

#endif
