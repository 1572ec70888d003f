/* coherence.h - what the L3s, home agents and the cores' caches do for a request: MESIF between the sockets, MESI
 * with core-valid bits inside a socket.
 *
 * Inside a socket. The L3 holds every line of its cores' caches and knows by core-valid bits who may hold it. Clean
 * lines leave L1 and L2 silently, so a bit may be stale. With two bits set, all copies are clean: a read needs no
 * snoop (SNOOP_NONE). With one bit, of another core, and the socket the line's owner (E or M), that core is asked:
 * it has the line no more (SNOOP_MISS, its bit is cleared), has it clean (SNOOP_HIT) or modified (SNOOP_HITM: the
 * data goes to the L3, which becomes M, and both cores share it). A request for ownership asks all others and
 * invalidates.
 *
 * Between sockets. A miss snoops the L3s of all other sockets. M there: the line is forwarded and, on a read,
 * written to its home memory too; the reader's socket becomes F, the other S. E or F there: forwarded clean, states
 * likewise, memory is not read. S only: memory supplies, the reader becomes F. Nowhere: memory supplies, E.
 * Ownership invalidates elsewhere; a modified line moves on as M without being written to memory. A write request
 * to a line in S or F invalidates the other sockets' copies and moves no data.
 *
 * Not modelled: speculative memory reads, directory bits in memory, L3 evictions' own snoops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_COHERENCE_H
#define ASSAY_SIM_COHERENCE_H

#include "hardware.h"

struct grant {
    enum private_state state; /* S or E: what the core's caches may take it as */
    enum source source;
};

/* A request that left the core's L2: REQUEST_DATA_READ, REQUEST_RFO (grants E) or REQUEST_CODE_READ. */
struct grant coherence_request(struct sim_core *core, uint64_t line, enum sim_request request);

/* The core's L1I takes a line that L2 has: from now on snoops of it ask L1I too. */
void coherence_fetched(struct sim_core *core, uint64_t line);

/* A modified line leaves the core's L2. It does not become more recent in L3: recency is that of demand. */
void coherence_writeback(struct sim_core *core, uint64_t line);

/* A write-combining buffer leaves the core. The line is dropped from all caches; what was modified there is
 * overwritten by a full line, and written to memory before a partial one. */
void coherence_streaming_store(struct sim_core *core, uint64_t line, int partial);

/* The line is dropped from all caches, and written to memory if modified. */
void coherence_flush(struct sim_core *core, uint64_t line);

#endif
