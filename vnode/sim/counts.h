/* counts.h - every quantity the simulated hardware counts, as totals.
 *
 * A total never decreases while a process runs. The simulator adds to it; the virtual PMU (vnode/pmu) reads it and
 * derives event counts. Units are events (lines, operations, instructions, cycles). A quantity without a total here
 * is not modelled and is never reported as 0.
 *
 * This header is freestanding: the engine (no libc) and the daemon (libc) both include it. */
#ifndef ASSAY_SIM_COUNTS_H
#define ASSAY_SIM_COUNTS_H

#include <stdint.h>

enum {
    SIM_CORES_MAX = 64,  /* a set of cores, or of their hardware threads, is a 64-bit word */
    SIM_THREADS_MAX = 2, /* hardware threads per core */
    SIM_SOCKETS_MAX = 4,
    SIM_DOMAINS_MAX = 16, /* last-level domains of the node */
    SIM_SLICES_MAX = 64,  /* L3 slices per last-level domain */
    SIM_NUMA_MAX = 16,    /* NUMA domains of the node */
    SIM_MEMORIES_MAX = 2 * SIM_NUMA_MAX,
    SIM_CHANNELS_MAX = 12, /* memory channels per NUMA domain */
    SIM_HBM_MAX = 32,      /* channels of high-bandwidth memory per NUMA domain */
    SIM_RANKS_MAX = 8,     /* ranks per channel */
    SIM_BANKS_MAX = 16,    /* banks per rank */
    SIM_AGENTS_MAX = 4,    /* home agents per NUMA domain */
    SIM_LINKS_MAX = 6,     /* links per socket to other sockets */
};

