/* hardware.h - the parts of the simulated hardware as structures. Private to vnode/sim.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_HARDWARE_H
#define ASSAY_SIM_HARDWARE_H

#include "cache.h"
#include "directory.h"
#include "dram.h"
#include "forwarding.h"
#include "home.h"
#include "l3.h"
#include "near.h"
#include "predictor.h"
#include "types.h"

/* The line sizes. An access within the smaller one is within a line of any node. */
enum { LINE_BYTES_MIN = 64, LINE_BYTES_MAX = 128 };

/* Addresses are modulo 2^47, the user half of the x86-64 address space. */
#define ADDRESS_MASK ((UINT64_C(1) << 47) - 1)

/* Source of a demand access, nearest first; a split load has the source of its farther line. */
enum source {
    SOURCE_L1,
    SOURCE_L2,
    SOURCE_L3_SNOOP_NONE,
    SOURCE_L3_SNOOP_MISS,
    SOURCE_L3_SNOOP_HIT,
    SOURCE_L3_SNOOP_HITM,
    SOURCE_SOCKET_FORWARD,
    SOURCE_SOCKET_HITM,
    SOURCE_LOCAL_DRAM,
    SOURCE_REMOTE_DRAM,
    SOURCE_REMOTE_FORWARD,
    SOURCE_REMOTE_HITM,
    SOURCES
};

struct clock {
    uint64_t cycles; /* since the start, idle time included */
    uint32_t issue;  /* instructions * 4 not yet converted to whole cycles */
    uint32_t per_cycle_x4;
};

/* Write-combining buffers (wcbuffer.h). */
enum { WC_BUFFERS = 10, WC_WORDS = 2 };
struct wc_buffers {
    uint64_t line[WC_BUFFERS];              /* in the order of opening */
    uint64_t written[WC_BUFFERS][WC_WORDS]; /* a bit for each byte */
    uint32_t open;
};

/* The first branch after the address `start`, in half a host line. */
struct wrong_path_place {
    uint64_t start;
    uint64_t next; /* address after the branch; 0: empty entry */
    uint64_t word; /* the branch: trace.h */
    uint64_t unused;
};

struct wrong_path {
    struct wrong_path_place *places;
    uint64_t start; /* address that the last retired branch led to */
};

/* Cores that share a last level. */
struct domain {
    struct l3 l3;
    struct directory directory; /* of a victim domain */
    struct sim_slice_counts *slices;
    struct sim_core *cores; /* of this domain */
    struct sim *sim;
    uint32_t number, socket;
    uint8_t distance[SIM_MEMORIES_MAX]; /* enum sim_distance of each memory */
};

struct socket {
    struct sim_socket_counts *counts;
    uint32_t number;
    uint64_t cycles;      /* time of its most advanced core, in core cycles */
    uint64_t uncore_step; /* uncore cycles per core cycle, times 2^32 */
    uint64_t uncore_rest; /* part of an uncore cycle, times 2^32 */
};

struct prefetcher;
struct pipeline;

/* Where a data TLB had a page's word: bytes from the core on. In half a host line, so that a shift finds it. */
struct page_place {
    uint64_t page, word, place, unused;
};

enum { PAGE_PLACE_BITS = 9, PAGE_PLACES = 1 << PAGE_PLACE_BITS };

/* A run of instructions by its word (trace_word.h), 0: none, and when it was fetched last. */
struct fetched_run {
    uint64_t word, stamp;
};

/* The place of a run, and when one first became known there. */
struct known_run {
    struct fetched_run *run;
    uint64_t stamp;
};

enum { FETCHED_BITS = 12, FETCHED_RUNS = 1 << FETCHED_BITS, FETCHED_QUIET = 5000 };

/* See fetched.h. `known` lists the runs that are kept. They are kept only if nothing was lost for `quiet` stamps, since
 * `since`: what it costs must pay. */
struct fetched {
    uint64_t since, quiet;
    struct fetched_run run[FETCHED_RUNS];
    struct known_run known[FETCHED_RUNS];
    uint32_t number;
};

