/* cpuid.c - the CPUID of the node's processor, for the core that the running thread sits on.
 *
 * What the node's description says, and what programs find in its /proc and /sys, is told here; the rest (power
 * management, performance monitoring, the layout of XSAVE) is what Valgrind's own processor tells. The kernel's word on
 * it, AT_HWCAP, is leaf 1's EDX; AT_HWCAP2 has what Valgrind does not execute.
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "core_api.h"
#include "engine.h"
#include "helpers.h"

/* One answer. */
struct registers {
    UInt a, b, c, d;
};

static UInt core(void) {
    return engine.thread[engine.running].core;
}

/* ---- leaves 2 and 4: caches and TLBs ---- */

/* The descriptors that leaf 2 has for TLBs of pages of 4 kB. */
static const struct descriptor {
    UChar code;
    UShort entries, ways;
} data_tlbs[] = {{0x03, 64, 4}, {0xb3, 128, 4}, {0xb4, 256, 4}, {0xba, 64, 4}},
  code_tlbs[] = {{0xb0, 128, 4}, {0xb2, 64, 4}, {0xb5, 64, 8}, {0xb6, 128, 8}},
  shared_tlbs[] = {{0xc1, 1024, 8}, {0xca, 512, 4}};

/* 0: there is no such descriptor. */
static UChar descriptor_of(const struct descriptor *list, SizeT bytes, const struct sim_tlb_config *tlb) {
    for (UInt i = 0; i < bytes / sizeof *list; i++)
        if (list[i].entries == tlb->entries && list[i].ways == tlb->ways)
            return list[i].code;
    return 0;
}

static struct registers descriptors(void) {
    enum { ONE_CALL = 1, ASK_LEAF_4 = 0xff };
    const struct sim_config *config = &engine.node->config;
    UInt data = descriptor_of(data_tlbs, sizeof data_tlbs, &config->dtlb);
    UInt code = descriptor_of(code_tlbs, sizeof code_tlbs, &config->itlb);
    UInt shared = descriptor_of(shared_tlbs, sizeof shared_tlbs, &config->stlb);
    return (struct registers){ONE_CALL | data << 8 | code << 16 | shared << 24, ASK_LEAF_4, 0, 0};
}

enum cache_type { DATA = 1, INSTRUCTIONS = 2, UNIFIED = 3 };

/* `sharing`: bits of the APIC's number that tell the cores of one such cache apart; it has a slice of each of them. */
static struct registers cache(const struct sim_cache_config *cache, enum cache_type type, UInt level, UInt slices,
                              UInt sharing) {
    enum { SELF_INITIALISING = 1 << 8, INCLUSIVE = 2 };
    UInt line = engine.node->config.line, cores = identity_core_bits(&engine.node->config);
    UInt sets = (UInt)(cache->size * slices / cache->ways / line);
    return (struct registers){type | level << 5 | SELF_INITIALISING | ((1u << sharing) - 1) << 14 |
                                  ((1u << cores) - 1) << 26,
                              (line - 1) | (cache->ways - 1) << 22, sets - 1, level == 3 ? INCLUSIVE : 0};
}

static struct registers cache_leaf(UInt index) {
    const struct sim_config *config = &engine.node->config;
    switch (index) {
    case 0:
        return cache(&config->l1d, DATA, 1, 1, 0);
    case 1:
        return cache(&config->l1i, INSTRUCTIONS, 1, 1, 0);
    case 2:
        return cache(&config->l2, UNIFIED, 2, 1, 0);
    case 3:
        return cache(&config->l3, UNIFIED, 3, config->cores_per_socket, identity_core_bits(config));
    default:
        return (struct registers){0, 0, 0, 0};
    }
}

/* ---- leaves 1 and 0xB: topology ---- */

static struct registers signature(void) {
    const struct node_file *node = engine.node;
    UInt apic = identity_apic(&node->config, core());
    UInt numbers = 1u << identity_core_bits(&node->config), flush = node->config.line / 8;
    return (struct registers){node->cpu_signature, flush << 8 | numbers << 16 | apic << 24,
                              node->features[IDENTITY_1_ECX], node->features[IDENTITY_1_EDX]};
}

