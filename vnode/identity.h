/* identity.h - what identifies the node's processor to programs, as its CPUID tells it and its /proc/cpuinfo alike:
 * instruction sets, and the numbers of the local APICs. Freestanding: no libc here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_IDENTITY_H
#define ASSAY_VNODE_IDENTITY_H

#include <stdint.h>

#include "sim/config.h"

/* Widths of addresses, as a Haswell-EP has them. */
enum { IDENTITY_PHYSICAL_BITS = 46, IDENTITY_VIRTUAL_BITS = 48 };

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

/* Bits of an APIC number below the socket's: each socket's numbers begin at a power of two. */
static inline uint32_t identity_core_bits(const struct sim_config *config) {
    uint32_t bits = 0;
    while ((1U << bits) < config->cores_per_socket)
        bits++;
    return bits;
}

static inline uint32_t identity_apic(const struct sim_config *config, uint32_t core) {
    uint32_t socket = core / config->cores_per_socket;
    return socket << identity_core_bits(config) | (core - socket * config->cores_per_socket);
}

#endif
