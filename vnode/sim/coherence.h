/* coherence.h - requests, victims and cache-bypassing writes of a core, outside of that core. The policies:
 * docs/simulator.md. Lines are physical ones (frames.h). inclusive.c and victim.c implement them inside a domain,
 * others.c between domains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_COHERENCE_H
#define ASSAY_SIM_COHERENCE_H

#include "hardware.h"

/* Answer to a request. Two words, so that it is returned in registers.
 *
 * `rest` is the line's word in L2 (cache.h) without its key. It has the state that L2 may take: S, E or M. With M the
 * core must write the line back later. Its note says where the line is below L2, in an inclusive last level or a snoop
 * filter. The line stays there as long as L2 has it. */
struct grant {
    uint64_t rest;
    enum source source;
};

static inline struct grant grant_of(enum private_state state, enum source source, uint32_t place) {
    return (struct grant){state | (uint64_t)place << CACHE_PLACE_SHIFT, source};
}

static inline enum private_state grant_state(struct grant grant) {
    return cache_state(grant.rest);
}

/* A request that left the core's L2: a data read, RFO (grants E or M) or code read, for demand or a prefetcher of L1D
 * or L2. */
struct grant coherence_request(struct sim_core *core, uint64_t line, enum sim_request request);

/* The same for the requests of streams: REQUEST_DATA_READ and REQUEST_RFO. */
struct grant coherence_read(struct sim_core *core, uint64_t line);
struct grant coherence_own(struct sim_core *core, uint64_t line);

/* A prefetch into the last level only, for a core with an inclusive one; whether that had the line. `request`:
 * REQUEST_L3_PREFETCH_*. */
int coherence_prefetch_l3(struct sim_core *core, uint64_t line, enum sim_request request);

/* The core's L1I fills a line from L2. */
void coherence_fetched(struct sim_core *core, uint64_t line);

/* A modified line leaves the core's L2, which had this word for it. Its recency below stays: only demand requests renew
 * it. */
void coherence_writeback(struct sim_core *core, uint64_t word);

/* Only if the domain tracks clean evictions (core->tells). clean_victim: a clean line leaves L2, which had this word;
 * returns nonzero if the last level takes it. left: a clean line that is not in L2 leaves the last other cache of the
 * core. */
int coherence_clean_victim(struct sim_core *core, uint64_t word);
void coherence_left(struct sim_core *core, uint64_t line);

/* A write-combining buffer leaves the core. All caches drop the line. A full line overwrites modified data; before a
 * partial write, modified data is written to memory. */
void coherence_streaming_store(struct sim_core *core, uint64_t line, int partial);

/* All caches drop the line; modified data is written to memory. */
void coherence_flush(struct sim_core *core, uint64_t line);

/* The same for a line whose page was unmapped: each domain writes its own data; nobody snoops or looks anything up. */
void coherence_drop(struct sim *sim, uint64_t line);

#endif
