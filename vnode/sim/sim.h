/* sim.h - the simulated hardware: cores with private L1 and L2, last-level domains with a directory, coherence
 * between them, home agents, memory channels, TLBs and a branch predictor. Specification: docs/simulator.md.
 *
 * No engine, no libc: the caller owns all memory and drives the simulator in one thread, one access at a time or by
 * traces (trace.h). The simulator does not know patterns, LIKWID, events or registers. The order of calls is the order
 * of accesses. */
#ifndef ASSAY_SIM_SIM_H
#define ASSAY_SIM_SIM_H

#include <stddef.h>
#include <stdint.h>

#include "types.h"

/* NULL, or one line that says why the configuration cannot be simulated (static storage). */
const char *sim_config_error(const struct sim_config *config);

/* Bytes of zeroed, 64-byte aligned memory that sim_init() needs. */
size_t sim_bytes(const struct sim_config *config);

/* Builds the hardware in `memory`, caches empty. Adds totals to `counts`; both must outlive the simulator. `config`
 * is copied and must have passed sim_config_error(). */
struct sim *sim_init(void *memory, const struct sim_config *config, struct sim_counts *counts);

/* Redirects totals to `counts` (after a fork the child counts separately). */
void sim_set_counts(struct sim *sim, struct sim_counts *counts);

/* The core of a hardware thread (config.h), which it executes from now on, until this is called for another thread of
 * that core. Valid as long as the simulator. */
struct sim_core *sim_core(struct sim *sim, uint32_t cpu);

/* The next accesses are those of this instruction, or of rounds that begin there. Only the stride prefetcher uses it;
 * 0, as at the start: unknown, no prefetches by stride. */
void sim_at(struct sim_core *core, uint64_t instruction);

/* `size` is 1 .. line bytes; an access may touch two lines (split) and two pages. */
void sim_load(struct sim_core *core, uint64_t address, uint32_t size);
void sim_load_locked(struct sim_core *core, uint64_t address,
                     uint32_t size); /* locked load; the store is a separate call */
void sim_store(struct sim_core *core, uint64_t address, uint32_t size);
/* Non-temporal store into one of a core's 10 write-combining buffers (least recently opened flushed first). A full
 * line leaves as one write without reading memory; a buffer flushed early is a partial write. All caches drop the
 * line. */
void sim_store_nt(struct sim_core *core, uint64_t address, uint32_t size);
void sim_fence(struct sim_core *core); /* flushes write-combining buffers (sfence, mfence, locked operations) */
void sim_flush_line(struct sim_core *core, uint64_t address); /* clflush */

/* Leaves data at [first, end), whole pages, out of caches and TLBs: an access counts only as one access, a load as an
 * L1 hit. For memory that the hardware must not see. Set once, before the first access there. */
void sim_leave_out(struct sim *sim, uint64_t first, uint64_t end);

/* Homes of pages (home.h). Cached lines stay when their page moves, and are written back to their old home. `decide`
 * chooses the home of a page at its first touch (NULL: the toucher's NUMA domain). */
void sim_decide_homes(struct sim *sim, uint32_t (*decide)(void *context, uint64_t page, uint32_t toucher),
                      void *context);
uint64_t sim_page(const struct sim *sim, uint64_t address); /* page number, as passed to `decide` */
int sim_home(const struct sim *sim, uint64_t address);      /* memory, -1: not touched yet */
uint32_t sim_touch(struct sim *sim, uint64_t address, uint32_t numa);
void sim_set_home(struct sim *sim, uint64_t address, uint32_t memory);
void sim_move_homes(struct sim *sim, const uint32_t *to); /* all pages of memory n move to to[n] */

/* Sets the test for large pages; NULL: none is large. Before its answer changes for a large page, the caller must let
 * the page leave its frames with sim_leave_frames(), and then flush the data TLBs with sim_forget_translations(). */
void sim_know_large_pages(struct sim *sim, large_pages *is_large, void *context);
void sim_leave_frames(struct sim *sim, uint64_t address, uint64_t bytes); /* writes touched pages back; drops them */
void sim_forget_translations(struct sim *sim);

/* Whole pages were unmapped: their next toucher counts as the first. With several NUMA domains the pages' lines leave
 * the caches, whose domains write modified ones back without a snoop: a hit would leave the first touch unseen. With
 * one they stay. */
void sim_unmap(struct sim *sim, uint64_t address, uint64_t bytes);

/* Tracks stores in flight (forwarding.h), and counts loads that conflict with them, while `*word` is not 0; always if
 * this is never called. `word` must outlive the simulator. */
void sim_follow_stores(struct sim *sim, const uint32_t *word);

/* Instruction fetch of the bytes [address, address+size); counts neither instructions nor cycles of issue.
 * For tests, as sim_branch(): programs have traces (trace.h). */
void sim_fetch(struct sim_core *core, uint64_t address, uint32_t size);

/* `n` instructions retired: CORE_INSTRUCTIONS and their issue cycles. */
void sim_retire(struct sim_core *core, uint32_t n);

/* A retired branch at `address`; prediction: predictor.h. `taken`: 0 or 1; all but conditional branches are. */
void sim_branch(struct sim_core *core, uint64_t address, enum sim_branch_kind kind, int taken, uint64_t target,
                uint64_t fall_through);

/* Number of requests so far that had to share or take a line from another core's or domain's cache; evictions do not
 * count. Tells whether the order of the cores' accesses matters at present. Not a total of the node. */
uint64_t sim_exchanges(const struct sim *sim);

/* sim_time: time of a hardware thread in cycles of clock_hz (CORE_CYCLES plus idle time). sim_idle: adds idle time. */
uint64_t sim_time(const struct sim *sim, uint32_t cpu);
void sim_idle(struct sim_core *core, uint64_t cycles);

#endif
