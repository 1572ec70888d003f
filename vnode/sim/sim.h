/* sim.h - the simulated hardware: cores with private L1 and L2, last-level domains with a directory, coherence between
 * them, home agents, memory channels, TLBs and a branch predictor. docs/simulator.md says what each access does.
 *
 * Engine-free and libc-free: the caller owns all memory and drives the simulator one access at a time, in one
 * thread. Nothing here knows of patterns, LIKWID, events or registers. Accesses of different cores are seen
 * in the order of the calls. */
#ifndef ASSAY_SIM_SIM_H
#define ASSAY_SIM_SIM_H

#include <stddef.h>
#include <stdint.h>

#include "types.h"

/* NULL if the configuration can be simulated, else one line that says what is wrong (static storage). */
const char *sim_config_error(const struct sim_config *config);

/* Bytes of zeroed, 64-byte aligned memory that sim_init() needs. */
size_t sim_bytes(const struct sim_config *config);

/* Builds the hardware in `memory`, caches empty. `counts` gets the totals (only added to); both must outlive
 * the simulator. `config` is copied and must have passed sim_config_error(). */
struct sim *sim_init(void *memory, const struct sim_config *config, struct sim_counts *counts);

/* From now on totals go to `counts` (after a fork: the child counts for itself). */
void sim_set_counts(struct sim *sim, struct sim_counts *counts);

/* The core with that number; it stays valid as long as the simulator. */
struct sim_core *sim_core(struct sim *sim, uint32_t core);

/* `size` is 1 .. line bytes; an access may touch two lines (split) and two pages. */
void sim_load(struct sim_core *core, uint64_t address, uint32_t size);
void sim_load_locked(struct sim_core *core, uint64_t address,
                     uint32_t size); /* counts a locked load; the store follows by itself */
void sim_store(struct sim_core *core, uint64_t address, uint32_t size);
/* Non-temporal store: goes through one of a core's write-combining buffers (10, least recently opened flushed first); a
 * full line leaves as one full-line write without reading memory; a buffer flushed early is a partial write. The line
 * is dropped from all caches. */
void sim_store_nt(struct sim_core *core, uint64_t address, uint32_t size);
void sim_fence(struct sim_core *core); /* flushes write-combining buffers (sfence, mfence, locked operations) */
void sim_flush_line(struct sim_core *core, uint64_t address); /* clflush */

/* Data at [first, end), whole pages, is in no cache and no TLB from now on: an access there counts as one, a load as a
 * hit in L1, and nothing else happens. For what the hardware must not see. Set once, before the first access there. */
void sim_leave_out(struct sim *sim, uint64_t first, uint64_t end);

/* Where pages lie. Cached lines stay when their page moves, and go back to where they came from. `decide` names the
 * home of a page that is touched for the first time (NULL: the toucher's NUMA domain); see home.h. */
void sim_decide_homes(struct sim *sim, uint32_t (*decide)(void *context, uint64_t page, uint32_t toucher),
                      void *context);
uint64_t sim_page(const struct sim *sim, uint64_t address); /* its number for `decide` */
int sim_home(const struct sim *sim, uint64_t address);      /* NUMA domain, -1: not touched yet */
uint32_t sim_touch(struct sim *sim, uint64_t address, uint32_t numa);
void sim_set_home(struct sim *sim, uint64_t address, uint32_t numa);
void sim_move_homes(struct sim *sim, const uint32_t *to); /* all pages of NUMA domain n to to[n] */

/* Which pages are large; NULL: none is. Whoever changes the answer says so, and the data's translations are forgotten,
 * as a processor is told to. */
void sim_know_large_pages(struct sim *sim, large_pages *is_large, void *context);
void sim_forget_translations(struct sim *sim);

/* The pages of [address, address+bytes), whole pages, were unmapped: whoever touches them next is their first toucher
 * again. Cached lines stay. */
void sim_unmap(struct sim *sim, uint64_t address, uint64_t bytes);

/* `*word` becomes 0 whenever a snoop or an eviction from L3 takes a line from an L1I: a caller that leaves out fetches
 * of what was fetched last remembers that there. `word` must outlive the simulator. */
void sim_watch_code(struct sim *sim, uint64_t *word);

/* Stores in flight (forwarding.h) are followed, and loads that meet them counted, while `*word` is not 0; always, if
 * this is not called. `word` must outlive the simulator. */
void sim_follow_stores(struct sim *sim, const uint32_t *word);

/* Instruction fetch of the bytes [address, address+size); counts neither instructions nor cycles of issue. */
void sim_fetch(struct sim_core *core, uint64_t address, uint32_t size);

/* `n` instructions retired: CORE_INSTRUCTIONS and their issue cycles. */
void sim_retire(struct sim_core *core, uint32_t n);

/* A retired branch at `address`. Predictor: two-level (gshare) direction, last-target for indirect, return stack. */
void sim_branch(struct sim_core *core, uint64_t address, enum sim_branch_kind kind, int taken, uint64_t target,
                uint64_t fall_through);

/* How often cores have come upon each other's lines so far: requests that found the line in another core's or another
 * domain's cache and had to share or take it. Evictions are none. It tells whether the order of the cores' accesses
 * matters at present; it is no total of the node. */
uint64_t sim_exchanges(const struct sim *sim);

/* Time of this core in cycles of clock_hz (CORE_CYCLES plus idle time), and idling without counting cycles. */
uint64_t sim_time(const struct sim_core *core);
void sim_idle(struct sim_core *core, uint64_t cycles);

#endif
