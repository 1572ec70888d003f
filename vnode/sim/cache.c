/* cache.c - a set-associative array of keys with exact LRU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache.h"

size_t cache_bytes(uint64_t sets, uint32_t ways) {
    return (size_t)(sets * ways * sizeof(uint64_t));
}

void cache_init(struct cache *cache, uint64_t *words, uint64_t sets, uint32_t ways) {
    cache->words = words;
    cache->set_mask = sets - 1;
    cache->ways = ways;
}

uint64_t *cache_peek(const struct cache *cache, uint64_t key) {
    uint64_t *set = cache_set(cache, key);
    for (uint32_t way = 0; way < cache->ways; way++)
        if (cache_matches(set[way], key))
            return &set[way];
    return NULL;
}

/* Moves the words before `way` one back and puts `word` in front. */
static inline void push_front(uint64_t *set, uint32_t way, uint64_t word) {
    for (; way > 0; way--)
        set[way] = set[way - 1];
    set[0] = word;
}

uint64_t *cache_touch(struct cache *cache, uint64_t key) {
    uint64_t *set = cache_set(cache, key);
    for (uint32_t way = 0; way < cache->ways; way++) {
        uint64_t word = set[way];
        if (cache_matches(word, key)) {
            push_front(set, way, word);
            return set;
        }
    }
    return NULL;
}

uint64_t cache_insert(struct cache *cache, uint64_t key, enum private_state state) {
    uint64_t *set = cache_set(cache, key);
    uint64_t victim = set[cache->ways - 1];
    push_front(set, cache->ways - 1, cache_word(key, state));
    return victim;
}

enum private_state cache_remove(struct cache *cache, uint64_t key) {
    uint64_t *set = cache_set(cache, key);
    uint64_t *word = cache_peek(cache, key);
    if (!word)
        return PRIVATE_I;
    enum private_state state = cache_state(*word);
    uint64_t *last = set + cache->ways - 1;
    for (; word < last; word++)
        word[0] = word[1];
    *last = 0;
    return state;
}
