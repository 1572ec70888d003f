/* sim_checks.h - checks that hold after any sequence of accesses: conservation laws between counts of different parts,
 * and the invariants of inclusion and coherence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_CHECKS_H
#define ASSAY_TESTS_SIM_CHECKS_H

#include "sim_node.h"

#include "vnode/sim/private.h"
#include "vnode/sim/victim.h"

static inline uint64_t all_offcore(const struct node *node, uint32_t core, enum sim_request request) {
    uint64_t sum = 0;
    for (int supplier = 0; supplier < SIM_SUPPLIERS; supplier++)
        for (int snoop = 0; snoop < SIM_SNOOPS; snoop++)
            sum += offcore(node, core, request, (enum sim_supplier)supplier, (enum sim_snoop)snoop);
    return sum;
}

static inline uint64_t all_lookups(const struct node *node, uint32_t domain, enum sim_lookup kind) {
    uint64_t sum = 0;
    for (int s = 0; s < SIM_LINE_STATES; s++)
        sum += lookups(node, domain, kind, (enum sim_line_state)s);
    return sum;
}

/* Sum over all slices of a domain. */
#define SLICES(node, d, field) slices_sum(node, d, offsetof(struct sim_slice_counts, field))

static inline uint64_t slices_sum(const struct node *node, uint32_t domain, size_t offset) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->config.slices; i++) {
        const char *slice = (const char *)&node->counts->domain[domain].slice[i];
        sum += *(const uint64_t *)(const void *)(slice + offset);
    }
    return sum;
}

static inline uint64_t l2_prefetches(const struct node *node, uint32_t core) {
    uint64_t sum = 0;
    for (int request = REQUEST_PREFETCH_DATA_READ; request <= REQUEST_L3_PREFETCH_CODE_READ; request++)
        sum += all_offcore(node, core, (enum sim_request)request);
    return sum;
}

/* Checks a core's counts against each other. */
static inline void check_core(const struct node *node, uint32_t core) {
#define T(count) total(node, core, count)
    assert_int_equal(T(CORE_LOADS), T(CORE_LOAD_L1_HIT) + T(CORE_LOAD_L1_MISS));
    assert_int_equal(T(CORE_LOAD_L1_MISS), T(CORE_LOAD_L2_HIT) + T(CORE_LOAD_L2_MISS));
    assert_int_equal(T(CORE_LOAD_L2_MISS), T(CORE_LOAD_L3_HIT) + T(CORE_LOAD_L3_MISS));
    assert_int_equal(T(CORE_LOAD_L3_HIT), T(CORE_LOAD_L3_HIT_SNOOP_NONE) + T(CORE_LOAD_L3_HIT_SNOOP_MISS) +
                                              T(CORE_LOAD_L3_HIT_SNOOP_HIT) + T(CORE_LOAD_L3_HIT_SNOOP_HITM));
    assert_int_equal(T(CORE_LOAD_L3_MISS), T(CORE_LOAD_LOCAL_DRAM) + T(CORE_LOAD_REMOTE_DRAM) +
                                               T(CORE_LOAD_REMOTE_HITM) + T(CORE_LOAD_REMOTE_FORWARD) +
                                               T(CORE_LOAD_SOCKET_HITM) + T(CORE_LOAD_SOCKET_FORWARD));
    assert_true(T(CORE_LOADS_SPLIT) <= T(CORE_LOADS) && T(CORE_LOADS_LOCKED) <= T(CORE_LOADS));
    assert_in_range(T(CORE_DTLB_LOAD_WALK), T(CORE_LOADS_STLB_MISS),
                    2 * T(CORE_LOADS_STLB_MISS)); /* a split load has two pages */
    assert_in_range(T(CORE_DTLB_STORE_WALK), T(CORE_STORES_STLB_MISS), 2 * T(CORE_STORES_STLB_MISS));
    assert_int_equal(T(CORE_DTLB_LOAD_WALK_CYCLES), T(CORE_DTLB_LOAD_WALK) * node->config.walk_latency);
    assert_int_equal(T(CORE_DTLB_STORE_WALK_CYCLES), T(CORE_DTLB_STORE_WALK) * node->config.walk_latency);
    assert_int_equal(T(CORE_L2_DATA_READ_MISS), all_offcore(node, core, REQUEST_DATA_READ));
    assert_int_equal(T(CORE_L2_RFO_MISS), all_offcore(node, core, REQUEST_RFO));
    assert_int_equal(T(CORE_L2_CODE_READ_MISS), all_offcore(node, core, REQUEST_CODE_READ));
    assert_int_equal(T(CORE_L2_WRITEBACK), all_offcore(node, core, REQUEST_WRITEBACK));
    assert_int_equal(T(CORE_L2_WRITEBACK), T(CORE_L2_LINES_OUT_DIRTY));
    assert_true(T(CORE_L2_VICTIM_CLEAN) <= T(CORE_L2_LINES_OUT_CLEAN));
    assert_int_equal(T(CORE_L2_L1_PREFETCH_MISS), all_offcore(node, core, REQUEST_L1_PREFETCH));
    assert_int_equal(T(CORE_L2_PREFETCH_MISS), l2_prefetches(node, core));
    assert_int_equal(T(CORE_L1I_MISS), T(CORE_L2_CODE_READ_HIT) + T(CORE_L2_CODE_READ_MISS));
#undef T
}

