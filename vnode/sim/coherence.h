/* coherence.h - what happens outside of a core for its requests, victims and writes that pass the caches.
 * docs/simulator.md says it policy by policy; inclusive.c and victim.c do it inside of a domain, others.c between
 * domains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_COHERENCE_H
#define ASSAY_SIM_COHERENCE_H

#include "hardware.h"

struct grant {
    enum private_state state; /* S, E or M: what L2 may take it as. M: the core owes the line to memory from now on */
    enum source source;
};

/* A request that left the core's L2: REQUEST_DATA_READ, REQUEST_RFO (grants E or M) or REQUEST_CODE_READ. */
struct grant coherence_request(struct sim_core *core, uint64_t line, enum sim_request request);

/* The core's L1I takes a line that L2 has. */
void coherence_fetched(struct sim_core *core, uint64_t line);

/* A modified line leaves the core's L2. It does not become more recent below: recency is that of demand. */
void coherence_writeback(struct sim_core *core, uint64_t line);

/* Where the domain is told of them (core->tells): a clean line leaves the core's L2, nonzero if the last level takes
 * it; a clean line that L2 does not have leaves the last of the core's other caches. */
int coherence_clean_victim(struct sim_core *core, uint64_t line);
void coherence_left(struct sim_core *core, uint64_t line);

/* A write-combining buffer leaves the core. The line is dropped from all caches; what was modified there is
 * overwritten by a full line, and written to memory before a partial one. */
void coherence_streaming_store(struct sim_core *core, uint64_t line, int partial);

/* The line is dropped from all caches, and written to memory if modified. */
void coherence_flush(struct sim_core *core, uint64_t line);

#endif
