/* sim_config.c - which configurations can be simulated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim.h"

#include "hardware.h"
#include "snoop_filter.h"

static int power_of_two(uint64_t n) {
    return n && (n & (n - 1)) == 0;
}

static uint64_t sets_of(const struct sim_cache_config *cache, uint32_t line) {
    return cache->ways ? cache->size / line / cache->ways : 0;
}

/* The size must be a whole number of sets, and the number of sets a power of two. */
static int good_cache(const struct sim_cache_config *cache, uint32_t line) {
    return power_of_two(sets_of(cache, line)) && sets_of(cache, line) * cache->ways * line == cache->size;
}

/* Room for a first-level cache or TLB (near.h); ways: of it, or of an array with as long rows. */
static int fits(uint64_t sets, uint32_t ways) {
    return sets <= NEAR_WORDS_MAX && sets * cache_row(ways) <= NEAR_WORDS_MAX;
}

static int good_tlb(const struct sim_tlb_config *tlb) {
    return tlb->ways && tlb->entries % tlb->ways == 0 && power_of_two(tlb->entries / tlb->ways);
}

/* Parts consist of neighbours, and none may be empty. */
static int good_parts(uint32_t cores, uint32_t parts, uint32_t sockets, uint32_t most) {
    return parts >= 1 && parts <= cores && parts * sockets <= most && (parts - 1) * sim_part(cores, parts) < cores;
}

static const char *parts_error(const struct sim_config *config) {
    if (!good_parts(config->cores_per_socket, config->domains_per_socket, config->sockets, SIM_DOMAINS_MAX))
        return "domains_per_socket: each needs a core, at most 16 in all";
    if (!good_parts(config->cores_per_socket, config->numa_per_socket, config->sockets, SIM_NUMA_MAX))
        return "numa_per_socket: each needs a core, at most 16 in all";
    if (config->slices < 1 || config->slices > SIM_SLICES_MAX)
        return "slices: must be 1 to 40";
    if (config->links < 1 || config->links > SIM_LINKS_MAX)
        return "links: must be 1 to 6";
    return NULL;
}

static const char *policy_error(const struct sim_config *config) {
    const struct sim_filter_config *filter = &config->filter;
    if (config->protocol != SIM_MESIF && config->protocol != SIM_MOESI)
        return "protocol: must be MESIF or MOESI";
    if (config->inclusion == SIM_INCLUSIVE) {
        if (config->directory != SIM_DIRECTORY_INCLUSIVE)
            return "directory: an inclusive last level is its own";
        if (sim_part(config->cores_per_socket, config->domains_per_socket) > L3_SHARERS_MAX)
            return "domains_per_socket: at most 32 cores share an inclusive last level";
        return NULL;
    }
    if (config->inclusion != SIM_VICTIM)
        return "inclusion: must be inclusive or victim";
    if (config->directory != SIM_SNOOP_FILTER && config->directory != SIM_SHADOW_TAGS)
        return "directory: a victim last level needs a snoop filter or shadow tags";
    if (config->directory == SIM_SNOOP_FILTER &&
        (!filter->ways || filter->entries % filter->ways || !power_of_two(filter->entries / filter->ways)))
        return "filter: entries of a slice must be ways * a power of two";
    if (config->directory == SIM_SNOOP_FILTER && filter->ways > SNOOP_FILTER_WAYS_MAX)
        return "filter: at most 64 ways";
    if (config->directory == SIM_SNOOP_FILTER &&
        (uint64_t)(filter->entries / filter->ways) * config->slices > L3_SETS_MAX)
        return "filter: at most 2097152 sets in all slices";
    return NULL;
}

static const char *dram_error(const struct sim_config *config) {
    if (config->ranks == 0)
        return NULL;
    if (!power_of_two(config->ranks) || config->ranks > SIM_RANKS_MAX)
        return "ranks: must be 1, 2, 4 or 8";
    if (!power_of_two(config->banks) || config->banks > SIM_BANKS_MAX)
        return "banks: must be 1, 2, 4, 8 or 16";
    if (!power_of_two(config->dram_row) || config->dram_row < config->line)
        return "dram_row: must be a power of two, a line or more";
    return NULL;
}

