/* near.c - first-level caches and TLBs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "near.h"

static inline uint64_t near_stride(const struct near *near) {
    return 2 * (uint64_t)near->row;
}

size_t near_bytes(uint64_t sets, uint32_t row) {
    return sizeof(struct near_guesses) + 2 * sets * row * sizeof(uint64_t);
}

void near_init(struct near *near, void *memory, uint64_t sets, uint32_t ways, uint32_t row) {
    near->sets = (uint64_t *)((struct near_guesses *)memory + 1);
    near->set_mask = sets - 1;
    near->ways = ways;
    near->row = row;
}

void near_clear(struct near *near) {
    struct near_guesses *guesses = near_guesses(near);
    for (uint64_t i = 0; i < (near->set_mask + 1) * near_stride(near); i++)
        near->sets[i] = 0;
    for (uint32_t i = 0; i < NEAR_GUESSES; i++)
        guesses->keys[i] = 0;
}

static inline uint64_t *near_set(const struct near *near, uint64_t key) {
    return near->sets + (key & near->set_mask) * near_stride(near);
}

inline uint64_t *near_peek(const struct near *near, uint64_t key) {
    uint64_t hash = near_hash(key), *guessed = near_guessed(near, key);
    if (cache_matches(*guessed, key))
        return guessed;
    if (near_guesses(near)->keys[hash] == 0)
        return NULL;
    uint64_t *set = near_set(near, key);
    int way = cache_find_way(set, near->ways, key);
    if (way < 0)
        return NULL;
    near_guesses(near)->place[hash] = (uint16_t)(set + way - near->sets);
    return set + way;
}

inline int near_lacks(const struct near *near, uint64_t key) {
    return near_guesses(near)->keys[near_hash(key)] == 0 || !near_peek(near, key);
}

inline uint64_t *near_touch(const struct near *near, uint64_t key, uint64_t stamp) {
    uint64_t *word = near_peek(near, key);
    if (word)
        *near_stamp(word, near->row) = stamp;
    return word;
}

/* The place of the least of the stamps of a set. */
static inline uint32_t oldest(const uint64_t *stamps, uint32_t ways) {
    uint64_t least = stamps[0];
    uint32_t way = 0;
    for (uint32_t other = 1; other < ways; other++) { /* selects values: the host could not predict a jump */
        uint64_t stamp = stamps[other];
        way = stamp < least ? other : way;
        least = stamp < least ? stamp : least;
    }
    return way;
}

inline uint64_t near_insert(const struct near *near, uint64_t key, enum private_state state, uint64_t stamp) {
    struct near_guesses *guesses = near_guesses(near);
    uint64_t *set = near_set(near, key), *stamps = near_stamp(set, near->row), hash = near_hash(key);
    /* the usual number, for which the compiler removes the loop */
    uint32_t way = near->ways == CACHE_GROUP ? oldest(stamps, CACHE_GROUP) : oldest(stamps, near->ways);
    uint64_t victim = set[way];
    if (victim)
        guesses->keys[near_hash(cache_key(victim))]--;
    set[way] = cache_word(key, state);
    stamps[way] = stamp;
    guesses->place[hash] = (uint16_t)(set + way - near->sets);
    guesses->keys[hash]++;
    return victim;
}

enum private_state near_remove(const struct near *near, uint64_t key) {
    uint64_t *word = near_peek(near, key);
    if (!word)
        return PRIVATE_I;
    enum private_state state = cache_state(*word);
    *word = *near_stamp(word, near->row) = 0;
    near_guesses(near)->keys[near_hash(key)]--;
    return state;
}
