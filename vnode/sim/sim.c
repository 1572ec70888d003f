/* sim.c - builds the hardware in the caller's memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim.h"

#include "coherence.h"
#include "frames.h"
#include "hardware.h"
#include "pipeline.h"
#include "prefetch.h"
#include "wcbuffer.h"
#include "wrong_path.h"

enum { ALIGNMENT = 64 };

/* Allocates from one block of memory; with base NULL it only adds up the sizes. */
struct arena {
    unsigned char *base;
    size_t used;
};

static void *take(struct arena *arena, size_t bytes) {
    void *piece = arena->base ? arena->base + arena->used : NULL;
    arena->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return piece;
}

static uint64_t cache_sets(const struct sim_cache_config *cache, const struct sim_config *config) {
    return cache->size / config->line / cache->ways;
}

static void build_cache(struct arena *arena, struct cache *cache, uint64_t sets, uint32_t ways) {
    uint64_t *words = take(arena, cache_bytes(sets, ways));
    if (arena->base)
        cache_init(cache, words, sets, ways);
}

static void build_near(struct arena *arena, struct near *near, uint64_t sets, uint32_t ways, uint32_t row) {
    void *memory = take(arena, near_bytes(sets, row));
    if (arena->base)
        near_init(near, memory, sets, ways, row);
}

static void build_l1(struct arena *arena, struct near *near, const struct sim_cache_config *cache,
                     const struct sim_config *config) {
    build_near(arena, near, cache_sets(cache, config), cache->ways, cache_row(cache->ways));
}

static void build_tlb(struct arena *arena, struct near *near, const struct sim_tlb_config *config, uint32_t row) {
    build_near(arena, near, config->entries / config->ways, config->ways, row);
}

/* The row of both data TLBs: a place in L1D refers to either. */
static uint32_t dtlb_row(const struct sim_config *config) {
    return cache_row(config->dtlb.ways > config->dtlb_large.ways ? config->dtlb.ways : config->dtlb_large.ways);
}

static void build_core(struct arena *arena, struct sim_core *core, const struct sim_config *config) {
    build_l1(arena, &core->l1d, &config->l1d, config);
    build_l1(arena, &core->l1i, &config->l1i, config);
    build_cache(arena, &core->l2, cache_sets(&config->l2, config), config->l2.ways);
    build_tlb(arena, &core->dtlb, &config->dtlb, dtlb_row(config));
    build_tlb(arena, &core->itlb, &config->itlb, cache_row(config->itlb.ways));
    build_cache(arena, &core->stlb, config->stlb.entries / config->stlb.ways, config->stlb.ways);
    if (config->dtlb_large.entries)
        build_tlb(arena, &core->dtlb_large, &config->dtlb_large, dtlb_row(config));
    void *memory = take(arena, predictor_bytes()), *places = take(arena, wrong_path_bytes());
    if (!arena->base)
        return;
    predictor_init(&core->predictor, memory);
    wrong_path_init(&core->wrong_path, places);
    core->clock.per_cycle_x4 = config->instructions_per_cycle_x4;
    core->walk_latency = config->walk_latency;
    core->branch_penalty = config->branch_penalty;
    core->wrong_path_bytes = (uint64_t)config->branch_penalty * WRONG_PATH_FETCH;
    core->large = config->dtlb_large.entries ? &core->dtlb_large : &core->dtlb;
    core->nearest_ways = config->l1d.ways < config->dtlb.ways ? config->l1d.ways : config->dtlb.ways;
    if (core->large->ways < core->nearest_ways)
        core->nearest_ways = core->large->ways;
    core->page_shift = (uint32_t)__builtin_ctz(config->page);
    core->line_shift = (uint32_t)__builtin_ctz(config->line);
    core->stamp = 1;
    core->fetched.quiet = FETCHED_QUIET;
    core->tells = config->inclusion == SIM_VICTIM;
    core->usual = !config->frames_seed && !config->prefetchers;
    for (int source = SOURCE_L3_SNOOP_NONE; source <= SOURCE_L3_SNOOP_HITM; source++)
        core->latency[source] = config->l3.latency;
    for (int source = SOURCE_SOCKET_FORWARD; source <= SOURCE_LOCAL_DRAM; source++)
        core->latency[source] = config->memory_latency;
    for (int source = SOURCE_REMOTE_DRAM; source <= SOURCE_REMOTE_HITM; source++)
        core->latency[source] = config->remote_latency;
    core->latency[SOURCE_L2] = config->l2.latency;
}