static struct registers topology_leaf(UInt index) {
    enum { THREADS = 1, CORES = 2 };
    const struct sim_config *config = &engine.node->config;
    UInt apic = identity_apic(config, core());
    if (index == 0)
        return (struct registers){0, 1, THREADS << 8 | index, apic};
    if (index == 1)
        return (struct registers){identity_core_bits(config), config->cores_per_socket, CORES << 8 | index, apic};
    return (struct registers){0, 0, index & 0xff, apic};
}

/* ---- leaves from 0x80000000 on ---- */

static struct registers name_leaf(UInt part) {
    struct registers out;
    const UChar *text = (const UChar *)engine.node->cpu + part * sizeof out;
    UInt *word = &out.a;
    for (UInt i = 0; i < sizeof out / sizeof *word; i++, text += 4)
        word[i] = text[0] | (UInt)text[1] << 8 | (UInt)text[2] << 16 | (UInt)text[3] << 24;
    return out;
}

/* The code that leaf 0x80000006 has for a number of ways; 0xF: all of them. */
static UInt ways_code(UInt ways) {
    static const struct {
        UChar ways, code;
    } codes[] = {{1, 1}, {2, 2}, {4, 4}, {8, 6}, {16, 8}, {32, 10}, {48, 11}, {64, 12}};
    for (UInt i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i].ways == ways)
            return codes[i].code;
    return 0xf;
}

static struct registers l2_leaf(void) {
    const struct sim_config *config = &engine.node->config;
    UInt kilobytes = (UInt)(config->l2.size / 1024);
    return (struct registers){0, 0, config->line | ways_code(config->l2.ways) << 12 | kilobytes << 16, 0};
}

void engine_cpuid(VexGuestAMD64State *guest) {
    UInt leaf = (UInt)guest->guest_RAX, index = (UInt)guest->guest_RCX;
    ((void (*)(VexGuestAMD64State *))engine.host_cpuid)(guest);
    struct registers out = {(UInt)guest->guest_RAX, (UInt)guest->guest_RBX, (UInt)guest->guest_RCX,
                            (UInt)guest->guest_RDX};
    const UInt *features = engine.node->features;
    switch (leaf) {
    case 0:
        out.a = IDENTITY_LEAVES;
        break;
    case 1:
        out = signature();
        break;
    case 2:
        out = descriptors();
        break;
    case 4:
        out = cache_leaf(index);
        break;
    case 7:
        out = (struct registers){0, index == 0 ? features[IDENTITY_7_EBX] : 0, 0, 0};
        break;
    case 0xb:
        out = topology_leaf(index);
        break;
    case 0x80000001:
        out.c = features[IDENTITY_EXTENDED_1_ECX];
        out.d = features[IDENTITY_EXTENDED_1_EDX];
        break;
    case 0x80000002:
    case 0x80000003:
    case 0x80000004:
        out = name_leaf(leaf - 0x80000002);
        break;
    case 0x80000006:
        out = l2_leaf();
        break;
    case 0x80000008:
        out.a = IDENTITY_PHYSICAL_BITS | IDENTITY_VIRTUAL_BITS << 8;
        break;
    default:
        break;
    }
    guest->guest_RAX = out.a;
    guest->guest_RBX = out.b;
    guest->guest_RCX = out.c;
    guest->guest_RDX = out.d;
}

void cpuid_start(void) {
    enum { AT_NULL = 0, AT_HWCAP = 16, AT_HWCAP2 = 26 };
    for (UWord *pair = VG_(client_auxv); pair && pair[0] != AT_NULL; pair += 2) {
        if (pair[0] == AT_HWCAP)
            pair[1] = engine.node->features[IDENTITY_1_EDX];
        else if (pair[0] == AT_HWCAP2)
            pair[1] = 0;
    }
}
