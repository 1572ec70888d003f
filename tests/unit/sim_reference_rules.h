/* sim_reference_rules.h - part of sim_reference.h: the rules of the specification and their cases, by name. The
 * reference counts each case, so that tests can check that a trace covers all of them.
 *
 * Names: "owned": the domain's state of the line is E or M. A "stale" sharer is recorded, but has dropped the line.
 * "buffer": a write-combining buffer. LL: the last-level cache.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_RULES_H
#define ASSAY_TESTS_SIM_REFERENCE_RULES_H

#include "vnode/sim/config.h"
#include "vnode/sim/counts.h"

enum ref_rule {
    /* a core */
    RULE_L1D_UPGRADED,
    RULE_L2_UPGRADED,
    RULE_L1D_VICTIM_MODIFIED,
    RULE_L1D_VICTIM_MODIFIED_NOT_IN_L2,
    RULE_L1_VICTIM_LEAVES,
    RULE_L2_VICTIM_STAYS_IN_L1,
    RULE_WC_FULL,
    RULE_WC_ELEVENTH,
    RULE_WC_FENCE,
    RULE_WC_LOCKED,
    RULE_WC_OWN_MISS,
    RULE_WC_FLUSH,
    RULE_WC_TAKES_FROM_L1D,
    RULE_LOAD_FORWARDED,
    RULE_LOAD_NOT_FORWARDED,
    RULE_LOAD_ALIASED,
    /* a domain that knows the line */
    RULE_OWN_ALONE,
    RULE_OWN_OWNED,
    RULE_OWN_STALE,
    RULE_OWN_UNOWNED,
    RULE_OWN_LL_GIVES_UP,
    RULE_READ_ASKED,
    RULE_READ_STALE,
    RULE_READ_MANY,
    RULE_READ_UNOWNED,
    RULE_READ_MOVES_OUT,
    RULE_READ_STAYS_OWED,
    RULE_READ_OWN_L1_HAS,
    RULE_READ_SHARER_SUPPLIES,
    RULE_READ_HITM_ENTERS,
    RULE_READ_HITM_IN_PLACE,
    /* a domain that does not know the line */
    RULE_MISS_READ,
    RULE_MISS_OWN,
    RULE_MISS_SUPPLIER,
    /* snoops of other domains */
    RULE_SNOOPED_TO_READ,
    RULE_SNOOPED_TO_OWN,
    RULE_SNOOPED_CORE_TO_READ,
    RULE_SNOOPED_STALE,
    RULE_DROPPED_CORE_MODIFIED,
    RULE_SNOOPED_HITM_ENTERS,
    /* victims and evictions */
    RULE_L2_MODIFIED_LL_HAS,
    RULE_L2_MODIFIED_ENTERS,
    RULE_L2_CLEAN_LL_HAS,
    RULE_L2_CLEAN_OTHERS_SHARE,
    RULE_L2_CLEAN_ENTERS,
    RULE_FORGOTTEN,
    RULE_LL_EVICTS,
    RULE_LL_EVICTS_FROM_CORES,
    RULE_LL_EVICTS_FROM_CORES_MODIFIED,
    RULE_FILTER_EVICTS,
    RULE_FILTER_EVICTS_TO_LL,
    RULE_FILTER_EVICTS_TO_MEMORY,
    /* writes that bypass the caches */
    RULE_STREAM_PARTIAL_OVER_MODIFIED,
    RULE_STREAM_FULL_OVER_MODIFIED,
    RULE_FLUSH_MODIFIED,
    RULE_FLUSH_CLEAN,
    REF_RULES
};

/* A rule's cases are line states, snoop answers or suppliers; a rule without cases uses case 0. */
enum ref_case_kind { CASE_ONE, CASE_STATE, CASE_SNOOP, CASE_SUPPLIER };
enum { REF_CASES = 8 };

