/* domain.h - what the kinds of last-level domains have in common.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DOMAIN_H
#define ASSAY_SIM_DOMAIN_H

#include "hardware.h"

/* What a domain answers that was snooped for a line. */
struct domain_answer {
    enum sim_snoop snoop; /* MISS: does not know it, HIT, HITM: has it modified */
    int forwards;         /* supplies the data */
    uint32_t home;        /* where the line came from: there a modified one belongs */
    uint64_t sharers;     /* of a line that was dropped: the cores that were taken for holders */
};

/* A core of the domain asks a slice for a line that belongs to NUMA domain `home`. */
static inline void domain_count_request(const struct domain *domain, uint32_t slice, enum sim_request request,
                                        enum sim_knowledge knowledge, uint32_t home) {
    enum sim_distance distance = domain->sim->socket_of_numa[home] == domain->socket ? DISTANCE_LOCAL : DISTANCE_REMOTE;
    domain->slices[slice].requests[request][knowledge][distance]++;
}

static inline int line_owned(enum sim_line_state state) {
    return state == LINE_E || state == LINE_M;
}

/* The last level's copy is newer than memory. */
static inline int line_modified(enum sim_line_state state) {
    return state == LINE_M || state == LINE_O;
}

/* One core, and not the one of bit `reader`. */
static inline int one_other(uint64_t sharers, uint64_t reader) {
    return sharers != 0 && (sharers & (sharers - 1)) == 0 && sharers != reader;
}

static inline struct sim_core *core_of_bit(const struct domain *domain, uint64_t sharers) {
    return &domain->cores[__builtin_ctzll(sharers)];
}

/* The state of a line that another domain has read, and the answer of whose state it was. */
static inline enum sim_line_state line_after_read(const struct sim *sim, enum sim_line_state state) {
    return line_modified(state) && sim->config.protocol == SIM_MOESI ? LINE_O : LINE_S;
}

static inline struct domain_answer answer_of(enum sim_line_state state, uint32_t home) {
    return (struct domain_answer){line_modified(state) ? SNOOP_HITM : SNOOP_HIT, state != LINE_S, home, 0};
}

#endif
