/* cpuid.c - the CPUID of the node's processor, for the core of the running thread.
 *
 * Leaves that the node's description or its /proc and /sys cover are answered here; the rest (power management, XSAVE
 * layout) comes from Valgrind's processor. AT_HWCAP is leaf 1's EDX; AT_HWCAP2 lists features that Valgrind does not
 * execute. Intel and AMD share the leaves on instruction sets and core numbers; each has its own on caches. Source:
 * Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID; AMD64 Architecture Programmer's
 * Manual, volume 3, appendix E.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"

#include "core_api.h"
#include "engine.h"
#include "helpers.h"

/* The result of one leaf. */
struct registers {
    UInt a, b, c, d;
};

static const struct registers nothing = {0, 0, 0, 0};

static UInt core(void) {
    return engine.thread[engine.running].core;
}

static Bool is_amd(void) {
    return engine.node->vendor == IDENTITY_AMD;
}

/* The vendor's name, in leaf 0's order. */
static struct registers vendor(UInt highest) {
    static const HChar names[2][13] = {[IDENTITY_INTEL] = "GenuineIntel", [IDENTITY_AMD] = "AuthenticAMD"};
    UInt words[3];
    VG_(memcpy)(words, names[is_amd()], sizeof words);
    return (struct registers){highest, words[0], words[2], words[1]};
}

/* ---- caches of both vendors: leaf 4, leaf 0x8000001D ---- */

/* `sharing_bits`: low bits of the APIC number that distinguish the hardware threads of one cache. */
struct cache {
    const struct sim_cache_config *config;
    enum cache_type { DATA = 1, INSTRUCTIONS = 2, UNIFIED = 3 } type;
    UInt level, slices, sharing_bits;
};

/* The index-th cache, data first. False: no more. */
static Bool cache_of(UInt index, struct cache *out) {
    const struct sim_config *config = &engine.node->config;
    const struct cache caches[] = {
        {&config->l1d, DATA, 1, 1, identity_thread_bits(config)},
        {&config->l1i, INSTRUCTIONS, 1, 1, identity_thread_bits(config)},
        {&config->l2, UNIFIED, 2, 1, identity_thread_bits(config)},
        {&config->l3, UNIFIED, 3, config->slices, identity_domain_bits(config)},
    };
    if (index >= sizeof caches / sizeof *caches)
        return False;
    *out = caches[index];
    return True;
}

/* `sharing`: hardware threads that share the cache - 1, `cores`: cores per socket - 1. */
static struct registers cache_leaf(const struct cache *cache, UInt sharing, UInt cores) {
    enum { SELF_INITIALISING = 1 << 8, INCLUSIVE = 2 };
    UInt line = engine.node->config.line;
    UInt sets = (UInt)(cache->config->size * cache->slices / cache->config->ways / line);
    Bool inclusive = cache->level == 3 && engine.node->config.inclusion == SIM_INCLUSIVE;
    return (struct registers){cache->type | cache->level << 5 | SELF_INITIALISING | sharing << 14 | cores << 26,
                              (line - 1) | (cache->config->ways - 1) << 22, sets - 1, inclusive ? INCLUSIVE : 0};
}

/* `sharing` and `cores` in APIC numbers, unused ones included. */
static struct registers intel_cache_leaf(UInt index) {
    struct cache cache;
    if (!cache_of(index, &cache))
        return nothing;
    const struct sim_config *config = &engine.node->config;
    UInt core_bits = identity_socket_bits(config) - identity_thread_bits(config);
    return cache_leaf(&cache, (1u << cache.sharing_bits) - 1, (1u << core_bits) - 1);
}

static struct registers amd_cache_leaf(UInt index) {
    struct cache cache;
    if (!cache_of(index, &cache))
        return nothing;
    return cache_leaf(&cache, (1u << cache.sharing_bits) - 1, 0);
}

/* ---- leaf 2: Intel's TLBs ---- */

/* Leaf 2's descriptors of TLBs for 4 kB pages. */
static const struct descriptor {
    UChar code;
    UShort entries, ways;
} data_tlbs[] = {{0x03, 64, 4}, {0xb3, 128, 4}, {0xb4, 256, 4}, {0xba, 64, 4}},
  code_tlbs[] = {{0xb0, 128, 4}, {0xb2, 64, 4}, {0xb5, 64, 8}, {0xb6, 128, 8}},
  shared_tlbs[] = {{0xc1, 1024, 8}, {0xc3, 1536, 6}, {0xca, 512, 4}};

