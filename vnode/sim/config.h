/* config.h - the parameters of the simulated hardware. Plain data: the launcher stores it in the node file
 * (vnode/node_file.h), the engine and the daemon read it there.
 *
 * Sizes are bytes. Cores are numbered 0 .. sockets*cores_per_socket-1, socket by socket. Each socket's cores form
 * last-level domains of cores_per_domain neighbours (the last domain may be smaller), and NUMA domains in the same way.
 * Both are numbered socket by socket too (sim_domain_of(), sim_numa_of()). The policies: docs/simulator.md.
 *
 * A core has threads_per_core hardware threads, which Linux calls CPUs. Their numbers are Linux': the first threads of
 * all cores come first, with the cores' numbers, then the second ones. */
#ifndef ASSAY_SIM_CONFIG_H
#define ASSAY_SIM_CONFIG_H

#include <stdint.h>

struct sim_cache_config {
    uint64_t size;
    uint32_t ways;
    uint32_t latency; /* cycles added when a demand access is served here instead of in L1 */
};

struct sim_tlb_config {
    uint32_t entries;
    uint32_t ways;
};

/* Content of the last level: all lines of its cores' caches, or lines evicted from their L2s. */
enum sim_inclusion { SIM_INCLUSIVE, SIM_VICTIM };

/* Protocol between last-level domains, for a read of a modified line. MESIF: the line is written to memory, and the
 * last reader forwards it (F). MOESI: it stays with its owner, who must write it back later (O). */
enum sim_protocol { SIM_MESIF, SIM_MOESI };

/* What tracks the cores of a domain that hold a line: the inclusive last level itself; a set-associative snoop
 * filter, which invalidates a line in the cores when it reuses the entry; or a copy of all tags of the cores. */
enum sim_directory { SIM_DIRECTORY_INCLUSIVE, SIM_SNOOP_FILTER, SIM_SHADOW_TAGS };

/* Hardware prefetchers, as bits of sim_config.prefetchers (prefetch.h); in the order of the bits that disable them in
 * Intel's MSR 0x1a4. */
enum sim_prefetcher {
    SIM_L2_STREAMER = 1,
    SIM_L2_ADJACENT = 2,
    SIM_L1_NEXT_LINE = 4,
    SIM_L1_STRIDE = 8,
    SIM_PREFETCHERS = 15 /* all of them */
};

/* Classes of instructions by latency: arithmetic of integers (others too), multiplications and divisions of integers,
 * vector instructions that do no floating-point arithmetic, conversions between integers and floating-point numbers,
 * and floating-point arithmetic. */
enum sim_operation {
    SIM_OPERATION_ALU,
    SIM_OPERATION_MULTIPLY,
    SIM_OPERATION_DIVIDE,
    SIM_OPERATION_VECTOR,
    SIM_OPERATION_CONVERT,
    SIM_OPERATION_FP_ADD,
    SIM_OPERATION_FP_MULTIPLY,
    SIM_OPERATION_FP_FUSED,
    SIM_OPERATION_FP_DIVIDE,
    SIM_OPERATIONS
};

/* Execution units. COMPUTE: all that do not access memory; FP: all of floating-point arithmetic but divisions;
 * FP_MULTIPLY: fused multiply-adds too. The divider is one unit for all divisions. */
enum sim_pipeline_unit {
    SIM_UNIT_LOAD,
    SIM_UNIT_STORE,
    SIM_UNIT_BRANCH,
    SIM_UNIT_COMPUTE,
    SIM_UNIT_MULTIPLY,
    SIM_UNIT_VECTOR,
    SIM_UNIT_FP,
    SIM_UNIT_FP_ADD,
    SIM_UNIT_FP_MULTIPLY,
    SIM_UNIT_DIVIDER,
    SIM_PIPELINE_UNITS
};

/* A core's pipeline (pipeline.h). */
struct sim_pipeline_config {
    uint32_t width;                     /* instructions issued in a cycle */
    uint32_t window;                    /* instructions under way */
    uint32_t latency[SIM_OPERATIONS];   /* cycles */
    uint32_t load;                      /* cycles of a load from L1 */
    uint32_t units[SIM_PIPELINE_UNITS]; /* of each kind; one divider */
    uint32_t divide, fp_divide;         /* cycles that a division keeps the divider busy; 256 bits: twice */
};

struct sim_filter_config { /* of one slice */
    uint32_t entries;
    uint32_t ways;
};