/* Totals of one hardware thread. */
enum sim_core_count {
    /* instruction stream: added by the engine */
    CORE_INSTRUCTIONS,
    CORE_AVX_LOADS,           /* 256-bit data movement from memory */
    CORE_AVX_STORES,          /* 256-bit data movement to memory */
    CORE_AVX_CALC,            /* 256-bit arithmetic; vinsertf128 too */
    CORE_DIVIDER_UOPS,        /* divisions and square roots: one up to 128 bits, two for 256 */
    CORE_DIVISIONS,           /* of them: divisions of integers */
    CORE_VECTOR_INSTRUCTIONS, /* SSE and AVX: they access vector registers, or clear them (vzeroupper) */
    CORE_PREFETCHES,          /* prefetch instructions for reading; the prefetched accesses are not modelled */
    CORE_PREFETCHES_WRITE,    /* for writing */
    CORE_PREFETCHES_NT,       /* non-temporal ones */
    CORE_AVX_TO_SSE,          /* transitions of the vector registers' upper halves: upper.h */
    CORE_SSE_TO_AVX,
    /* retired floating-point arithmetic by width and precision; a fused multiply-add counts twice */
    CORE_FP_SCALAR_SP,
    CORE_FP_SCALAR_DP,
    CORE_FP_128_SP,
    CORE_FP_128_DP,
    CORE_FP_256_SP,
    CORE_FP_256_DP,
    /* the same by kind: one operation per element, two per fused multiply-add element. Minima, maxima and approximate
     * reciprocals count in none of them */
    CORE_FLOPS_ADD,
    CORE_FLOPS_MULTIPLY,
    CORE_FLOPS_DIVIDE, /* square roots too */
    CORE_FLOPS_FUSED,
    /* branches: sim_branch() */
    CORE_BRANCHES,
    CORE_BRANCHES_CONDITIONAL,
    CORE_BRANCHES_NOT_TAKEN, /* conditional, not taken */
    CORE_BRANCHES_TAKEN,     /* all kinds, taken */
    CORE_BRANCHES_CALL,
    CORE_BRANCHES_RETURN,
    CORE_BRANCHES_INDIRECT, /* indirect jumps that are neither call nor return */
    CORE_BRANCHES_CALL_INDIRECT,
    CORE_MISPREDICTED,
    CORE_MISPREDICTED_CONDITIONAL,
    CORE_MISPREDICTED_TAKEN,
    CORE_MISPREDICTED_RETURN,
    CORE_MISPREDICTED_INDIRECT, /* jumps and calls */
    /* speculative branches on wrong paths, never retired; conditional ones as predicted: wrong_path.h */
    CORE_BEGUN_TAKEN,
    CORE_BEGUN_NOT_TAKEN,
    CORE_BEGUN_JUMP,
    CORE_BEGUN_CALL,
    CORE_BEGUN_RETURN,
    CORE_BEGUN_INDIRECT,
    CORE_BEGUN_CALL_INDIRECT,
    /* data accesses, as retired memory micro-operations: sim_load(), sim_store() */
    CORE_LOADS,
    CORE_STORES, /* all stores, non-temporal ones included */
    CORE_STORES_NT,
    CORE_UPDATES, /* load-store pairs of instructions that modify memory; added by the engine */
    CORE_LOADS_LOCKED,
    CORE_LOADS_SPLIT,         /* touch two lines */
    CORE_LOADS_NOT_FORWARDED, /* a store in flight has some of their bytes but not all: forwarding.h */
    CORE_LOADS_ALIASED,       /* a store in flight has the same page offset in another page */
    CORE_STORES_SPLIT,
    CORE_LOADS_STLB_MISS,
    CORE_STORES_STLB_MISS,
    /* where a retired load was served */
    CORE_LOAD_L1_HIT,
    CORE_LOAD_L1_MISS,
    CORE_LOAD_L2_HIT,
    CORE_LOAD_L2_MISS,
    CORE_LOAD_L3_HIT,
    CORE_LOAD_L3_MISS,
    CORE_LOAD_L3_HIT_SNOOP_NONE, /* L3 hit, no other core snooped */
    CORE_LOAD_L3_HIT_SNOOP_MISS, /* another core snooped, it no longer had the line */
    CORE_LOAD_L3_HIT_SNOOP_HIT,  /* another core had it clean */
    CORE_LOAD_L3_HIT_SNOOP_HITM, /* another core had it modified */
    CORE_LOAD_SOCKET_FORWARD,    /* clean, from another last-level domain of the socket */
    CORE_LOAD_SOCKET_HITM,       /* modified there */
    CORE_LOAD_LOCAL_DRAM,
    CORE_LOAD_REMOTE_DRAM,
    CORE_LOAD_REMOTE_HITM,    /* from a remote socket's cache, modified there */
    CORE_LOAD_REMOTE_FORWARD, /* from a remote socket's cache, clean there */
    /* L1 */
    CORE_L1D_REPLACEMENT, /* lines brought into L1D */
    CORE_L1I_MISS,
    /* L2: requests by kind and outcome */
    CORE_L2_DATA_READ_HIT,
    CORE_L2_DATA_READ_MISS,
    CORE_L2_RFO_HIT,
    CORE_L2_RFO_MISS,
    CORE_L2_CODE_READ_HIT,
    CORE_L2_CODE_READ_MISS,
    CORE_L2_L1_PREFETCH_HIT, /* reads for L1D's prefetchers */
    CORE_L2_L1_PREFETCH_MISS,
    CORE_L2_PREFETCH_HIT, /* requests of L2's own prefetchers, also those into the last level only */
    CORE_L2_PREFETCH_MISS,
    CORE_L2_DATA_READ_HIT_SHARED, /* hits on lines that L2 has shared, for L1D's prefetchers as well */
    CORE_L2_CODE_READ_HIT_SHARED,
    CORE_L2_UPGRADE,           /* RFOs, hits and misses, of lines that L1 has shared */
    CORE_L2_L1D_WRITEBACK,     /* L1D write-backs that reach L2 */
    CORE_L2_L1D_WRITEBACK_HIT, /* ... that hit in L2 */
    CORE_L2_LINES_IN_S,        /* lines brought into L2, by the state they arrive in */
    CORE_L2_LINES_IN_E,        /* E, or M when fetched for ownership */
    CORE_L2_WRITEBACK,         /* modified L2 lines written to L3 */
    CORE_L2_LINES_OUT_CLEAN,   /* L2 lines evicted for another line */
    CORE_L2_LINES_OUT_DIRTY,
    CORE_L2_PREFETCH_OUT_CLEAN, /* those evicted for a line that L2's prefetchers brought */
    CORE_L2_PREFETCH_OUT_DIRTY,
    CORE_L2_VICTIM_CLEAN, /* clean ones handed to the level below */
    /* TLB */
    CORE_DTLB_LOAD_WALK,
    CORE_DTLB_LOAD_STLB_HIT,
    CORE_DTLB_STORE_WALK,
    CORE_DTLB_STORE_STLB_HIT,
    CORE_DTLB_LOAD_WALK_CYCLES,
    CORE_DTLB_STORE_WALK_CYCLES,
    CORE_DTLB_LOAD_WALK_LARGE, /* walks and hits above that were for large pages */
    CORE_DTLB_LOAD_STLB_HIT_LARGE,
    CORE_DTLB_STORE_WALK_LARGE,
    CORE_DTLB_STORE_STLB_HIT_LARGE,
    CORE_ITLB_WALK,
    CORE_ITLB_STLB_HIT,
    CORE_ITLB_WALK_CYCLES,
    /* cycles: cycles.h */
    CORE_CYCLES,
    CORE_COUNTS
};

