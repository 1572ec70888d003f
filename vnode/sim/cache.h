/* cache.h - set-associative array of keys with exact LRU, used for L2 and the second-level TLB.
 *
 * A set is a row of words, most recent first. A word holds a key and a state; 0 is an empty way. Empty ways come
 * last, so the last word is the victim. A hit moves its word to the front. That is cheaper than time stamps, because
 * the common hit finds its word there already. A row is padded with empty words to a multiple of 8, which are
 * compared together. Rows are searched and shifted in aligned pairs, so that the host can forward recent pair-wise
 * stores to the next search. Keys are below 2^54. An owner may keep notes in the bits above.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_CACHE_H
#define ASSAY_SIM_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* State of a private copy; a TLB uses I and S only. Ordered by what the holder may do. */
enum private_state { PRIVATE_I, PRIVATE_S, PRIVATE_E, PRIVATE_M };

enum { CACHE_GROUP = 8 }; /* words compared together */

struct cache {
    uint64_t *words; /* sets * stride, aligned to 16 bytes */
    uint64_t set_mask;
    uint32_t ways;
    uint32_t stride; /* words from one set to the next */
};

enum { CACHE_PLACE_SHIFT = 57, CACHE_PLACES = 31 };

/* The word of key 0 is none of an empty way. */
static inline uint64_t cache_word(uint64_t key, enum private_state state) {
    return (key + 1) * 4 + state;
}

/* Notes of an L2 word, from bit CACHE_PLACE_SHIFT on: the line's way below L2 (coherence.h) + 1, 0: unknown; and this
 * bit, which may be missing for a line that is not in L1D. */
#define CACHE_NOT_IN_L1D (UINT64_C(1) << 62)

static inline uint64_t cache_key(uint64_t word) {
    return (word << (64 - CACHE_PLACE_SHIFT) >> (64 - CACHE_PLACE_SHIFT + 2)) - 1;
}

/* The way + 1 that is noted, 0: none. */
static inline uint32_t cache_place(uint64_t word) {
    return (uint32_t)(word >> CACHE_PLACE_SHIFT) & CACHE_PLACES;
}

static inline enum private_state cache_state(uint64_t word) {
    return (enum private_state)(word & 3);
}

/* Whether the word has the key, in any state, with any notes. */
static inline int cache_has_key(uint64_t word, uint64_t key) {
    return (word ^ cache_word(key, PRIVATE_I)) << (64 - CACHE_PLACE_SHIFT) <= (uint64_t)PRIVATE_M
                                                                                  << (64 - CACHE_PLACE_SHIFT);
}

/* The same for words that have no notes, as in L1 and the TLBs. */
static inline int cache_matches(uint64_t word, uint64_t key) {
    return (word ^ cache_word(key, PRIVATE_I)) <= PRIVATE_M;
}

static inline uint64_t *cache_set(const struct cache *cache, uint64_t key) {
    return cache->words + (key & cache->set_mask) * cache->stride;
}

/* Number of words in a row of so many ways: whole groups. */
static inline uint32_t cache_row(uint32_t ways) {
    return (ways + CACHE_GROUP - 1) / CACHE_GROUP * CACHE_GROUP;
}

/* The way of `key` in a row of `ways` words that begins at `set`, or -1. Reads the whole of each CACHE_GROUP. */
int cache_find_way(const uint64_t *set, uint32_t ways, uint64_t key);

/* Bytes that cache_init() needs for `words`. */
size_t cache_bytes(uint64_t sets, uint32_t ways);

/* Makes an empty cache in `words`: zeroed memory, aligned to 16 bytes. `sets` is a power of two. */
void cache_init(struct cache *cache, uint64_t *words, uint64_t sets, uint32_t ways);

void cache_clear(struct cache *cache);

/* 0: cache_peek() does not find the key. Cheaper, but may be nonzero without the key. */
int cache_may_have(const struct cache *cache, uint64_t key);

/* The word of `key`, or NULL; recency does not change. */
uint64_t *cache_peek(const struct cache *cache, uint64_t key);

/* Whether the key is present. For a key that most often is not. */
int cache_has(const struct cache *cache, uint64_t key);

/* The word of `key`, made the most recent of its set, or NULL. */
uint64_t *cache_touch(struct cache *cache, uint64_t key);

/* Inserts the word of an absent key into its set (cache_set()) as the most recent. Returns the word it displaced, 0 if
 * none. */
uint64_t cache_insert_into(const struct cache *cache, uint64_t *set, uint64_t word);

/* The same, by key. */
uint64_t cache_insert(struct cache *cache, uint64_t key, enum private_state state);

/* Removes a key. Returns its state, I if it was absent. */
enum private_state cache_remove(struct cache *cache, uint64_t key);

#endif
