/* domain.h - common parts of both kinds of last-level domains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DOMAIN_H
#define ASSAY_SIM_DOMAIN_H

#include "hardware.h"

/* Answer of a snooped domain. */
struct domain_answer {
    enum sim_snoop snoop; /* MISS: line absent, HIT: present, HITM: modified */
    int forwards;         /* supplies the data */
    uint32_t home;        /* the line's home, where modified data is written */
    uint64_t sharers;     /* drop: cores that were recorded as holders */
};

static inline enum sim_distance domain_distance(const struct domain *domain, uint32_t home) {
    return (enum sim_distance)domain->distance[home];
}

/* Counts a core's request to a slice, for a line of NUMA domain `home`. */
static inline void domain_count_request(const struct domain *domain, uint32_t slice, enum sim_request request,
                                        enum sim_knowledge knowledge, uint32_t home) {
    domain->slices[slice].requests[request][knowledge][domain_distance(domain, home)]++;
}

static inline int line_owned(enum sim_line_state state) {
    return state == LINE_E || state == LINE_M;
}

/* The domain's copy is newer than memory. */
static inline int line_modified(enum sim_line_state state) {
    return state == LINE_M || state == LINE_O;
}

/* Whether exactly one core is in `sharers`, and it is not `reader` (a bit). */
static inline int one_other(uint64_t sharers, uint64_t reader) {
    return sharers != 0 && (sharers & (sharers - 1)) == 0 && sharers != reader;
}

static inline struct sim_core *core_of_bit(const struct domain *domain, uint64_t sharers) {
    return &domain->cores[__builtin_ctzll(sharers)];
}

/* The state of a line after another domain has read it, and the answer for a line in `state`. */
static inline enum sim_line_state line_after_read(const struct sim *sim, enum sim_line_state state) {
    return line_modified(state) && sim->config.protocol == SIM_MOESI ? LINE_O : LINE_S;
}

static inline struct domain_answer answer_of(enum sim_line_state state, uint32_t home) {
    return (struct domain_answer){line_modified(state) ? SNOOP_HITM : SNOOP_HIT, state != LINE_S, home, 0};
}

#endif