/* What a hardware thread has of its own. The tables of predictor and wrong path are the core's. */
struct hardware_thread {
    struct sim_core_counts *counts;
    struct clock clock;
    struct forwarding *forwarding;
    struct predictor predictor;
    struct wrong_path wrong_path;
};

/* A core, while it executes one of its hardware threads: see sim_core(). */
struct sim_core {
    uint64_t *total; /* counts->total: the totals that every access adds to */
    struct near l1d, dtlb, l1i, itlb;
    uint32_t page_shift, line_shift;
    uint64_t stamp;        /* of the next access: near.h */
    uint32_t nearest_ways; /* lowest associativity of L1D and data TLBs: that many last touched lines are present */
    uint64_t lost;         /* lines that L1D has lost, or lost ownership of, to snoops and prefetches */
    uint32_t tells;        /* 1: its domain tracks clean evictions (victim domains) */
    uint32_t usual;        /* 1: it has no random frames and no prefetchers: hierarchy_fill() */
    uint64_t branched[BRANCH_RETURN + 1]; /* retired branches by kind, not counted yet: branch_settle() */
    uint64_t filled[2]; /* lines that it filled from L2 for loads and stores, not counted yet: hierarchy_settle() */
    struct cache l2, stlb;
    struct near dtlb_large;
    struct near *large;                   /* the data TLB of large pages */
    struct page_place pages[PAGE_PLACES]; /* by page: trace.c */
    struct clock clock;
    uint32_t latency[SOURCES]; /* cycles added by an access served there */
    uint32_t walk_latency, branch_penalty;
    uint64_t wrong_path_bytes; /* reach of a wrong path */
    struct wc_buffers wc;
    const uint32_t *follows; /* see sim_follow_stores() */
    struct forwarding *forwarding;
    struct predictor predictor;
    struct wrong_path wrong_path;
    struct prefetcher *prefetcher; /* NULL: the core has no prefetchers */
    struct pipeline *pipeline;     /* NULL: the core has none */
    uint64_t instruction;          /* see sim_at() */
    uint64_t behind;               /* where the last run of instructions ends: trace.c */
    struct sim_core_counts *counts;
    struct domain *domain;
    struct socket *socket;
    struct sim *sim;
    uint32_t numa;
    uint32_t cpu;         /* number of the hardware thread that it executes */
    uint64_t bit;         /* 1 << the core's number in its domain: core-valid bit */
    uint64_t owned_line;  /* the last line that it requested to own and its domain did not know; only with evasion */
    uint32_t owned_lines; /* number of such lines before it that were consecutive */
    struct fetched fetched;
};

struct sim {
    struct sim_config config;
    uint32_t page_shift, line_shift;
    uint32_t large_shift;  /* page number >> this = large page number */
    large_pages *is_large; /* see sim_know_large_pages() */
    void *large_context;
    uint8_t socket_of_memory[SIM_MEMORIES_MAX];
    uint32_t domains, numas;
    uint64_t left_out, left_out_bytes; /* see sim_leave_out() */
    uint64_t exchanges;                /* see sim_exchanges() */
    struct dram dram;
    struct home_table homes;
    struct sim_hbm_counts *hbm; /* by NUMA domain */
    struct socket socket[SIM_SOCKETS_MAX];
    struct domain domain[SIM_DOMAINS_MAX];
    struct sim_core *cores;
    struct hardware_thread *threads; /* by number; of a thread that a core executes, the core has the current state */
};

static inline uint64_t page_of_line(const struct sim_core *core, uint64_t line) {
    return line >> (core->page_shift - core->line_shift);
}

/* A number of so many bits for the key: Fibonacci hashing. */
static inline uint32_t spread(uint32_t key, uint32_t bits) {
    return key * UINT32_C(0x9e3779b1) >> (32 - bits);
}

/* See sim_leave_out(). TLBs never hold such a page. */
static inline int sim_leaves_out(const struct sim_core *core, uint64_t address) {
    return address - core->sim->left_out < core->sim->left_out_bytes;
}

#endif