const char *sim_config_error(const struct sim_config *config) {
    if (config->sockets < 1 || config->sockets > SIM_SOCKETS_MAX)
        return "sockets: must be 1 to 4";
    if (config->cores_per_socket < 1)
        return "cores_per_socket: must be positive";
    if (config->threads_per_core > SIM_THREADS_MAX)
        return "threads_per_core: must be 1 or 2";
    if (config->cores_per_socket > SIM_CORES_MAX / sim_threads(config) / config->sockets)
        return "cores_per_socket: at most 64 hardware threads in all";
    const char *error = parts_error(config);
    if (!error)
        error = policy_error(config);
    if (error)
        return error;
    if (config->line != LINE_BYTES_MIN && config->line != LINE_BYTES_MAX)
        return "line: must be 64 or 128";
    if (!power_of_two(config->page) || config->page < 4096)
        return "page: must be a power of two, 4096 or more";
    if (!good_cache(&config->l1i, config->line))
        return "l1i: size must be line * ways * a power of two";
    if (!good_cache(&config->l1d, config->line))
        return "l1d: size must be line * ways * a power of two";
    if (!fits(sets_of(&config->l1i, config->line), config->l1i.ways))
        return "l1i: at most 32768 lines; a set counts as a multiple of 8";
    if (!fits(sets_of(&config->l1d, config->line), config->l1d.ways))
        return "l1d: at most 32768 lines; a set counts as a multiple of 8";
    if (!good_cache(&config->l2, config->line))
        return "l2: size must be line * ways * a power of two";
    if (!good_cache(&config->l3, config->line))
        return "l3: size of a slice must be line * ways * a power of two";
    if (config->l3.ways > L3_WAYS_MAX)
        return "l3: at most 20 ways";
    if (sets_of(&config->l3, config->line) < L3_SETS_MIN)
        return "l3: at least 512 sets in a slice";
    if (sets_of(&config->l3, config->line) * config->slices > L3_SETS_MAX)
        return "l3: at most 2097152 sets in all slices";
    if (config->frames_seed && config->large_page &&
        sets_of(&config->l3, config->line) * config->slices * config->line < 2 * L3_SETS_MIN * LINE_BYTES_MIN)
        return "pages: random frames of large pages need 1024 sets of 64 bytes in all slices";
    if (config->channels < 1 || config->channels > SIM_CHANNELS_MAX)
        return "channels: must be 1 to 12";
    if (config->hbm_channels > SIM_HBM_MAX)
        return "hbm_channels: at most 32";
    if (config->last_lacks > config->channels)
        return "last_channels: more than channels";
    if (sim_memory_domains(config) == 0)
        return "last_channels: a socket needs memory";
    if (config->hbm_channels && sim_memory_domains(config) < sim_numas(config))
        return "last_channels: a socket with high-bandwidth memory needs other memory, too";
    if (config->agents > SIM_AGENTS_MAX || (config->agents && config->channels % config->agents))
        return "agents: must be 0 to 4 and divide channels";
    error = dram_error(config);
    if (error)
        return error;
    if (!good_tlb(&config->dtlb))
        return "dtlb: entries must be ways * a power of two";
    if (!good_tlb(&config->itlb))
        return "itlb: entries must be ways * a power of two";
    if (!fits(config->itlb.entries / config->itlb.ways, config->itlb.ways))
        return "itlb: at most 32768 entries; a set counts as a multiple of 8";
    if (!good_tlb(&config->stlb))
        return "stlb: entries must be ways * a power of two";
    if (config->large_page && (!power_of_two(config->large_page) || config->large_page <= config->page))
        return "large_page: must be a power of two, more than a page";
    if (config->dtlb_large.entries && !good_tlb(&config->dtlb_large))
        return "dtlb_large: entries must be ways * a power of two";
    uint32_t large_ways = config->dtlb_large.entries ? config->dtlb_large.ways : 0;
    if (!fits(config->dtlb.entries / config->dtlb.ways,
              large_ways > config->dtlb.ways ? large_ways : config->dtlb.ways))
        return "dtlb: at most 32768 entries; a set counts as a multiple of 8";
    if (large_ways &&
        !fits(config->dtlb_large.entries / large_ways, large_ways > config->dtlb.ways ? large_ways : config->dtlb.ways))
        return "dtlb_large: at most 32768 entries; a set counts as a multiple of 8";
    if (config->prefetchers & ~(uint32_t)SIM_PREFETCHERS)
        return "prefetchers: an unknown one";
    if (!config->instructions_per_cycle_x4)
        return "instructions_per_cycle_x4: must be positive";
    if (config->has_pipeline && !config->pipeline.width)
        return "pipeline: that of this processor is not known (groups/ARCH/machine.lua)";
    if (!config->clock_hz)
        return "clock_hz: must be positive";
    if (!config->uncore_hz || config->uncore_hz >> 32)
        return "uncore_hz: must be positive and below 2^32";
    return NULL;
}
