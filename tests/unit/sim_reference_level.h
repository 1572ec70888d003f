/* sim_reference_level.h - part of sim_reference.h: a domain's known lines, its last level and filter, and snoops of its
 * cores and of other domains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_LEVEL_H
#define ASSAY_TESTS_SIM_REFERENCE_LEVEL_H

#include "sim_reference_memory.h"

static inline struct ref_domain *ref_domain_of(const struct ref_core *core) {
    return &core->node->domain[core->domain];
}

static inline uint64_t ref_bit(const struct ref_core *core) {
    return UINT64_C(1) << core->number;
}

static inline int ref_is_victim(const struct ref_domain *domain) {
    return domain->node->config.inclusion == SIM_VICTIM;
}

static inline struct sim_slice_counts *ref_slice_counts(struct ref_domain *domain, uint64_t line) {
    return &domain->counts->slice[ref_slice(&domain->level, line)];
}

/* ---- what a domain knows ---- */

static inline struct ref_way *ref_known(const struct ref_domain *domain, uint64_t line) {
    return ref_find(&domain->known, line);
}

static inline int ref_level_has(const struct ref_domain *domain, uint64_t line) {
    return ref_find(&domain->level, line) != NULL;
}

static inline int ref_owned(const struct ref_way *known) {
    return known->state == LINE_E || known->state == LINE_M;
}

static inline int ref_owes(const struct ref_way *known) {
    return known->state == LINE_M || known->state == LINE_O;
}

static inline struct ref_way *ref_learn(struct ref_domain *domain, uint64_t line, int state, uint32_t home) {
    struct ref_way *known = ref_place(&domain->known, line);
    if (known->used)
        abort(); /* practically unlimited */
    ref_put(&domain->known, known, line);
    known->state = state;
    known->home = home;
    return known;
}

/* Updates the domain's knowledge after the LL or a core dropped the line. */
static inline void ref_settle(struct ref_domain *domain, struct ref_way *known) {
    if (!known->sharers)
        ref_clear(ref_find(&domain->filter, known->line));
    if (!ref_level_has(domain, known->line) && (!known->sharers || !ref_is_victim(domain)))
        ref_clear(known);
}

/* A lookup in a slice. Returns the known line, or NULL. */
static inline struct ref_way *ref_lookup(struct ref_domain *domain, uint64_t line, enum sim_lookup kind) {
    struct sim_slice_counts *counts = ref_slice_counts(domain, line);
    struct ref_way *known = ref_known(domain, line);
    counts->lookups[kind][known ? known->state : LINE_I]++;
    counts->lookups_directory[kind] += known && !ref_level_has(domain, line);
    return known;
}

/* ---- snoops of cores ---- */

static inline enum ref_right ref_right_in(const struct ref_array *cache, uint64_t line) {
    const struct ref_way *way = ref_find(cache, line);
    return way ? way->right : REF_NOTHING;
}

/* Share: the core keeps the line, but no longer exclusively. Returns the strongest right of its copies before. */
static inline enum ref_right ref_core_share(struct ref_core *core, uint64_t line) {
    struct ref_array *caches[] = {&core->l1d, &core->l1i, &core->l2};
    enum ref_right best = REF_NOTHING;
    for (int i = 0; i < 3; i++) {
        if (ref_right_in(caches[i], line) > best)
            best = ref_right_in(caches[i], line);
        if (ref_find(caches[i], line))
            ref_find(caches[i], line)->right = REF_SHARED;
    }
    return best;
}

/* Drop: the core loses the line. Returns the strongest right as above. */
static inline enum ref_right ref_core_drop(struct ref_core *core, uint64_t line) {
    enum ref_right best = ref_core_share(core, line);
    ref_clear(ref_find(&core->l1d, line));
    ref_clear(ref_find(&core->l1i, line));
    ref_clear(ref_find(&core->l2, line));
    return best;
}

static inline enum sim_snoop ref_answer(enum ref_right had) {
    return had == REF_NOTHING ? SNOOP_MISS : had == REF_MODIFIED ? SNOOP_HITM : SNOOP_HIT;
}

/* Drops the line in these sharers. Returns the strongest answer. */
static inline enum sim_snoop ref_drop_sharers(struct ref_domain *domain, struct ref_way *known, uint64_t sharers) {
    enum sim_snoop strongest = SNOOP_NONE;
    for (uint32_t i = 0; i < sim_cores(&domain->node->config); i++) {
        if (!(sharers >> i & 1))
            continue;
        enum sim_snoop answer = ref_answer(ref_core_drop(&domain->node->core[i], known->line));
        if (answer > strongest)
            strongest = answer;
    }
    known->sharers &= ~sharers;
    return strongest;
}