/* Properties that a node needs for a rule's cases to occur. */
enum ref_need {
    NEEDS_INCLUSIVE = 1,
    NEEDS_VICTIM = 2,
    NEEDS_MOESI = 4,
    NEEDS_FILTER = 8,
    NEEDS_NEIGHBOURS = 16, /* several cores in a domain */
    NEEDS_DOMAINS = 32,    /* several domains */
    NEEDS_CORES = 64       /* several cores, in one or several domains */
};

struct ref_rule_text {
    const char *name;
    enum ref_case_kind kind;
    unsigned cases; /* a bit for each */
    unsigned needs;
};

enum {
    ONE = 1,
    I = 1 << LINE_I,
    S = 1 << LINE_S,
    E = 1 << LINE_E,
    F = 1 << LINE_F,
    M = 1 << LINE_M,
    O = 1 << LINE_O,
    NONE = 1 << SNOOP_NONE,
    MISS = 1 << SNOOP_MISS,
    HIT = 1 << SNOOP_HIT,
    HITM = 1 << SNOOP_HITM,
};

static const struct ref_rule_text REF_RULE_TEXTS[REF_RULES] = {
    [RULE_L1D_UPGRADED] = {"L1D has it shared and needs ownership", CASE_ONE, ONE, NEEDS_CORES},
    [RULE_L2_UPGRADED] = {"L2 has it shared and needs ownership", CASE_ONE, ONE, NEEDS_CORES},
    [RULE_L1D_VICTIM_MODIFIED] = {"modified L1D victim, present in L2", CASE_ONE, ONE, 0},
    [RULE_L1D_VICTIM_MODIFIED_NOT_IN_L2] = {"modified L1D victim, absent from L2", CASE_ONE, ONE, 0},
    [RULE_L1_VICTIM_LEAVES] = {"clean L1 victim leaves the core", CASE_ONE, ONE, NEEDS_VICTIM},
    [RULE_L2_VICTIM_STAYS_IN_L1] = {"L2 victim that stays in an L1", CASE_ONE, ONE, 0},
    [RULE_WC_FULL] = {"buffer written because it is full", CASE_ONE, ONE, 0},
    [RULE_WC_ELEVENTH] = {"buffer written to make room for another line", CASE_ONE, ONE, 0},
    [RULE_WC_FENCE] = {"buffer written at a fence", CASE_ONE, ONE, 0},
    [RULE_WC_LOCKED] = {"buffer written at a locked load", CASE_ONE, ONE, 0},
    [RULE_WC_OWN_MISS] = {"buffer written at an L1 miss of its core on the line", CASE_ONE, ONE, 0},
    [RULE_WC_FLUSH] = {"buffer written at a flush of its line", CASE_ONE, ONE, 0},
    [RULE_WC_TAKES_FROM_L1D] = {"buffer opened for a line in L1D", CASE_ONE, ONE, 0},
    [RULE_LOAD_FORWARDED] = {"load forwarded from a store", CASE_ONE, ONE, 0},
    [RULE_LOAD_NOT_FORWARDED] = {"load that a store covers only partly", CASE_ONE, ONE, 0},
    [RULE_LOAD_ALIASED] = {"load with the page offset of a store to another page", CASE_ONE, ONE, 0},
    [RULE_OWN_ALONE] = {"core takes an owned line that no other core has", CASE_ONE, ONE, 0},
    [RULE_OWN_OWNED] = {"core takes an owned line that others have, answer", CASE_SNOOP, HIT | HITM, NEEDS_NEIGHBOURS},
    [RULE_OWN_STALE] = {"core takes an owned line, all other sharers stale", CASE_ONE, ONE,
                        NEEDS_INCLUSIVE | NEEDS_NEIGHBOURS},
    [RULE_OWN_UNOWNED] = {"core takes a line that is not owned, state", CASE_STATE, S | F | O, NEEDS_DOMAINS},
    [RULE_OWN_LL_GIVES_UP] = {"core takes a line and the LL gives it up, state", CASE_STATE, S | E | F | M | O,
                              NEEDS_VICTIM},
    [RULE_READ_ASKED] = {"read snoops the only sharer, answer", CASE_SNOOP, HIT | HITM, NEEDS_NEIGHBOURS},
    [RULE_READ_STALE] = {"read snoops the only sharer, which is stale", CASE_ONE, ONE,
                         NEEDS_INCLUSIVE | NEEDS_NEIGHBOURS},
    [RULE_READ_MANY] = {"read of an owned line that several share", CASE_ONE, ONE, NEEDS_NEIGHBOURS},
    [RULE_READ_UNOWNED] = {"read of a line that is not owned, state", CASE_STATE, S | F | O, NEEDS_DOMAINS},
    [RULE_READ_MOVES_OUT] = {"read moves the line out of the LL, state", CASE_STATE, S | E | F | M, NEEDS_VICTIM},
    [RULE_READ_STAYS_OWED] = {"read leaves an O line in the LL", CASE_ONE, ONE,
                              NEEDS_VICTIM | NEEDS_MOESI | NEEDS_DOMAINS},
    [RULE_READ_OWN_L1_HAS] = {"read of a line that only the core's own L1 has", CASE_ONE, ONE, NEEDS_VICTIM},
    [RULE_READ_SHARER_SUPPLIES] = {"read that a sharer supplies", CASE_ONE, ONE, NEEDS_VICTIM | NEEDS_NEIGHBOURS},
    [RULE_READ_HITM_ENTERS] = {"modified data enter the LL", CASE_ONE, ONE, NEEDS_VICTIM | NEEDS_NEIGHBOURS},
    [RULE_READ_HITM_IN_PLACE] = {"modified data replace the LL's copy", CASE_ONE, ONE, NEEDS_NEIGHBOURS},
    [RULE_MISS_READ] = {"read that misses the domain, others' answer", CASE_SNOOP, MISS | HIT | HITM, NEEDS_DOMAINS},
    [RULE_MISS_OWN] = {"RFO that misses the domain, others' answer", CASE_SNOOP, MISS | HIT | HITM, NEEDS_DOMAINS},
    [RULE_MISS_SUPPLIER] = {"miss of the domain, supplier", CASE_SUPPLIER,
                            1 << SUPPLIER_SOCKET_CACHE | 1 << SUPPLIER_LOCAL_DRAM | 1 << SUPPLIER_REMOTE_DRAM |
                                1 << SUPPLIER_REMOTE_CACHE,
                            0},
    [RULE_SNOOPED_TO_READ] = {"other domain snooped to read, state", CASE_STATE, I | S | E | F | M | O, NEEDS_DOMAINS},
    [RULE_SNOOPED_TO_OWN] = {"other domain snooped to own, state", CASE_STATE, I | S | E | F | M | O, NEEDS_DOMAINS},
    [RULE_SNOOPED_CORE_TO_READ] = {"other domain snoops its only sharer, answer", CASE_SNOOP, HIT | HITM,
                                   NEEDS_DOMAINS},
    [RULE_SNOOPED_STALE] = {"other domain snoops its only sharer, which is stale", CASE_ONE, ONE,
                            NEEDS_INCLUSIVE | NEEDS_DOMAINS},
    [RULE_DROPPED_CORE_MODIFIED] = {"a domain drops a line that its core has modified", CASE_ONE, ONE, 0},
    [RULE_SNOOPED_HITM_ENTERS] = {"other domain's LL takes the modified data", CASE_ONE, ONE,
                                  NEEDS_VICTIM | NEEDS_MOESI | NEEDS_DOMAINS},
    [RULE_L2_MODIFIED_LL_HAS] = {"modified L2 victim, present in the LL", CASE_ONE, ONE, 0},
    [RULE_L2_MODIFIED_ENTERS] = {"modified L2 victim enters the LL", CASE_ONE, ONE, NEEDS_VICTIM},
    [RULE_L2_CLEAN_LL_HAS] = {"clean L2 victim, present in the LL, state", CASE_STATE, S | E | F | M | O,
                              NEEDS_VICTIM | NEEDS_NEIGHBOURS},
    [RULE_L2_CLEAN_OTHERS_SHARE] = {"clean L2 victim that other cores share, state", CASE_STATE, S | E | F,
                                    NEEDS_VICTIM | NEEDS_NEIGHBOURS},
    [RULE_L2_CLEAN_ENTERS] = {"clean L2 victim enters the LL, state", CASE_STATE, S | E | F, NEEDS_VICTIM},
    [RULE_FORGOTTEN] = {"last core drops a line that the LL lacks, state", CASE_STATE, S | E | F, NEEDS_VICTIM},
    [RULE_LL_EVICTS] = {"LL evicts, state", CASE_STATE, S | E | F | M | O, 0},
    [RULE_LL_EVICTS_FROM_CORES] = {"LL evicts a line that cores have, state", CASE_STATE, S | E | F | M | O, 0},
    [RULE_LL_EVICTS_FROM_CORES_MODIFIED] = {"LL evicts a line that a core has modified", CASE_ONE, ONE,
                                            NEEDS_INCLUSIVE},
    [RULE_FILTER_EVICTS] = {"filter evicts, state", CASE_STATE, S | E | F | M | O, NEEDS_FILTER},
    [RULE_FILTER_EVICTS_TO_LL] = {"filter evicts modified data to the LL", CASE_ONE, ONE, NEEDS_FILTER},
    [RULE_FILTER_EVICTS_TO_MEMORY] = {"filter evicts modified data to memory", CASE_ONE, ONE, NEEDS_FILTER},
    [RULE_STREAM_PARTIAL_OVER_MODIFIED] = {"partial buffer written over modified data", CASE_ONE, ONE, 0},
    [RULE_STREAM_FULL_OVER_MODIFIED] = {"full buffer written over modified data", CASE_ONE, ONE, 0},
    [RULE_FLUSH_MODIFIED] = {"flush of modified data", CASE_ONE, ONE, 0},
    [RULE_FLUSH_CLEAN] = {"flush of clean data", CASE_ONE, ONE, 0},
};

