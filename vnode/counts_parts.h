/* counts_parts.h - the parts of struct sim_counts for hardware that the node has; all others are 0. Freestanding: the
 * engine (no libc) and the daemon (libc) both include it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_COUNTS_PARTS_H
#define ASSAY_VNODE_COUNTS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/counts.h"

/* A part consists of 64-bit totals; the first is at byte `start` of struct sim_counts. */
struct counts_part {
    size_t start, totals;
};

enum { COUNTS_PARTS = 5 };

static inline void counts_find_parts(const struct sim_config *config, struct counts_part part[COUNTS_PARTS]) {
    enum { TOTAL = sizeof(uint64_t) };
    const struct sim_counts *counts = NULL; /* for its sizes */
    part[0] =
        (struct counts_part){offsetof(struct sim_counts, core), sim_cpus(config) * sizeof counts->core[0] / TOTAL};
    part[1] = (struct counts_part){offsetof(struct sim_counts, domain),
                                   sim_domains(config) * sizeof counts->domain[0] / TOTAL};
    part[2] =
        (struct counts_part){offsetof(struct sim_counts, memory), sim_numas(config) * sizeof counts->memory[0] / TOTAL};
    part[3] =
        (struct counts_part){offsetof(struct sim_counts, socket), config->sockets * sizeof counts->socket[0] / TOTAL};
    part[4] = (struct counts_part){offsetof(struct sim_counts, hbm),
                                   config->hbm_channels ? sim_numas(config) * sizeof counts->hbm[0] / TOTAL : 0};
}

static inline uint64_t *counts_totals(struct sim_counts *counts, const struct counts_part *part) {
    return (uint64_t *)(void *)((char *)counts + part->start);
}

#endif