/* The number of the only sharer; -1 if there are none or several. */
static inline int ref_only_sharer(const struct ref_way *known) {
    for (int i = 0; i < 64; i++)
        if (known->sharers == UINT64_C(1) << i)
            return i;
    return -1;
}

/* Snoops the only sharer of an owned line, which may have modified it. A copy that the sharer has becomes shared. */
static inline enum sim_snoop ref_ask_only_sharer(struct ref_domain *domain, struct ref_way *known) {
    enum sim_snoop answer = ref_answer(ref_core_share(&domain->node->core[ref_only_sharer(known)], known->line));
    if (answer == SNOOP_MISS)
        known->sharers = 0;
    if (answer == SNOOP_HITM)
        known->state = LINE_M;
    return answer;
}

/* ---- the last level ---- */

static inline void ref_level_evict(struct ref_domain *domain, struct ref_way *way) {
    struct reference *node = domain->node;
    struct ref_way *known = ref_known(domain, way->line);
    if (known->sharers)
        ref_reach(node, RULE_LL_EVICTS_FROM_CORES, known->state);
    if (!ref_is_victim(domain) && ref_drop_sharers(domain, known, known->sharers) == SNOOP_HITM) {
        ref_reach(node, RULE_LL_EVICTS_FROM_CORES_MODIFIED, 0);
        known->state = LINE_M;
    }
    ref_reach(node, RULE_LL_EVICTS, known->state);
    ref_slice_counts(domain, way->line)->victims[known->state]++;
    if (ref_owes(known))
        ref_memory_write(node, known->home, way->line, domain->socket, 0);
    if (ref_owes(known)) /* cores that keep it need not write it back */
        known->state = known->state == LINE_M ? LINE_E : LINE_S;
    ref_clear(way);
    ref_settle(domain, known);
}

/* Puts a line into the LL that is not there yet. */
static inline void ref_level_enter(struct ref_domain *domain, uint64_t line) {
    struct ref_way *way = ref_place(&domain->level, line);
    if (way->used)
        ref_level_evict(domain, way);
    ref_put(&domain->level, way, line);
}

static inline void ref_level_remove(struct ref_domain *domain, uint64_t line) {
    ref_clear(ref_find(&domain->level, line));
}

/* ---- sharers and the filter ---- */

static inline void ref_filter_evict(struct ref_domain *domain, struct ref_way *way) {
    struct reference *node = domain->node;
    struct ref_way *known = ref_known(domain, way->line);
    ref_reach(node, RULE_FILTER_EVICTS, known->state);
    if (ref_drop_sharers(domain, known, known->sharers) == SNOOP_HITM) {
        if (ref_level_has(domain, way->line)) {
            ref_reach(node, RULE_FILTER_EVICTS_TO_LL, 0);
            known->state = LINE_M;
        } else {
            ref_reach(node, RULE_FILTER_EVICTS_TO_MEMORY, 0);
            ref_memory_write(node, known->home, way->line, domain->socket, 0);
        }
    }
    ref_settle(domain, known); /* clears the way */
}

/* Records that the requesting core now holds the line. */
static inline void ref_add_sharer(struct ref_core *core, struct ref_way *known) {
    struct ref_domain *domain = ref_domain_of(core);
    if (domain->node->config.directory == SIM_SNOOP_FILTER && !ref_use(&domain->filter, known->line)) {
        struct ref_way *way = ref_place(&domain->filter, known->line);
        if (way->used)
            ref_filter_evict(domain, way);
        ref_put(&domain->filter, way, known->line);
    }
    known->sharers |= ref_bit(core);
}

static inline int ref_in_l1(const struct ref_core *core, uint64_t line) {
    return ref_find(&core->l1d, line) || ref_find(&core->l1i, line);
}

static inline void ref_remove_sharer(struct ref_core *core, struct ref_way *known) {
    struct ref_domain *domain = ref_domain_of(core);
    known->sharers &= ~ref_bit(core);
    if (!known->sharers && !ref_level_has(domain, known->line))
        ref_reach(core->node, RULE_FORGOTTEN, known->state);
    ref_settle(domain, known);
}

/* ---- snoops of other domains ---- */

struct ref_snooped {
    enum sim_snoop answer; /* the strongest; SNOOP_NONE: no other domains */
    int forwarder;         /* the domain that forwards the data, -1: none */
    uint32_t home;         /* HITM: the modified line's home */
};

