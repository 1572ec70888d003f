/* near.h - first-level caches and TLBs: arrays of keys as in cache.h, whose exact LRU order is that of time stamps.
 *
 * A key stays in its way, so a hit changes only its stamp. Its place is guessed, and checked; only if the guess is
 * wrong, and a key of that hash is there, the set is searched. An empty way has the word and the stamp 0, so it is the
 * first victim. Whoever uses such an array sees to it that the stamps of a set differ, and are in the order of use,
 * when a key is inserted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_NEAR_H
#define ASSAY_SIM_NEAR_H

#include "cache.h"

enum { NEAR_GUESSES = 8192, NEAR_WORDS_MAX = 1 << 15 };

/* A set has its words, as in cache.h, and then their stamps. */
struct near {
    uint64_t *sets; /* behind a struct near_guesses */
    uint64_t set_mask;
    uint32_t ways;
    uint32_t row; /* number of a set's words: cache_row() */
};

/* By a hash of the key. */
struct near_guesses {
    uint16_t keys[NEAR_GUESSES];  /* number of keys of that hash that the array has */
    uint16_t place[NEAR_GUESSES]; /* of the word of the key found last, from `sets` on */
};

/* Bytes that near_init() needs. */
size_t near_bytes(uint64_t sets, uint32_t row);

/* Makes an empty array in zeroed memory, aligned to 64 bytes. `sets` is a power of two; `row`: cache_row() of the ways,
 * or more. At most NEAR_WORDS_MAX words. */
void near_init(struct near *near, void *memory, uint64_t sets, uint32_t ways, uint32_t row);

void near_clear(struct near *near);

/* Neighbours have different hashes, and so have most streams that are a power of two apart. */
static inline uint64_t near_hash(uint64_t key) {
    return (key ^ key >> 7) % NEAR_GUESSES;
}

static inline struct near_guesses *near_guesses(const struct near *near) {
    return (struct near_guesses *)near->sets - 1;
}

/* The key's word, if the array has it and the guess is right. */
static inline uint64_t *near_guessed(const struct near *near, uint64_t key) {
    return near->sets + near_guesses(near)->place[near_hash(key)];
}

/* Of a word of an array with that `row`. */
static inline uint64_t *near_stamp(uint64_t *word, uint32_t row) {
    return word + row;
}

/* The word of `key`, or NULL; recency does not change. */
uint64_t *near_peek(const struct near *near, uint64_t key);

/* Whether the key is absent. For a key that most often is. */
int near_lacks(const struct near *near, uint64_t key);

/* The word of `key`, or NULL; the key is the most recent from now on. */
uint64_t *near_touch(const struct near *near, uint64_t key, uint64_t stamp);

/* Inserts an absent key as the most recent. Returns the word it displaced, 0 if none. */
uint64_t near_insert(const struct near *near, uint64_t key, enum private_state state, uint64_t stamp);

/* Removes a key. Returns its state, I if it was absent. */
enum private_state near_remove(const struct near *near, uint64_t key);

#endif