static void build_domain(struct arena *arena, struct domain *domain, const struct sim_config *config) {
    uint32_t sets = (uint32_t)cache_sets(&config->l3, config);
    uint32_t cores = sim_part(config->cores_per_socket, config->domains_per_socket);
    int has_directory = config->inclusion == SIM_VICTIM;
    void *l3 = take(arena, l3_bytes(config->slices, sets));
    void *directory = take(arena, has_directory ? directory_bytes(config, cores) : 0);
    if (!arena->base)
        return;
    l3_init(&domain->l3, l3, config->slices, sets, config->l3.ways);
    if (has_directory)
        directory_init(&domain->directory, directory, config, cores);
}

/* Lays out the hardware; with an empty arena it only measures and returns NULL. */
static struct sim *build(struct arena *arena, const struct sim_config *config) {
    struct sim_core measured_core;
    struct domain measured_domain;
    uint32_t cores = sim_cores(config), cpus = sim_cpus(config);
    struct sim *sim = take(arena, sizeof *sim);
    struct sim_core *core = take(arena, cores * sizeof *core);
    struct hardware_thread *threads = take(arena, cpus * sizeof *threads), measured_thread;
    void *homes = take(arena, home_bytes(sim_memories(config)));
    void *dram = take(arena, dram_bytes(config));
    if (sim) {
        sim->config = *config;
        sim->cores = core;
        sim->threads = threads;
        sim->page_shift = (uint32_t)__builtin_ctz(config->page);
        sim->line_shift = (uint32_t)__builtin_ctz(config->line);
        sim->large_shift = config->large_page ? (uint32_t)__builtin_ctz(config->large_page / config->page) : 0;
        sim->domains = sim_domains(config);
        sim->numas = sim_numas(config);
        home_init(&sim->homes, homes, sim_memory_domains(config), sim_memories(config));
        dram_init(&sim->dram, dram, config);
    }
    for (uint32_t i = 0; i < sim_domains(config); i++)
        build_domain(arena, sim ? &sim->domain[i] : &measured_domain, config);
    for (uint32_t i = 0; i < cores; i++)
        build_core(arena, sim ? &core[i] : &measured_core, config);
    for (uint32_t i = 0; i < cpus; i++)
        (sim ? &threads[i] : &measured_thread)->forwarding = take(arena, sizeof(struct forwarding));
    for (uint32_t i = 0; i < cores && config->prefetchers; i++)
        prefetch_init(sim ? &core[i] : &measured_core, take(arena, sizeof(struct prefetcher)), config);
    for (uint32_t i = 0; i < cores && config->has_pipeline; i++)
        pipeline_init(sim ? &core[i] : &measured_core, take(arena, sizeof(struct pipeline)), config);
    return sim;
}

/* ---- hardware threads ---- */

static void put_aside(struct sim_core *core) {
    struct hardware_thread *thread = &core->sim->threads[core->cpu];
    thread->counts = core->counts;
    thread->clock = core->clock;
    thread->forwarding = core->forwarding;
    thread->predictor = core->predictor;
    thread->wrong_path = core->wrong_path;
}

static void take_up(struct sim_core *core, uint32_t cpu) {
    const struct hardware_thread *thread = &core->sim->threads[cpu];
    core->cpu = cpu;
    core->counts = thread->counts;
    core->total = thread->counts->total;
    core->clock = thread->clock;
    core->forwarding = thread->forwarding;
    core->predictor = thread->predictor;
    core->wrong_path = thread->wrong_path;
    pipeline_switch(core);
}

struct sim_core *sim_core(struct sim *sim, uint32_t cpu) {
    struct sim_core *core = &sim->cores[sim_core_of(&sim->config, cpu)];
    if (core->cpu != cpu) {
        put_aside(core);
        take_up(core, cpu);
    }
    return core;
}

/* Links the parts with each other. */
static void connect(struct sim *sim) {
    const struct sim_config *config = &sim->config;
    for (uint32_t i = 0; i < config->sockets; i++) {
        sim->socket[i].number = i;
        sim->socket[i].uncore_step = (config->uncore_hz << 32) / config->clock_hz;
    }
    for (uint32_t i = 0; i < sim_memories(config); i++)
        sim->socket_of_memory[i] = (uint8_t)(sim_numa_of_memory(config, i) / config->numa_per_socket);
    for (uint32_t i = 0; i < sim->domains; i++) {
        sim->domain[i].sim = sim;
        sim->domain[i].number = i;
        sim->domain[i].socket = i / config->domains_per_socket;
        for (uint32_t memory = 0; memory < sim_memories(config); memory++)
            sim->domain[i].distance[memory] =
                sim->socket_of_memory[memory] == sim->domain[i].socket ? DISTANCE_LOCAL : DISTANCE_REMOTE;
    }
    for (uint32_t i = 0; i < sim_cores(config); i++) {
        struct sim_core *core = &sim->cores[i];
        core->sim = sim;
        core->socket = &sim->socket[sim_socket_of(config, i)];
        core->domain = &sim->domain[sim_domain_of(config, i)];
        core->numa = sim_numa_of(config, i);
        if (!core->domain->cores)
            core->domain->cores = core;
        core->bit = UINT64_C(1) << (core - core->domain->cores);
        core->cpu = i;
        core->forwarding = sim->threads[i].forwarding;
    }
    for (uint32_t i = 0; i < sim_cpus(config); i++) {
        const struct sim_core *core = &sim->cores[sim_core_of(config, i)];
        sim->threads[i].clock = core->clock;
        sim->threads[i].predictor = core->predictor;
        sim->threads[i].wrong_path = core->wrong_path;
    }
}

