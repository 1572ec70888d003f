/* sim.c - simulated hardware of any geometry, and accesses in any order: conservation laws and the invariants of
 * inclusion and coherence hold (tests/unit/sim_checks.h), and a second run of the accesses counts the same.
 *
 * The input: GEOMETRY bytes choose the hardware, then 4 bytes for each access: kind, core and line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/sim_checks.h"

#include "fuzz.h"

const char fuzz_name[] = "sim";
const unsigned fuzz_inputs = 600;

enum { GEOMETRY = 16, ACCESS = 4, BASE = 1 << 26, PAGES_APART = 1 << 20 };

static struct sim_cache_config choose_cache(uint8_t sets, uint8_t ways, uint32_t most_sets, uint32_t latency) {
    struct sim_cache_config cache = {.ways = 1 + ways % 20, .latency = latency};
    cache.size = (uint64_t)LINE * cache.ways << sets % (most_sets + 1);
    return cache;
}

static struct sim_config choose(const uint8_t g[GEOMETRY]) {
    struct sim_config config = node_config(1 + g[0] % 4, 1 + g[1] % 4);
    config.page = 4096u << g[2] % 3;
    config.l1i = choose_cache(g[3], g[3] >> 4, 6, 0);
    config.l1d = choose_cache(g[4], g[4] >> 4, 6, 0);
    config.l2 = choose_cache(g[5], g[5] >> 4, 8, L2_LATENCY);
    config.l3 = choose_cache(0, g[6], 0, L3_LATENCY);
    config.l3.size *= 512; /* the minimum number of sets */
    config.agents = g[7] % 3;
    config.channels = (config.agents == 2 ? 2 : 1) * (1 + g[8] % 6);
    config.dtlb = (struct sim_tlb_config){(1 + g[9] % 4u) << (g[9] >> 4) % 5, 1 + g[9] % 4};
    config.itlb = (struct sim_tlb_config){(1 + g[10] % 4u) << (g[10] >> 4) % 5, 1 + g[10] % 4};
    config.stlb = (struct sim_tlb_config){(1 + g[11] % 8u) << (g[11] >> 4) % 8, 1 + g[11] % 8};
    config.domains_per_socket = config.cores_per_socket % 2 ? 1 : 1 + g[12] % 2;
    config.numa_per_socket = config.cores_per_socket % 2 ? 1 : 1 + (g[12] >> 1) % 2;
    config.slices = 1 + (g[12] >> 2) % 8;
    config.links = 1 + (g[12] >> 5) % 4;
    config.threads_per_core = 1 + (g[13] >> 3) % 2;
    config.protocol = g[13] & 1 ? SIM_MOESI : SIM_MESIF;
    if (g[13] & 6) {
        config.inclusion = SIM_VICTIM;
        config.directory = g[13] & 2 ? SIM_SNOOP_FILTER : SIM_SHADOW_TAGS;
        config.filter.ways = 1 + g[14] % 16;
        config.filter.entries = config.filter.ways << g[15] % 12;
    }
    return config;
}

/* Mixes lines of one set of every cache with adjacent lines: otherwise few inputs cause evictions. */
static uint64_t address_of(uint8_t low, uint8_t high) {
    uint64_t line = high & 128 ? (uint64_t)low << 9 : low + (uint64_t)(high & 63) * 256;
    return (high & 64 ? BASE + ((uint64_t)PAGES_APART << 12) : BASE) + line * LINE;
}

static void access_line(const struct node *node, const uint8_t a[ACCESS]) {
    struct sim_core *core = node_core(node, a[1] % sim_cpus(&node->config));
    uint64_t address = address_of(a[2], a[3]);
    uint32_t offset = a[1] >> 2, size = 1u << (a[0] >> 4) % 7;
    switch (a[0] % 12) {
    case 0:
        sim_store_nt(core, address, LINE);
        break;
    case 1:
        sim_store_nt(core, address + (offset & ~(size - 1)), size);
        break;
    case 2:
        sim_flush_line(core, address);
        break;
    case 3:
    case 4:
        sim_fetch(core, address + offset, size);
        break;
    case 5:
        sim_load_locked(core, address, 8);
        break;
    case 6:
        sim_unmap(node->sim, address & ~(uint64_t)(node->config.page - 1), node->config.page);
        break;
    case 7:
        sim_fence(core);
        break;
    case 8:
    case 9:
        sim_store(core, address + offset, size);
        break;
    default:
        sim_load(core, address + offset, size);
    }
}

static struct node run(const struct sim_config *config, const uint8_t *data, size_t size) {
    struct node node = node_make(*config);
    for (; size >= ACCESS; data += ACCESS, size -= ACCESS)
        for (int times = data[0] & 8 ? 8 : 1, i = 0; i < times; i++) { /* a walk over neighbours, or one access */
            uint8_t a[ACCESS] = {data[0], data[1], (uint8_t)(data[2] + i), data[3]};
            access_line(&node, a);
        }
    for (uint32_t cpu = 0; cpu < sim_cpus(config); cpu++)
        sim_fence(node_core(&node, cpu));
    return node;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < GEOMETRY)
        return 0;
    setenv("CMOCKA_TEST_ABORT", "1", 1); /* the checks use cmocka's assertions outside of its tests */
    struct sim_config config = choose(data);
    FUZZ_CHECK(!sim_config_error(&config), "%s", sim_config_error(&config));
    struct node first = run(&config, data + GEOMETRY, size - GEOMETRY);
    struct node second = run(&config, data + GEOMETRY, size - GEOMETRY);
    check_invariants(&first);
    FUZZ_CHECK(memcmp(first.counts, second.counts, sizeof *first.counts) == 0, "the same accesses count otherwise");
    node_free(&first);
    node_free(&second);
    fuzz_accept();
    return 0;
}
