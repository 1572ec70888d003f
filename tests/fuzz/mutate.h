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

/* All seeds of mutations and the words in them. Initialize with zeros. */
struct pool {
    struct input *seed;
    size_t seeds;
    struct input *word; /* point into the seeds */
    size_t words;
    uint64_t random; /* state, not 0 */
};

/* Takes over `bytes` (malloc'ed). Seeds larger than INPUT_MAX_BYTES are not added but freed. */
void pool_add(struct pool *pool, unsigned char *bytes, size_t size);

/* Writes a mutation of a random seed (without seeds: of random bytes) to `out` (INPUT_MAX_BYTES); returns its size. */
size_t pool_mutate(struct pool *pool, unsigned char *out);

void pool_free(struct pool *pool);

#endif