/* Checks the cores' requests and victims against the lookups and victims of their domain's slices. Returns misses. */
static inline uint64_t check_domain(const struct node *node, uint32_t domain) {
    static const struct {
        enum sim_request request;
        enum sim_lookup lookup;
    } pairs[] = {{REQUEST_DATA_READ, LOOKUP_DATA_READ},
                 {REQUEST_RFO, LOOKUP_RFO},
                 {REQUEST_CODE_READ, LOOKUP_CODE_READ},
                 {REQUEST_WRITEBACK, LOOKUP_WRITE},
                 {REQUEST_L1_PREFETCH, LOOKUP_DATA_READ},
                 {REQUEST_PREFETCH_DATA_READ, LOOKUP_DATA_READ},
                 {REQUEST_PREFETCH_RFO, LOOKUP_RFO},
                 {REQUEST_PREFETCH_CODE_READ, LOOKUP_CODE_READ},
                 {REQUEST_L3_PREFETCH_DATA_READ, LOOKUP_DATA_READ},
                 {REQUEST_L3_PREFETCH_RFO, LOOKUP_RFO},
                 {REQUEST_L3_PREFETCH_CODE_READ, LOOKUP_CODE_READ}};
    uint64_t left[SIM_LOOKUPS] = {0};
    uint64_t clean = 0, modified = 0;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (uint32_t c = 0; c < sim_cpus(&node->config); c++)
            if (sim_domain_of(&node->config, c) == domain)
                left[pairs[p].lookup] += all_offcore(node, c, pairs[p].request);
    for (enum sim_lookup kind = LOOKUP_DATA_READ; kind <= LOOKUP_WRITE; kind++)
        assert_int_equal(left[kind], all_lookups(node, domain, kind));
    for (uint32_t c = 0; c < sim_cpus(&node->config); c++)
        if (sim_domain_of(&node->config, c) == domain) {
            clean += total(node, c, CORE_L2_VICTIM_CLEAN);
            modified += total(node, c, CORE_L2_LINES_OUT_DIRTY);
        }
    int victim = node->config.inclusion == SIM_VICTIM;
    assert_int_equal(SLICES(node, domain, victims_in_clean), victim ? clean : 0);
    assert_int_equal(SLICES(node, domain, victims_in_modified), victim ? modified : 0);
    assert_int_equal(lookups(node, domain, LOOKUP_WRITE, LINE_I), 0); /* a domain knows all lines of its cores */
    return lookups(node, domain, LOOKUP_DATA_READ, LINE_I) + lookups(node, domain, LOOKUP_RFO, LINE_I) +
           lookups(node, domain, LOOKUP_CODE_READ, LINE_I);
}

/* Checks home agents against channels. Returns the requests of domains that did not know the line. */
static inline uint64_t check_memory(const struct node *node, uint32_t numa) {
    const struct sim_config *config = &node->config;
    const struct sim_memory_counts *counts = &node->counts->memory[numa];
    for (uint32_t a = 0; a < config->agents; a++) {
        uint32_t per_agent = config->channels / config->agents;
        uint64_t reads = 0, writes = 0;
        for (uint32_t i = a * per_agent; i < (a + 1) * per_agent; i++) {
            reads += counts->cas_read[i];
            writes += counts->cas_write[i];
        }
        assert_int_equal(counts->agent[a].reads, reads);
        assert_int_equal(counts->agent[a].writes, writes);
        assert_int_equal(counts->agent[a].requests_local_write + counts->agent[a].requests_remote_write, writes);
    }
    return AGENTS(node, numa, requests_local_read) + AGENTS(node, numa, requests_remote_read);
}

static inline uint64_t responses_of(const struct node *node, enum sim_supplier supplier) {
    uint64_t sum = 0;
    for (uint32_t c = 0; c < sim_cpus(&node->config); c++)
        for (int request = REQUEST_DATA_READ; request < SIM_REQUESTS; request++)
            for (int snoop = 0; snoop < SIM_SNOOPS; snoop++)
                sum += offcore(node, c, (enum sim_request)request, supplier, (enum sim_snoop)snoop);
    return sum;
}

/* Checks misses against memory requests and lines supplied by other caches. */
static inline void check_uncore(const struct node *node) {
    const struct sim_config *config = &node->config;
    uint64_t misses = 0, requests = 0, reads = 0;
    for (uint32_t d = 0; d < sim_domains(config); d++)
        misses += check_domain(node, d);
    for (uint32_t n = 0; n < sim_numas(config); n++) {
        requests += check_memory(node, n);
        reads += cas_reads(node, n);
    }
    if (config->agents)
        assert_int_equal(misses, requests);
    assert_int_equal(reads, responses_of(node, SUPPLIER_LOCAL_DRAM) + responses_of(node, SUPPLIER_REMOTE_DRAM));
    assert_int_equal(misses - reads,
                     responses_of(node, SUPPLIER_SOCKET_CACHE) + responses_of(node, SUPPLIER_REMOTE_CACHE));
}