/* 0: no such descriptor. */
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

/* ---- leaf 0xA: performance monitoring ---- */

static struct registers perfmon_leaf(void) {
    enum { KINDS = 7 }; /* architectural events, all available */
    const struct identity_perfmon *perfmon = &engine.node->perfmon;
    if (!perfmon->version)
        return nothing;
    return (struct registers){perfmon->version | perfmon->counters << 8 | perfmon->bits << 16 | KINDS << 24, 0, 0,
                              perfmon->fixed | perfmon->bits << 5};
}

/* ---- leaves 1 and 0xB: topology ---- */

static struct registers signature(void) {
    const struct node_file *node = engine.node;
    UInt apic = identity_apic(&node->config, core());
    UInt numbers = 1u << identity_socket_bits(&node->config), flush = node->config.line / 8;
    return (struct registers){node->cpu_signature, flush << 8 | numbers << 16 | apic << 24,
                              node->features[IDENTITY_1_ECX], node->features[IDENTITY_1_EDX]};
}

static struct registers topology_leaf(UInt index) {
    enum { THREADS = 1, CORES = 2 };
    const struct sim_config *config = &engine.node->config;
    UInt apic = identity_apic(config, core());
    UInt threads = sim_threads(config);
    if (index == 0)
        return (struct registers){identity_thread_bits(config), threads, THREADS << 8 | index, apic};
    if (index == 1)
        return (struct registers){identity_socket_bits(config), config->cores_per_socket * threads, CORES << 8 | index,
                                  apic};
    return (struct registers){0, 0, index & 0xff, apic};
}

/* ---- leaves from 0x80000000 ---- */

static struct registers name_leaf(UInt part) {
    struct registers out;
    const UChar *text = (const UChar *)engine.node->cpu + part * sizeof out;
    UInt *word = &out.a;
    for (UInt i = 0; i < sizeof out / sizeof *word; i++, text += 4)
        word[i] = text[0] | (UInt)text[1] << 8 | (UInt)text[2] << 16 | (UInt)text[3] << 24;
    return out;
}

/* Leaf 0x80000006's code of a number of ways; 0xF: fully associative. */
static UInt ways_code(UInt ways) {
    static const struct {
        UChar ways, code;
    } codes[] = {{1, 1}, {2, 2}, {4, 4}, {8, 6}, {16, 8}, {32, 10}, {48, 11}, {64, 12}};
    for (UInt i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i].ways == ways)
            return codes[i].code;
    return 0xf;
}

static struct registers intel_l2_leaf(void) {
    const struct sim_config *config = &engine.node->config;
    UInt kilobytes = (UInt)(config->l2.size / 1024);
    return (struct registers){0, 0, config->line | ways_code(config->l2.ways) << 12 | kilobytes << 16, 0};
}

/* AMD: 9 refers to leaf 0x8000001D. */
static UInt amd_ways_code(UInt ways) {
    UInt code = ways_code(ways);
    return code == 0xf ? 9 : code;
}

/* For leaf 0x80000005; 0xFF: fully associative. */
static UInt amd_l1_ways(const struct sim_tlb_config *tlb) {
    return tlb->ways == tlb->entries ? 0xff : tlb->ways;
}

static struct registers amd_l1_leaf(void) {
    const struct sim_config *config = &engine.node->config;
    const struct sim_cache_config *caches[] = {&config->l1d, &config->l1i};
    UInt words[2];
    for (UInt i = 0; i < 2; i++)
        words[i] = config->line | 1 << 8 | caches[i]->ways << 16 | (UInt)(caches[i]->size / 1024) << 24;
    UInt code = config->itlb.entries | amd_l1_ways(&config->itlb) << 8;
    UInt data = config->dtlb.entries | amd_l1_ways(&config->dtlb) << 8;
    return (struct registers){0, code | data << 16, words[0], words[1]};
}

/* The second-level TLB serves data and code. The last levels of a socket are reported as one, in units of 512 kB. */
static struct registers amd_l2_leaf(void) {
    const struct sim_config *config = &engine.node->config;
    UInt stlb = config->stlb.entries | amd_ways_code(config->stlb.ways) << 12;
    UInt l2 = config->line | 1 << 8 | amd_ways_code(config->l2.ways) << 12 | (UInt)(config->l2.size / 1024) << 16;
    UInt l3_units = (UInt)(config->l3.size * config->slices * config->domains_per_socket >> 19);
    return (struct registers){0, stlb | stlb << 16, l2,
                              config->line | 1 << 8 | amd_ways_code(config->l3.ways) << 12 | l3_units << 18};
}