struct sim_config {
    uint32_t sockets;
    uint32_t cores_per_socket;
    uint32_t threads_per_core;   /* 1 or 2; 0 is 1 */
    uint32_t domains_per_socket; /* last-level domains */
    uint32_t numa_per_socket;    /* NUMA domains */
    uint32_t line;               /* bytes: 64 or 128 */
    uint32_t page;               /* bytes */
    uint32_t large_page;         /* bytes; 0: no large pages */
    struct sim_cache_config l1i, l1d, l2;
    struct sim_cache_config l3; /* per slice */
    uint32_t slices;            /* per last-level domain, lines interleaved */
    uint32_t inclusion;         /* enum sim_inclusion */
    uint32_t protocol;          /* enum sim_protocol */
    uint32_t directory;         /* enum sim_directory */
    struct sim_filter_config filter;
    uint32_t channels;       /* memory channels per NUMA domain, lines interleaved */
    uint32_t last_lacks;     /* the last socket has so many channels less; all: no memory at all */
    uint32_t hbm_channels;   /* of each NUMA domain's second memory, lines interleaved; 0: no second memory */
    uint32_t ranks, banks;   /* per channel, per rank; powers of two. 0 ranks: banks are not modelled */
    uint32_t dram_row;       /* bytes of a row in a bank */
    uint32_t agents;         /* home agents per NUMA domain, each with channels/agents channels; 0: none */
    uint32_t links;          /* per socket, to other sockets, lines interleaved */
    uint32_t memory_latency; /* cycles, from memory of the same socket or the cache of another of its domains */
    uint32_t remote_latency; /* cycles, from memory or a cache of another socket */
    struct sim_tlb_config dtlb, itlb, stlb;
    struct sim_tlb_config dtlb_large;   /* for large pages only; no entries: dtlb holds them too */
    uint32_t walk_latency;              /* cycles of one page walk */
    uint32_t branch_penalty;            /* cycles of one misprediction */
    uint32_t instructions_per_cycle_x4; /* cycles = instructions * 4 / this, plus the latencies above */
    uint64_t clock_hz;                  /* nominal clock; core, reference and time-stamp clocks are the same */
    uint64_t uncore_hz;
    uint32_t prefetchers; /* enum sim_prefetcher; 0: none */
    uint32_t evasion;     /* lines in a row that a core owns before it owns the next without a read; 0: never */
    struct sim_pipeline_config pipeline;
    uint32_t has_pipeline; /* 1: cycles of instructions follow it instead of instructions_per_cycle_x4 */
    uint32_t frames_seed;  /* pages lie in random physical frames (frames.h); 0: in the order of their addresses */
};

/* Size of one part if `all` is divided into `parts`; the last part may be smaller. */
static inline uint32_t sim_part(uint32_t all, uint32_t parts) {
    return (all + parts - 1) / parts;
}

static inline uint32_t sim_cores(const struct sim_config *config) {
    return config->sockets * config->cores_per_socket;
}

static inline uint32_t sim_threads(const struct sim_config *config) {
    return config->threads_per_core ? config->threads_per_core : 1;
}

/* Number of hardware threads of the node. */
static inline uint32_t sim_cpus(const struct sim_config *config) {
    return sim_cores(config) * sim_threads(config);
}

static inline uint32_t sim_domains(const struct sim_config *config) {
    return config->sockets * config->domains_per_socket;
}

static inline uint32_t sim_numas(const struct sim_config *config) {
    return config->sockets * config->numa_per_socket;
}

/* Memory channels of each NUMA domain of a socket. */
static inline uint32_t sim_channels(const struct sim_config *config, uint32_t socket) {
    return config->channels - (socket == config->sockets - 1 ? config->last_lacks : 0);
}

/* Number of NUMA domains with channels: all, or all but the last socket's. */
static inline uint32_t sim_memory_domains(const struct sim_config *config) {
    return sim_channels(config, config->sockets - 1) ? sim_numas(config) : sim_numas(config) - config->numa_per_socket;
}

/* Memories, as homes of pages: that of NUMA domain n has its number. High-bandwidth memory follows: memory
 * sim_numas() + n is the second one of domain n. No core is in it, so pages lie there only if a program asks. */
static inline uint32_t sim_memories(const struct sim_config *config) {
    return config->hbm_channels ? 2 * sim_numas(config) : sim_memory_domains(config);
}

/* The NUMA domain that a memory belongs to. */
static inline uint32_t sim_numa_of_memory(const struct sim_config *config, uint32_t memory) {
    return memory % sim_numas(config);
}

/* Linux' NUMA nodes: domains with cores, and memories without. */
static inline uint32_t sim_numa_nodes(const struct sim_config *config) {
    return config->hbm_channels ? sim_memories(config) : sim_numas(config);
}

/* Places of a hardware thread; those of a core have the same numbers as its first thread. */
static inline uint32_t sim_core_of(const struct sim_config *config, uint32_t cpu) {
    return cpu % sim_cores(config);
}

static inline uint32_t sim_socket_of(const struct sim_config *config, uint32_t cpu) {
    return sim_core_of(config, cpu) / config->cores_per_socket;
}

/* The last-level domain, numbered over the node. */
static inline uint32_t sim_domain_of(const struct sim_config *config, uint32_t cpu) {
    return sim_socket_of(config, cpu) * config->domains_per_socket +
           cpu % config->cores_per_socket / sim_part(config->cores_per_socket, config->domains_per_socket);
}

/* The NUMA domain, numbered over the node. */
static inline uint32_t sim_numa_of(const struct sim_config *config, uint32_t cpu) {
    return sim_socket_of(config, cpu) * config->numa_per_socket +
           cpu % config->cores_per_socket / sim_part(config->cores_per_socket, config->numa_per_socket);
}

#endif
