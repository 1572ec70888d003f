/* cache.c - a set-associative array of keys with exact LRU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache.h"

static uint32_t stride_of(uint32_t ways) {
    return (ways + CACHE_GROUP - 1) / CACHE_GROUP * CACHE_GROUP;
}

size_t cache_bytes(uint64_t sets, uint32_t ways) {
    return (size_t)(sets * stride_of(ways) * sizeof(uint64_t));
}

void cache_init(struct cache *cache, uint64_t *words, uint64_t sets, uint32_t ways) {
    cache->words = words;
    cache->set_mask = sets - 1;
    cache->ways = ways;
    cache->stride = stride_of(ways);
}

/* The way of `key` in the row, or -1. */
static inline int find_way(const uint64_t *set, uint32_t ways, uint64_t key) {
    for (uint32_t way = 0; way < ways; way += CACHE_GROUP)
        for (uint32_t i = 0; i < CACHE_GROUP; i++)
            if (cache_matches(set[way + i], key))
                return (int)(way + i);
    return -1;
}

uint64_t *cache_peek(const struct cache *cache, uint64_t key) {
    uint64_t *set = cache_set(cache, key);
    int way = find_way(set, cache->ways, key);
    return way < 0 ? NULL : set + way;
}

/* Moves the words before `way` one back and puts `word` in front. */
static inline void push_front(uint64_t *set, uint32_t way, uint64_t word) {
    if (way == 7) /* a miss of an 8-way cache, the usual one: a length that the compiler knows */
        for (uint32_t i = 7; i > 0; i--)
            set[i] = set[i - 1];
    else
        for (; way > 0; way--)
            set[way] = set[way - 1];
    set[0] = word;
}

uint64_t *cache_touch(struct cache *cache, uint64_t key) {
    uint64_t *set = cache_set(cache, key);
    int way = find_way(set, cache->ways, key);
    if (way < 0)
        return NULL;
    push_front(set, (uint32_t)way, set[way]);
    return set;
}

uint64_t cache_insert(struct cache *cache, uint64_t key, enum private_state state) {
    uint64_t *set = cache_set(cache, key);
    uint64_t victim = set[cache->ways - 1];
    push_front(set, cache->ways - 1, cache_word(key, state));
    return victim;
}

enum private_state cache_remove(struct cache *cache, uint64_t key) {
    uint64_t *word = cache_peek(cache, key);
    if (!word)
        return PRIVATE_I;
    enum private_state state = cache_state(*word);
    uint64_t *last = cache_set(cache, key) + cache->ways - 1;
    for (; word < last; word++)
        word[0] = word[1];
    *last = 0;
    return state;
}