/* A domain's knowledge of a line. */
struct known {
    enum sim_line_state state;
    uint64_t sharers;
};

static inline struct known known_of(const struct domain *domain, uint64_t line) {
    struct l3_place place = l3_find(&domain->l3, line);
    if (domain->sim->config.inclusion == SIM_INCLUSIVE)
        return place.way < 0
                   ? (struct known){LINE_I, 0}
                   : (struct known){(enum sim_line_state)place.set->state[place.way], place.set->sharers[place.way]};
    struct holding holding = victim_find(domain, line);
    return (struct known){victim_state(&holding), holding.entry ? holding.entry->sharers : 0};
}

/* Checks that a line's states in all domains are compatible: an owner is the only holder, and at most one domain
 * forwards. */
static inline void check_states(const struct node *node, uint64_t line) {
    uint32_t owners = 0, forwarders = 0, knowing = 0;
    for (uint32_t d = 0; d < sim_domains(&node->config); d++) {
        enum sim_line_state state = known_of(&node->sim->domain[d], line).state;
        knowing += state != LINE_I;
        owners += line_owned(state);
        forwarders += state == LINE_F || state == LINE_O;
        if (node->config.protocol == SIM_MESIF)
            assert_int_not_equal(state, LINE_O);
        else
            assert_int_not_equal(state, LINE_F);
    }
    assert_true(owners == 0 || knowing == 1);
    assert_true(forwarders <= 1);
}

/* Checks that the domain knows the private copy and its sharer, and that a writable line has no other copy in any
 * domain. `word`: 0 if there is none. */
static inline void check_copy(const struct node *node, const struct sim_core *core, uint64_t word) {
    if (!word)
        return;
    struct known known = known_of(core->domain, cache_key(word));
    assert_true(known.sharers & core->bit);
    check_states(node, cache_key(word));
    if (cache_state(word) == PRIVATE_S)
        return;
    assert_int_equal(known.sharers, core->bit);
    assert_true(line_owned(known.state));
}

static inline void check_near(const struct node *node, const struct sim_core *core, const struct near *near) {
    for (uint64_t set = 0; set <= near->set_mask; set++)
        for (uint32_t way = 0; way < near->ways; way++)
            check_copy(node, core, near->sets[set * 2 * near->row + way]);
}

static inline void check_copies(const struct node *node, const struct sim_core *core) {
    check_near(node, core, &core->l1d);
    check_near(node, core, &core->l1i);
    for (uint64_t i = 0; i < (core->l2.set_mask + 1) * core->l2.stride; i++)
        check_copy(node, core, core->l2.words[i]);
}

/* Checks that a victim domain's directory is exact; data newer than memory must be in its last level. */
static inline void check_directory(const struct domain *domain, uint32_t entries) {
    for (uint32_t i = 0; i < entries; i++) {
        if (domain->directory.lines[i] == 0)
            continue;
        uint64_t line = domain->directory.lines[i] - 1, holders = 0;
        struct holding holding = victim_find(domain, line);
        assert_ptr_equal(holding.entry, &domain->directory.entries[i]);
        for (uint64_t bits = holding.entry->sharers; bits; bits &= bits - 1)
            if (private_has(core_of_bit(domain, bits), line))
                holders |= bits & -bits;
        assert_true(holders != 0);
        assert_int_equal(holders, holding.entry->sharers);
        assert_true(holding.data.way >= 0 || !line_modified(victim_state(&holding)));
    }
}

static inline uint32_t directory_entries(const struct node *node) {
    const struct sim_config *config = &node->config;
    if (config->directory == SIM_SNOOP_FILTER)
        return config->slices * config->filter.entries;
    return (uint32_t)((config->l1d.size + config->l1i.size + config->l2.size) / LINE) *
           sim_part(config->cores_per_socket, config->domains_per_socket);
}

static inline void check_last_level(const struct node *node, const struct domain *domain) {
    struct l3_place place;
    for (uint32_t i = 0; i < domain->l3.divisor.value; i++)
        for (uint32_t way = 0; way < L3_WAYS_MAX; way++) {
            place = (struct l3_place){&domain->l3.sets[i], 0, (int)way};
            if (place.set->state[way] == LINE_I)
                continue;
            uint64_t line = l3_line(&domain->l3, &place);
            assert_int_equal(l3_find(&domain->l3, line).way, way);
            check_states(node, line);
        }
}

static inline void check_invariants(const struct node *node) {
    for (uint32_t c = 0; c < sim_cpus(&node->config); c++) {
        const struct sim_core *core = node_core(node, c);
        check_copies(node, core);
        check_core(node, c);
    }
    for (uint32_t d = 0; d < sim_domains(&node->config); d++) {
        check_last_level(node, &node->sim->domain[d]);
        if (node->config.inclusion == SIM_VICTIM)
            check_directory(&node->sim->domain[d], directory_entries(node));
    }
    check_uncore(node);
}

#endif
