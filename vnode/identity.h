/* identity.h - what identifies the node's processor to programs, as its CPUID tells it and its /proc/cpuinfo alike:
 * vendor, instruction sets, and the numbers of the local APICs. Freestanding: no libc here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_IDENTITY_H
#define ASSAY_VNODE_IDENTITY_H

#include <stdint.h>

#include "sim/config.h"

/* Whose leaves CPUID has. */
enum identity_vendor { IDENTITY_INTEL, IDENTITY_AMD };

/* Width of a virtual address. */
enum { IDENTITY_VIRTUAL_BITS = 48 };

/* The highest leaf of CPUID. */
enum { IDENTITY_LEAVES = 0xd };

/* The words of CPUID that tell what the processor can do. */
enum identity_word {
    IDENTITY_1_ECX,
    IDENTITY_1_EDX,
    IDENTITY_7_EBX,
    IDENTITY_EXTENDED_1_ECX, /* leaf 0x80000001 */
    IDENTITY_EXTENDED_1_EDX,
    IDENTITY_WORDS
};

/* Performance monitoring as CPUID's leaf 0xA tells of it: version, counters of a core, their width in bits, how many
 * have a fixed event. */
struct identity_perfmon {
    uint32_t version, counters, fixed, bits;
};

static inline uint32_t identity_bits(uint32_t numbers) {
    uint32_t bits = 0;
    while ((1U << bits) < numbers)
        bits++;
    return bits;
}

/* Bits of an APIC number below the last-level domain's, and below the socket's: each domain's and each socket's numbers
 * begin at a power of two. */
static inline uint32_t identity_domain_bits(const struct sim_config *config) {
    return identity_bits(sim_part(config->cores_per_socket, config->domains_per_socket));
}

static inline uint32_t identity_core_bits(const struct sim_config *config) {
    return identity_domain_bits(config) + identity_bits(config->domains_per_socket);
}

/* A core's number within its socket, with gaps behind domains that are no power of two: Linux' core_id. */
static inline uint32_t identity_core_id(const struct sim_config *config, uint32_t core) {
    uint32_t part = sim_part(config->cores_per_socket, config->domains_per_socket);
    uint32_t within = core % config->cores_per_socket;
    return within / part << identity_domain_bits(config) | within % part;
}

static inline uint32_t identity_apic(const struct sim_config *config, uint32_t core) {
    return sim_socket_of(config, core) << identity_core_bits(config) | identity_core_id(config, core);
}

#endif
