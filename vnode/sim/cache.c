/* cache.c - a set-associative array of keys with exact LRU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache.h"

/* SSE2 is part of x86-64, the only host of the virtual node. */
typedef uint64_t pair __attribute__((vector_size(16)));
typedef uint32_t quad __attribute__((vector_size(16)));
typedef float lanes __attribute__((vector_size(16)));

size_t cache_bytes(uint64_t sets, uint32_t ways) {
    return (size_t)(sets * cache_row(ways) * sizeof(uint64_t));
}

void cache_init(struct cache *cache, uint64_t *words, uint64_t sets, uint32_t ways) {
    cache->words = words;
    cache->set_mask = sets - 1;
    cache->ways = ways;
    cache->stride = cache_row(ways);
}

void cache_clear(struct cache *cache) {
    for (uint64_t i = 0; i < (cache->set_mask + 1) * cache->stride; i++)
        cache->words[i] = 0;
}

/* Compares the lower halves of four words from `row` on with the key's, in any state; a lane of ones for each match. */
static inline quad equal(const quad *row, quad lows) {
    const quad states = {~3u, ~3u, ~3u, ~3u};
    quad low = __builtin_shufflevector(row[0], row[1], 0, 2, 4, 6);
    return (quad)((low & states) == lows);
}

/* The same; one result bit per word. */
static inline uint32_t alike(const quad *row, quad lows) {
    return (uint32_t)__builtin_ia32_movmskps((lanes)equal(row, lows));
}

/* Compares the lower halves of all words first: they rarely match for different keys. */
inline int cache_find_way(const uint64_t *set, uint32_t ways, uint64_t key) {
    const uint32_t low = (uint32_t)cache_word(key, PRIVATE_I);
    const quad lows = {low, low, low, low};
    uint32_t way = 0;
    do {
        const quad *row = (const quad *)(const void *)(set + way);
        for (uint32_t found = alike(row, lows) | alike(row + 2, lows) << 4; found; found &= found - 1) {
            uint32_t candidate = way + (uint32_t)__builtin_ctz(found);
            if (cache_has_key(set[candidate], key))
                return (int)candidate;
        }
        way += CACHE_GROUP;
    } while (way < ways);
    return -1;
}

inline int cache_may_have(const struct cache *cache, uint64_t key) {
    const quad *row = (const quad *)(const void *)cache_set(cache, key);
    const uint32_t low = (uint32_t)cache_word(key, PRIVATE_I);
    const quad lows = {low, low, low, low};
    quad found = equal(row, lows) | equal(row + 2, lows);
    for (uint32_t way = CACHE_GROUP; way < cache->ways; way += CACHE_GROUP) {
        row += CACHE_GROUP / 2; /* words in pairs */
        found |= equal(row, lows) | equal(row + 2, lows);
    }
    return __builtin_ia32_movmskps((lanes)found);
}

inline uint64_t *cache_peek(const struct cache *cache, uint64_t key) {
    uint64_t *set = cache_set(cache, key);
    int way = cache_find_way(set, cache->ways, key);
    return way < 0 ? NULL : set + way;
}

static __attribute__((noinline)) int surely_has(const struct cache *cache, uint64_t key) {
    return cache_peek(cache, key) != NULL;
}

int cache_has(const struct cache *cache, uint64_t key) {
    return cache_may_have(cache, key) && surely_has(cache, key);
}

/* The second word of `one` and the first word of `next` as a pair. */
static inline pair across(pair one, pair next) {
    return __builtin_shufflevector(one, next, 1, 2);
}

/* See push_front(), for a way behind the first group. */
static __attribute__((noinline)) void push_far(uint64_t *set, uint32_t way, uint64_t word) {
    pair *row = (pair *)(void *)set;
    uint32_t last = way / 2;
    row[last] = way % 2 ? across(row[last - 1], row[last]) : (pair){row[last - 1][1], row[last][1]};
    while (--last > 0)
        row[last] = across(row[last - 1], row[last]);
    row[0] = (pair){word, row[0][0]};
}

/* See push_front(), for a way of the first group. */
static inline void push_near(uint64_t *set, uint32_t way, uint64_t word) {
    pair *row = (pair *)(void *)set;
    pair first = row[0], second = row[1], third = row[2], fourth = row[3];
    row[0] = (pair){word, way == 0 ? first[1] : first[0]};
    if (way >= 2)
        row[1] = way == 2 ? (pair){first[1], second[1]} : across(first, second);
    if (way >= 4)
        row[2] = way == 4 ? (pair){second[1], third[1]} : across(second, third);
    if (way >= 6)
        row[3] = way == 6 ? (pair){third[1], fourth[1]} : across(third, fourth);
}

/* Moves the words before `way` back by one and puts `word` in front. If `way` is even, the second word of its pair
 * stays. */
static inline void push_front(uint64_t *set, uint32_t way, uint64_t word) {
    if (way < CACHE_GROUP)
        push_near(set, way, word);
    else
        push_far(set, way, word);
}

static inline __attribute__((always_inline)) uint64_t *touch_in(uint64_t *set, uint32_t ways, uint64_t key) {
    int way = cache_find_way(set, ways, key);
    if (way < 0)
        return NULL;
    if (ways == CACHE_GROUP)
        push_near(set, (uint32_t)way, set[way]);
    else
        push_front(set, (uint32_t)way, set[way]);
    return set;
}

inline uint64_t *cache_touch(struct cache *cache, uint64_t key) {
    if (cache->ways == CACHE_GROUP) /* the usual number, for which the compiler removes tests */
        return touch_in(cache->words + (key & cache->set_mask) * CACHE_GROUP, CACHE_GROUP, key);
    return touch_in(cache_set(cache, key), cache->ways, key);
}

inline uint64_t cache_insert_into(const struct cache *cache, uint64_t *set, uint64_t word) {
    uint32_t last = cache->ways - 1;
    uint64_t victim = set[last];
    if (last == CACHE_GROUP - 1)
        push_near(set, CACHE_GROUP - 1, word);
    else
        push_front(set, last, word);
    return victim;
}

inline uint64_t cache_insert(struct cache *cache, uint64_t key, enum private_state state) {
    return cache_insert_into(cache, cache_set(cache, key), cache_word(key, state));
}

inline enum private_state cache_remove(struct cache *cache, uint64_t key) {
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