/* Offcore responses of one hardware thread: requests that left L2, by request, supplier and snoop result. Requests
 * without PREFETCH are demand requests. PREFETCH: for L2's prefetchers; L3_PREFETCH: for those, into the last level
 * only. */
enum sim_request {
    REQUEST_DATA_READ,
    REQUEST_RFO,
    REQUEST_CODE_READ,
    REQUEST_WRITEBACK,
    REQUEST_STREAMING_STORE,
    REQUEST_L1_PREFETCH, /* a data read for L1D's prefetchers */
    REQUEST_PREFETCH_DATA_READ,
    REQUEST_PREFETCH_RFO,
    REQUEST_PREFETCH_CODE_READ,
    REQUEST_L3_PREFETCH_DATA_READ,
    REQUEST_L3_PREFETCH_RFO,
    REQUEST_L3_PREFETCH_CODE_READ,
    SIM_REQUESTS
};
enum sim_supplier {
    SUPPLIER_L3,
    SUPPLIER_SOCKET_CACHE, /* another last-level domain of the socket */
    SUPPLIER_LOCAL_DRAM,
    SUPPLIER_REMOTE_DRAM,
    SUPPLIER_REMOTE_CACHE,
    SUPPLIER_NONE,
    SIM_SUPPLIERS
};
enum sim_snoop { SNOOP_NONE, SNOOP_MISS, SNOOP_HIT, SNOOP_HITM, SIM_SNOOPS };

/* Lookups in an L3 slice are counted by kind and by the domain's state of the line (I: miss in the slice and its
 * directory). */
enum sim_line_state { LINE_I, LINE_S, LINE_E, LINE_F, LINE_M, LINE_O, SIM_LINE_STATES };
enum sim_lookup { LOOKUP_DATA_READ, LOOKUP_RFO, LOOKUP_CODE_READ, LOOKUP_WRITE, LOOKUP_REMOTE_SNOOP, SIM_LOOKUPS };

/* Whether the line's home is in the same socket. */
enum sim_distance { DISTANCE_LOCAL, DISTANCE_REMOTE, SIM_DISTANCES };

/* Whether the domain knew the line when the request came (simulator.md). */
enum sim_knowledge { LINE_UNKNOWN, LINE_KNOWN, SIM_KNOWLEDGES };

struct sim_slice_counts {
    uint64_t requests[SIM_REQUESTS][SIM_KNOWLEDGES][SIM_DISTANCES]; /* of the domain's cores */
    uint64_t streams_over_modified; /* streaming stores to lines that the domain had modified */
    uint64_t clean_given_up;        /* clean lines that another domain's snoop took */
    uint64_t lookups[SIM_LOOKUPS][SIM_LINE_STATES];
    uint64_t lookups_directory[SIM_LOOKUPS]; /* lookups that found the line only in the cores, not in the slice */
    uint64_t victims[SIM_LINE_STATES];       /* lines evicted for another line, by state */
    uint64_t victims_in_clean;               /* victims received from L2, clean and modified */
    uint64_t victims_in_modified;
};

