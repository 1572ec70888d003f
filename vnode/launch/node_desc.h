/* node_desc.h - a virtual node: an architecture (groups/ARCH/machine.lua) with a shape.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_NODE_DESC_H
#define ASSAY_LAUNCH_NODE_DESC_H

#include <stdint.h>

#include "vnode/identity.h"
#include "vnode/sim/config.h"

/* How the processor's high-bandwidth memory is used: not at all, or as memory beside the other. */
enum node_hbm { HBM_NONE, HBM_FLAT };

struct node_desc {
    char name[64];                     /* ARCH-SxC, ARCH-SxCxT, or a node file's name without folder and .lua */
    char arch[32];                     /* LIKWID's short name of the microarchitecture */
    char cpu[128];                     /* name of the processor */
    uint32_t likwid;                   /* first version that knows the processor, 50300 for 5.3; 0: any */
    uint32_t vendor;                   /* enum identity_vendor */
    uint32_t signature;                /* CPUID leaf 1, EAX */
    uint32_t physical_bits;            /* of an address */
    struct identity_perfmon perfmon;   /* zeros if the processor has no leaf 0xA */
    struct identity_perfmon2 perfmon2; /* zeros if the processor has no leaf 0x80000022 */
    uint32_t without[IDENTITY_WORDS];  /* features that it lacks although the engine supports them */
    uint64_t memory_bytes;             /* per memory: that of a NUMA domain, and its high-bandwidth memory */
    uint32_t hbm;                      /* enum node_hbm */
    uint32_t ghost_boxes;              /* boxes of channels that the last socket lacks are there and count nothing */
    uint32_t perf_kernel;              /* another word for perf_event_paranoid -1 */
    int32_t perf_paranoid;             /* as in struct node_file */
    struct sim_config config;
};

#endif
