/* mutate.h - changes inputs by bytes and by words, the same way for the same seed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_MUTATE_H
#define ASSAY_TESTS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

enum { INPUT_MAX_BYTES = 1 << 16 };

struct input {
    unsigned char *bytes;
    size_t size;
};

/* All inputs that mutations start from, and the words found in them. Zero at start. */
struct pool {
    struct input *seed;
    size_t seeds;
    struct input *word; /* into the seeds */
    size_t words;
    uint64_t random; /* state, not 0 */
};

/* Takes over `bytes` (malloc'ed). Seeds of more than INPUT_MAX_BYTES are left out of the pool and freed. */
void pool_add(struct pool *pool, unsigned char *bytes, size_t size);

/* Writes a mutation of some seed (without seeds: of random bytes) to `out`, INPUT_MAX_BYTES long; returns its size. */
size_t pool_mutate(struct pool *pool, unsigned char *out);

void pool_free(struct pool *pool);

#endif