static struct registers width_leaf(void) {
    const struct node_file *node = engine.node;
    const struct sim_config *config = &node->config;
    UInt last = config->cores_per_socket * sim_threads(config) - 1;
    return (struct registers){node->physical_bits | IDENTITY_VIRTUAL_BITS << 8, 0,
                              is_amd() ? last | identity_socket_bits(config) << 12 : 0, 0};
}

/* APIC, core with the number of its threads, and NUMA domain of the running thread. */
static struct registers amd_topology_leaf(void) {
    const struct sim_config *config = &engine.node->config;
    return (struct registers){identity_apic(config, core()),
                              identity_core_id(config, core()) | (sim_threads(config) - 1) << 8,
                              sim_numa_of(config, core()) | (config->numa_per_socket - 1) << 8, 0};
}

static struct registers amd_perfmon_leaf(void) {
    uint32_t words[4];
    identity_perfmon2_leaf(&engine.node->config, &engine.node->perfmon2, words);
    return (struct registers){words[0], words[1], words[2], words[3]};
}

/* ---- which leaf ---- */

/* Leaves that AMD has and Intel lacks or defines otherwise. False: common leaf. */
static Bool amd_leaf(UInt leaf, UInt index, struct registers *out) {
    enum { INVARIANT_CLOCK = 1 << 8 };
    const UInt highest = engine.node->perfmon2.core ? 0x80000022 : 0x8000001e;
    switch (leaf) {
    case 2:
    case 4:
    case 6:
    case 9:
        *out = nothing;
        return True;
    case 0x80000000:
        *out = vendor(highest);
        return True;
    case 0x80000005:
        *out = amd_l1_leaf();
        return True;
    case 0x80000006:
        *out = amd_l2_leaf();
        return True;
    case 0x80000007:
        *out = (struct registers){0, 0, 0, INVARIANT_CLOCK};
        return True;
    case 0x8000001d:
        *out = amd_cache_leaf(index);
        return True;
    case 0x8000001e:
        *out = amd_topology_leaf();
        return True;
    case 0x80000022:
        *out = amd_perfmon_leaf();
        return True;
    default:
        if (leaf <= 0x80000008 || leaf > highest)
            return False;
        *out = nothing;
        return True;
    }
}

/* `out` contains the answer of Valgrind's processor. */
static void common_leaf(UInt leaf, UInt index, struct registers *out) {
    const UInt *features = engine.node->features;
    switch (leaf) {
    case 0:
        *out = vendor(IDENTITY_LEAVES);
        break;
    case 1:
        *out = signature();
        break;
    case 2:
        *out = descriptors();
        break;
    case 4:
        *out = intel_cache_leaf(index);
        break;
    case 7:
        *out = (struct registers){0, index == 0 ? features[IDENTITY_7_EBX] : 0, 0, 0};
        break;
    case 0xa:
        *out = perfmon_leaf();
        break;
    case 0xb:
        *out = topology_leaf(index);
        break;
    case 0x80000001:
        out->c = features[IDENTITY_EXTENDED_1_ECX];
        out->d = features[IDENTITY_EXTENDED_1_EDX];
        break;
    case 0x80000002:
    case 0x80000003:
    case 0x80000004:
        *out = name_leaf(leaf - 0x80000002);
        break;
    case 0x80000006:
        *out = intel_l2_leaf();
        break;
    case 0x80000008:
        *out = width_leaf();
        break;
    default:
        break;
    }
}

void engine_cpuid(VexGuestAMD64State *guest) {
    UInt leaf = (UInt)guest->guest_RAX, index = (UInt)guest->guest_RCX;
    ((void (*)(VexGuestAMD64State *))engine.host_cpuid)(guest);
    struct registers out = {(UInt)guest->guest_RAX, (UInt)guest->guest_RBX, (UInt)guest->guest_RCX,
                            (UInt)guest->guest_RDX};
    if (!is_amd() || !amd_leaf(leaf, index, &out))
        common_leaf(leaf, index, &out);
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