/* Snoops a domain that knows the line for sharing. It forwards the line unless its state is only shared. */
static inline struct ref_snooped ref_snooped_to_read(struct ref_domain *domain, struct ref_way *known) {
    struct reference *node = domain->node;
    enum sim_snoop core = SNOOP_NONE;
    if (ref_owned(known) && ref_only_sharer(known) >= 0) {
        core = ref_ask_only_sharer(domain, known);
        if (core == SNOOP_MISS)
            ref_reach(node, RULE_SNOOPED_STALE, 0);
        else
            ref_reach(node, RULE_SNOOPED_CORE_TO_READ, core);
    }
    struct ref_snooped snooped = {ref_owes(known) ? SNOOP_HITM : SNOOP_HIT,
                                  known->state == LINE_S ? -1 : (int)domain->number, known->home};
    if (!ref_owes(known)) {
        known->state = LINE_S;
    } else if (node->config.protocol == SIM_MESIF) {
        ref_memory_write(node, known->home, known->line, domain->socket, 0);
        known->state = LINE_S;
    } else {
        known->state = LINE_O;
        if (!ref_level_has(domain, known->line)) {
            ref_reach(node, RULE_SNOOPED_HITM_ENTERS, 0);
            ref_level_enter(domain, known->line);
        }
    }
    return snooped;
}

/* Drops the line in a domain that knows it. */
static inline struct ref_snooped ref_snooped_to_drop(struct ref_domain *domain, struct ref_way *known) {
    struct ref_snooped snooped = {ref_owes(known) ? SNOOP_HITM : SNOOP_HIT,
                                  known->state == LINE_S ? -1 : (int)domain->number, known->home};
    if (ref_drop_sharers(domain, known, known->sharers) == SNOOP_HITM) {
        ref_reach(domain->node, RULE_DROPPED_CORE_MODIFIED, 0);
        snooped.answer = SNOOP_HITM;
    }
    ref_level_remove(domain, known->line);
    ref_settle(domain, known);
    return snooped;
}

/* Purpose of a snoop: to read the line, to own it with its data, to own a line that is already present, or because it
 * is written to memory. */
enum ref_purpose { REF_TO_READ, REF_TO_OWN, REF_TO_OWN_ONLY, REF_TO_WRITE };

static inline enum sim_answer ref_answer_to_home(const struct reference *node, const struct ref_snooped *one,
                                                 enum ref_purpose purpose) {
    switch (purpose) {
    case REF_TO_READ:
        if (one->answer == SNOOP_MISS)
            return ANSWER_INVALID;
        if (one->answer == SNOOP_HITM && node->config.protocol == SIM_MESIF)
            return node->config.sockets > 2 ? ANSWER_FORWARD_WRITEBACK : ANSWER_WRITEBACK;
        return one->forwarder >= 0 ? ANSWER_SHARED_FORWARD : ANSWER_SHARED;
    case REF_TO_OWN:
        return one->forwarder >= 0 ? ANSWER_INVALID_FORWARD : ANSWER_INVALID;
    case REF_TO_WRITE:
        return one->answer == SNOOP_HITM ? ANSWER_WRITEBACK : ANSWER_INVALID;
    default:
        return ANSWER_INVALID;
    }
}

/* Reports the answer to the line's home agent, if there is one (home -1: no home). */
static inline void ref_tell_home(struct ref_core *core, uint64_t line, int home, enum sim_answer answer) {
    struct sim_agent_counts *agent = home < 0 ? NULL : ref_agent(core->node, (uint32_t)home, line);
    int local = home >= 0 && ref_socket_of(core->node, (uint32_t)home) == core->socket;
    if (agent)
        agent->answers[local ? DISTANCE_LOCAL : DISTANCE_REMOTE][answer]++;
}

/* Snoops all domains except the core's own. */
static inline struct ref_snooped ref_snoop_others(struct ref_core *core, uint64_t line, enum ref_purpose purpose,
                                                  int home) {
    struct ref_snooped all = {SNOOP_NONE, -1, 0};
    int own = purpose != REF_TO_READ;
    for (uint32_t d = 0; d < sim_domains(&core->node->config); d++) {
        if (d == core->domain)
            continue;
        struct ref_domain *domain = &core->node->domain[d];
        struct ref_way *known = ref_lookup(domain, line, LOOKUP_REMOTE_SNOOP);
        ref_reach(core->node, own ? RULE_SNOOPED_TO_OWN : RULE_SNOOPED_TO_READ, known ? known->state : LINE_I);
        struct ref_snooped one = {SNOOP_MISS, -1, 0};
        ref_send_snoop(core->node, core->socket, domain->socket, line);
        if (known)
            one = own ? ref_snooped_to_drop(domain, known) : ref_snooped_to_read(domain, known);
        if (known && own && one.answer != SNOOP_HITM)
            ref_slice_counts(domain, line)->clean_given_up++;
        ref_tell_home(core, line, home, ref_answer_to_home(core->node, &one, purpose));
        if (one.answer == SNOOP_HITM)
            all.home = one.home;
        if (one.answer > all.answer)
            all.answer = one.answer;
        if (one.forwarder >= 0)
            all.forwarder = one.forwarder;
    }
    return all;
}

#endif