size_t sim_bytes(const struct sim_config *config) {
    struct arena arena = {NULL, 0};
    build(&arena, config);
    return arena.used;
}

static const uint32_t always = 1;

struct sim *sim_init(void *memory, const struct sim_config *config, struct sim_counts *counts) {
    struct arena arena = {memory, 0};
    struct sim *sim = build(&arena, config);
    connect(sim);
    sim_follow_stores(sim, &always);
    sim_set_counts(sim, counts);
    return sim;
}

void sim_set_counts(struct sim *sim, struct sim_counts *counts) {
    dram_count_in(&sim->dram, &sim->config, counts->memory);
    sim->hbm = counts->hbm;
    for (uint32_t i = 0; i < sim->config.sockets; i++)
        sim->socket[i].counts = &counts->socket[i];
    for (uint32_t i = 0; i < sim->domains; i++)
        sim->domain[i].slices = counts->domain[i].slice;
    for (uint32_t i = 0; i < sim_cores(&sim->config); i++)
        put_aside(&sim->cores[i]);
    for (uint32_t i = 0; i < sim_cpus(&sim->config); i++) {
        sim->threads[i].counts = &counts->core[i];
        forwarding_drain(sim->threads[i].forwarding); /* its entries refer to the old totals */
    }
    for (uint32_t i = 0; i < sim_cores(&sim->config); i++)
        take_up(&sim->cores[i], sim->cores[i].cpu);
}

void sim_at(struct sim_core *core, uint64_t instruction) {
    core->instruction = instruction;
}

void sim_follow_stores(struct sim *sim, const uint32_t *word) {
    for (uint32_t i = 0; i < sim_cores(&sim->config); i++)
        sim->cores[i].follows = word;
}

uint64_t sim_exchanges(const struct sim *sim) {
    return sim->exchanges;
}

void sim_leave_out(struct sim *sim, uint64_t first, uint64_t end) {
    sim->left_out = first;
    sim->left_out_bytes = end - first;
}

void sim_decide_homes(struct sim *sim, home_decision *decide, void *context) {
    sim->homes.decide = decide;
    sim->homes.context = context;
}

void sim_know_large_pages(struct sim *sim, large_pages *is_large, void *context) {
    sim->is_large = is_large;
    sim->large_context = context;
}

void sim_forget_translations(struct sim *sim) {
    for (uint32_t i = 0; i < sim_cores(&sim->config); i++) {
        struct sim_core *core = &sim->cores[i];
        near_clear(&core->dtlb);
        near_clear(core->large);
        cache_clear(&core->stlb);
    }
}

uint64_t sim_page(const struct sim *sim, uint64_t address) {
    return (address & ADDRESS_MASK) >> sim->page_shift;
}

int sim_home(const struct sim *sim, uint64_t address) {
    return home_known(&sim->homes, sim_page(sim, address));
}

uint32_t sim_touch(struct sim *sim, uint64_t address, uint32_t numa) {
    return home_of(&sim->homes, sim_page(sim, address), numa);
}

void sim_set_home(struct sim *sim, uint64_t address, uint32_t memory) {
    home_set(&sim->homes, sim_page(sim, address), memory);
}

void sim_move_homes(struct sim *sim, const uint32_t *to) {
    home_move(&sim->homes, to);
}

/* The page's lines leave the write-combining buffers and the caches. */
static void leave_caches(void *context, uint64_t page) {
    struct sim *sim = context;
    uint32_t shift = sim->page_shift - sim->line_shift;
    uint64_t first = page << shift, end = (page + 1) << shift;
    for (uint32_t i = 0; i < sim_cores(&sim->config); i++)
        for (uint64_t line = first; line < end && sim->cores[i].wc.open; line++)
            wc_flush_line(&sim->cores[i], line);
    for (uint64_t line = first; line < end; line++)
        coherence_drop(sim, frames_line(sim, line));
}

void sim_unmap(struct sim *sim, uint64_t address, uint64_t bytes) {
    home_forget(&sim->homes, sim_page(sim, address), bytes >> sim->page_shift, leave_caches, sim);
}