struct sim_domain_counts { /* a last-level domain */
    struct sim_slice_counts slice[SIM_SLICES_MAX];
};

/* Answers of another domain to a snoop. INVALID and SHARED: the state its copy changes to. FORWARD: it sends the line
 * to the requester. WRITEBACK: it writes the line back. (Intel: RspI, RspS, RspIFwd, RspSFwd, Rsp*WB, Rsp*Fwd*WB.) */
enum sim_answer {
    ANSWER_INVALID,
    ANSWER_SHARED,
    ANSWER_INVALID_FORWARD,
    ANSWER_SHARED_FORWARD,
    ANSWER_WRITEBACK,
    ANSWER_FORWARD_WRITEBACK,
    SIM_ANSWERS
};

struct sim_agent_counts {    /* a home agent */
    uint64_t reads;          /* reads sent to the memory controller the normal way */
    uint64_t reads_bypass;   /* reads that took the bypass; the model has none, so 0 is the true count */
    uint64_t writes;         /* all writes to the memory controller */
    uint64_t writes_partial; /* partial lines */
    uint64_t requests_local_read, requests_remote_read, requests_local_write, requests_remote_write;
    uint64_t answers[SIM_DISTANCES][SIM_ANSWERS]; /* to snoops for its lines, by the distance of the requester */
};

enum dram_command { DRAM_READ, DRAM_WRITE, DRAM_COMMANDS };

struct sim_memory_counts {               /* of a NUMA domain */
    uint64_t cas_read[SIM_CHANNELS_MAX]; /* lines read from DRAM, per channel */
    uint64_t cas_write[SIM_CHANNELS_MAX];
    uint64_t cas_remote[DRAM_COMMANDS][SIM_CHANNELS_MAX]; /* of these, for other sockets */
    uint64_t cas_second[DRAM_COMMANDS][SIM_CHANNELS_MAX]; /* of these, by the second sub-channel */
    uint64_t activates[DRAM_COMMANDS][SIM_CHANNELS_MAX];  /* rows opened for the command */
    uint64_t precharges[DRAM_COMMANDS][SIM_CHANNELS_MAX]; /* rows closed for it: another one was open */
    uint64_t banks[DRAM_COMMANDS][SIM_CHANNELS_MAX][SIM_RANKS_MAX][SIM_BANKS_MAX]; /* lines moved */
    struct sim_agent_counts agent[SIM_AGENTS_MAX];
};

struct sim_hbm_counts {                       /* of a NUMA domain's high-bandwidth memory */
    uint64_t cas[DRAM_COMMANDS][SIM_HBM_MAX]; /* lines moved, per channel */
};

struct sim_core_counts {
    uint64_t total[CORE_COUNTS];
    uint64_t offcore[SIM_REQUESTS][SIM_SUPPLIERS][SIM_SNOOPS];
};

struct sim_socket_counts {
    uint64_t link_data_lines_out[SIM_LINKS_MAX]; /* data lines sent to and received from other sockets */
    uint64_t link_data_lines_in[SIM_LINKS_MAX];
    uint64_t link_snoops_out[SIM_LINKS_MAX]; /* line snoops, likewise */
    uint64_t link_snoops_in[SIM_LINKS_MAX];
    uint64_t link_reads_out[SIM_LINKS_MAX]; /* reads sent to a line's home, likewise */
    uint64_t link_reads_in[SIM_LINKS_MAX];
    uint64_t uncore_cycles;
};

struct sim_counts {
    struct sim_core_counts core[SIM_CORES_MAX]; /* by hardware thread */
    struct sim_domain_counts domain[SIM_DOMAINS_MAX];
    struct sim_memory_counts memory[SIM_NUMA_MAX];
    struct sim_hbm_counts hbm[SIM_NUMA_MAX];
    struct sim_socket_counts socket[SIM_SOCKETS_MAX];
};

#endif
