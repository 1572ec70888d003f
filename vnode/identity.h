/* identity.h - the identity of the node's processor, in CPUID and /proc/cpuinfo: vendor, instruction sets, local APIC
 * numbers. Freestanding: no libc here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_IDENTITY_H
#define ASSAY_VNODE_IDENTITY_H

#include <stdint.h>

#include "sim/config.h"

/* Vendor, which determines the CPUID leaves. */
enum identity_vendor { IDENTITY_INTEL, IDENTITY_AMD };

/* Width of a virtual address. */
enum { IDENTITY_VIRTUAL_BITS = 48 };

/* The highest leaf of CPUID. */
enum { IDENTITY_LEAVES = 0xd };

/* The feature words of CPUID. */
enum identity_word {
    IDENTITY_1_ECX,
    IDENTITY_1_EDX,
    IDENTITY_7_EBX,
    IDENTITY_EXTENDED_1_ECX, /* leaf 0x80000001 */
    IDENTITY_EXTENDED_1_EDX,
    IDENTITY_WORDS
};

/* Performance monitoring in CPUID leaf 0xA: version, counters per core, counters with a fixed event, counter width in
 * bits. */
struct identity_perfmon {
    uint32_t version, counters, fixed, bits;
};

/* AMD's performance monitoring in CPUID leaf 0x80000022: counters per core, of the data fabric of a socket and of a
 * memory channel. */
struct identity_perfmon2 {
    uint32_t core, fabric, channel;
};

static inline uint32_t identity_bits(uint32_t numbers) {
    uint32_t bits = 0;
    while ((1U << bits) < numbers)
        bits++;
    return bits;
}

/* Width of the APIC number's fields below the core, below the last-level domain and below the socket: each core's,
 * domain's and socket's numbers start at a power of two. */
static inline uint32_t identity_thread_bits(const struct sim_config *config) {
    return identity_bits(sim_threads(config));
}

static inline uint32_t identity_domain_bits(const struct sim_config *config) {
    return identity_thread_bits(config) + identity_bits(sim_part(config->cores_per_socket, config->domains_per_socket));
}

static inline uint32_t identity_socket_bits(const struct sim_config *config) {
    return identity_domain_bits(config) + identity_bits(config->domains_per_socket);
}

/* A core's number within its socket (Linux' core_id), with gaps if the domain size is not a power of two. */
static inline uint32_t identity_core_id(const struct sim_config *config, uint32_t cpu) {
    uint32_t part = sim_part(config->cores_per_socket, config->domains_per_socket);
    uint32_t within = cpu % config->cores_per_socket;
    return within / part << identity_bits(part) | within % part;
}

/* CPUID leaf 0x80000022, version 2 of AMD's performance monitoring: EAX to EDX. Each bit of ECX is a memory channel
 * that counts. */
static inline void identity_perfmon2_leaf(const struct sim_config *config, const struct identity_perfmon2 *perfmon,
                                          uint32_t out[4]) {
    uint32_t channels = config->numa_per_socket * config->channels;
    out[0] = perfmon->core != 0;
    out[1] = perfmon->core | perfmon->fabric << 10 | (perfmon->channel * channels) << 16;
    out[2] = perfmon->channel ? (1U << channels) - 1 : 0;
    out[3] = 0;
}

/* Of a hardware thread. */
static inline uint32_t identity_apic(const struct sim_config *config, uint32_t cpu) {
    return sim_socket_of(config, cpu) << identity_socket_bits(config) |
           identity_core_id(config, cpu) << identity_thread_bits(config) | cpu / sim_cores(config);
}

#endif
