/* directory.c - which cores of a victim domain hold a line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "directory.h"

#include "shadow_tags.h"
#include "snoop_filter.h"

enum { IN_FLIGHT = 4 }; /* lines in transit between caches while a request is served */

static int is_filter(const struct sim_config *config) {
    return config->directory == SIM_SNOOP_FILTER;
}

static size_t lines_of(const struct sim_config *config, const struct sim_cache_config *cache) {
    return (size_t)(cache->size / config->line);
}

static size_t entries_of(const struct sim_config *config, uint32_t cores) {
    if (is_filter(config))
        return snoop_filter_entries(config);
    return cores * (lines_of(config, &config->l1d) + lines_of(config, &config->l1i) + lines_of(config, &config->l2)) +
           IN_FLIGHT;
}

static uint32_t hash_bits_of(size_t entries) {
    uint32_t bits = 1;
    while ((size_t)1 << bits < entries)
        bits++;
    return bits;
}

size_t directory_bytes(const struct sim_config *config, uint32_t cores) {
    size_t entries = entries_of(config, cores);
    size_t bytes = entries * (sizeof(uint64_t) + sizeof(struct directory_entry));
    if (is_filter(config))
        return bytes + snoop_filter_bytes(config);
    return bytes + (entries + ((size_t)1 << hash_bits_of(entries))) * sizeof(uint32_t);
}

void directory_init(struct directory *directory, void *memory, const struct sim_config *config, uint32_t cores) {
    size_t entries = entries_of(config, cores);
    *directory = (struct directory){.lines = memory};
    directory->entries = (struct directory_entry *)(directory->lines + entries);
    void *rest = directory->entries + entries;
    if (is_filter(config)) {
        snoop_filter_init(directory, rest, config);
        return;
    }
    directory->next = rest;
    directory->heads = directory->next + entries;
    directory->hash_bits = hash_bits_of(entries);
    shadow_tags_init(directory, entries);
}

inline struct directory_entry *directory_find(const struct directory *directory, uint64_t line) {
    int64_t entry = directory->ways ? snoop_filter_find(directory, line) : shadow_tags_find(directory, line);
    return entry < 0 ? NULL : &directory->entries[entry];
}

inline struct directory_entry *directory_find_in(const struct directory *directory, uint64_t line, uint32_t place) {
    if (!place)
        return directory_find(directory, line);
    return &directory->entries[snoop_filter_entry_in(directory, line, place - 1)];
}

inline uint32_t directory_place(const struct directory *directory, const struct directory_entry *entry) {
    uint32_t way = (uint32_t)(entry - directory->entries) & ((1U << directory->set_shift) - 1);
    return directory->ways && way < DIRECTORY_PLACES ? way + 1 : 0;
}

inline void directory_touch(const struct directory *directory, const struct directory_entry *entry) {
    if (directory->ways)
        snoop_filter_touch(directory, (size_t)(entry - directory->entries));
}

inline struct directory_entry *directory_make(struct directory *directory, uint64_t line, struct displaced *displaced) {
    size_t entry = directory->ways ? snoop_filter_take(directory, line) : shadow_tags_take(directory, line);
    displaced->any = directory->lines[entry] != 0;
    if (displaced->any) {
        displaced->line = directory->lines[entry] - 1;
        displaced->entry = directory->entries[entry];
    }
    directory->lines[entry] = line + 1;
    directory->entries[entry] = (struct directory_entry){0, 0, 0};
    return &directory->entries[entry];
}

inline void directory_free(struct directory *directory, struct directory_entry *entry) {
    size_t number = (size_t)(entry - directory->entries);
    if (directory->ways)
        snoop_filter_release(directory, number);
    else
        shadow_tags_release(directory, directory->lines[number] - 1, number);
    directory->lines[number] = 0;
}
