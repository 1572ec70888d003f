/* config.h - the parameters of the simulated hardware. Plain data: it is stored in the node file
 * (vnode/node_file.h) by the launcher and read there by the engine and by the daemon.
 *
 * Sizes in bytes; all are powers of two except the L3 size. Cores are numbered 0 .. sockets*cores_per_socket-1,
 * socket by socket; there is one hardware thread per core. */
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

struct sim_config {
    uint32_t sockets;
    uint32_t cores_per_socket;
    uint32_t line; /* bytes */
    uint32_t page; /* bytes */
    struct sim_cache_config l1i, l1d, l2;
    struct sim_cache_config l3; /* per slice; one slice per core, lines interleaved over the slices of a socket */
    uint32_t channels;          /* memory channels per socket, lines interleaved */
    uint32_t agents;            /* home agents per socket, each with channels/agents channels */
    uint32_t memory_latency;    /* cycles, local */
    uint32_t remote_latency;    /* cycles, from the other socket's memory or cache */
    struct sim_tlb_config dtlb, itlb, stlb;
    uint32_t walk_latency;              /* cycles of one page walk */
    uint32_t branch_penalty;            /* cycles of one misprediction */
    uint32_t instructions_per_cycle_x4; /* cycles = instructions * 4 / this, plus the latencies above */
    uint64_t clock_hz;                  /* nominal clock; core, reference and time-stamp clocks are the same */
    uint64_t uncore_hz;
};

#endif