/* The properties (enum ref_need) of the node. */
static inline unsigned ref_needs_met(const struct sim_config *config) {
    unsigned met = config->inclusion == SIM_INCLUSIVE ? NEEDS_INCLUSIVE : NEEDS_VICTIM;
    met |= config->protocol == SIM_MOESI ? NEEDS_MOESI : 0;
    met |= config->directory == SIM_SNOOP_FILTER ? NEEDS_FILTER : 0;
    met |= sim_part(config->cores_per_socket, config->domains_per_socket) > 1 ? NEEDS_NEIGHBOURS : 0;
    met |= sim_domains(config) > 1 ? NEEDS_DOMAINS : 0;
    met |= sim_cores(config) > 1 ? NEEDS_CORES : 0;
    return met;
}

/* Whether the case can occur on a node with this configuration. */
static inline int ref_case_applies(const struct sim_config *config, enum ref_rule rule, int which) {
    const struct ref_rule_text *text = &REF_RULE_TEXTS[rule];
    if (!(text->cases >> which & 1) || (text->needs & ~ref_needs_met(config)))
        return 0;
    switch (text->kind) {
    case CASE_ONE:
    case CASE_SNOOP:
        break;
    case CASE_STATE:
        if (which == LINE_F)
            return config->protocol == SIM_MESIF && sim_domains(config) > 1;
        if (which == LINE_O)
            return config->protocol == SIM_MOESI && sim_domains(config) > 1;
        return which != LINE_S || sim_domains(config) > 1;
    case CASE_SUPPLIER:
        if (which == SUPPLIER_SOCKET_CACHE)
            return config->domains_per_socket > 1;
        return which == SUPPLIER_LOCAL_DRAM || config->sockets > 1;
    }
    return 1;
}

#endif
