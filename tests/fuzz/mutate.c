/* mutate.c - see mutate.h. SPDX-License-Identifier: GPL-3.0-or-later */
#include "mutate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { EDITS_MAX = 5, RUN_MAX = 700, RANDOM_MAX = 2048 };

/* Limits of the types that parsers use for numbers. */
static const char *const edges[] = {"0",
                                    "-0",
                                    "-1",
                                    "1",
                                    "255",
                                    "256",
                                    "65536",
                                    "2147483647",
                                    "2147483648",
                                    "4294967295",
                                    "4294967296",
                                    "1e308",
                                    "1e999",
                                    "nan",
                                    "-nan",
                                    "inf",
                                    "0x",
                                    "0x1p1023",
                                    "1e-400",
                                    "1.5",
                                    "00",
                                    "08",
                                    "281474976710655",
                                    "281474976710656",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "18446744073709551615",
                                    "18446744073709551616",
                                    "99999999999999999999999999",
                                    "",
                                    " ",
                                    "\t",
                                    "\n",
                                    "\r",
                                    ",",
                                    ":",
                                    "=",
                                    "#",
                                    "\"",
                                    "'",
                                    "\\",
                                    "(",
                                    ")",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    "-",
                                    "*",
                                    "/",
                                    "%s",
                                    "%n",
                                    "\xff",
                                    "\xc3\xa9",
                                    "\xed\xa0\x80",
                                    "nil",
                                    "true"};
enum { EDGES = sizeof edges / sizeof *edges };

/* xorshift64 (G. Marsaglia, 2003). */
static uint64_t draw(struct pool *pool, uint64_t below) {
    uint64_t x = pool->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    pool->random = x;
    return (x >> 11) % below;
}

static int in_word(unsigned char c) {
    return isalnum(c) || c == '_' || c == '.';
}

/* Length of the word, or of the single other character, at `at`. */
static size_t word_length(const unsigned char *bytes, size_t size, size_t at) {
    size_t end = at;
    while (end < size && in_word(bytes[end]))
        end++;
    return end > at ? end - at : at < size;
}

static void *grow(void *list, size_t count, size_t size) {
    void *grown = list;
    if ((count & (count - 1)) == 0) /* the array's size is a power of two */
        grown = realloc(list, (count ? 2 * count : 1) * size);
    if (!grown)
        abort();
    return grown;
}

void pool_add(struct pool *pool, unsigned char *bytes, size_t size) {
    if (size > INPUT_MAX_BYTES) {
        free(bytes);
        return;
    }
    pool->seed = grow(pool->seed, pool->seeds, sizeof *pool->seed);
    pool->seed[pool->seeds++] = (struct input){bytes, size};
    for (size_t at = 0; at < size; at += word_length(bytes, size, at)) {
        pool->word = grow(pool->word, pool->words, sizeof *pool->word);
        pool->word[pool->words++] = (struct input){bytes + at, word_length(bytes, size, at)};
    }
}

void pool_free(struct pool *pool) {
    for (size_t i = 0; i < pool->seeds; i++)
        free(pool->seed[i].bytes);
    free(pool->seed);
    free(pool->word);
}

/* Replaces `length` bytes at `at` by `by`; does nothing if there is no room. */
static size_t replace(unsigned char *out, size_t size, size_t at, size_t length, const unsigned char *by,
                      size_t by_length) {
    if (size - length + by_length > INPUT_MAX_BYTES)
        return size;
    memmove(out + at + by_length, out + at + length, size - at - length);
    if (by_length > 0)
        memcpy(out + at, by, by_length);
    return size - length + by_length;
}

/* The start of the word that contains `at`. */
static size_t word_begin(const unsigned char *out, size_t at) {
    while (at > 0 && in_word(out[at]) && in_word(out[at - 1]))
        at--;
    return at;
}

static size_t line_begin(const unsigned char *out, size_t at) {
    while (at > 0 && out[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_length(const unsigned char *out, size_t size, size_t at) {
    const unsigned char *end = memchr(out + at, '\n', size - at);
    return end ? (size_t)(end - out) + 1 - at : size - at;
}

/* Takes a word from another place, or an edge value; replaces the word at `at` or inserts before it. */
static size_t edit_word(struct pool *pool, unsigned char *out, size_t size, size_t at) {
    const unsigned char *by;
    size_t by_length;
    if (draw(pool, 3) == 0 || pool->words == 0) {
        by = (const unsigned char *)edges[draw(pool, EDGES)];
        by_length = strlen((const char *)by);
    } else {
        const struct input *word = &pool->word[draw(pool, pool->words)];
        by = word->bytes;
        by_length = word->size;
    }
    at = word_begin(out, at);
    return replace(out, size, at, draw(pool, 4) ? word_length(out, size, at) : 0, by, by_length);
}

static size_t edit_line(struct pool *pool, unsigned char *out, size_t size, size_t at) {
    static unsigned char line[INPUT_MAX_BYTES];
    size_t begin = line_begin(out, at), length = line_length(out, size, begin);
    size_t to = line_begin(out, draw(pool, size)), times = draw(pool, 8) ? 1 : draw(pool, 200);
    memcpy(line, out + begin, length);
    if (draw(pool, 2))
        return replace(out, size, begin, length, NULL, 0);
    for (; times > 0; times--)
        size = replace(out, size, to, 0, line, length);
    return size;
}

static size_t edit_run(struct pool *pool, unsigned char *out, size_t size, size_t at) {
    unsigned char run[RUN_MAX];
    size_t length = 1 + draw(pool, draw(pool, 4) ? 16 : RUN_MAX);
    memset(run, draw(pool, 2) ? out[at] : (int)draw(pool, 256), length);
    return replace(out, size, at, 0, run, length);
}

static size_t edit(struct pool *pool, unsigned char *out, size_t size) {
    if (size == 0)
        return edit_word(pool, out, size, 0);
    size_t at = draw(pool, size), length = 1 + draw(pool, size - at < 32 ? size - at : 32);
    switch (draw(pool, 12)) {
    case 0:
        out[at] ^= (unsigned char)(1u << draw(pool, 8));
        return size;
    case 1:
        out[at] = (unsigned char)draw(pool, 256);
        return size;
    case 2:
        return replace(out, size, at, length, NULL, 0);
    case 3:
        return draw(pool, 4) ? size : at; /* truncate */
    case 4:
        return edit_run(pool, out, size, at);
    case 5:
    case 6:
        return edit_line(pool, out, size, at);
    default:
        return edit_word(pool, out, size, at);
    }
}

size_t pool_mutate(struct pool *pool, unsigned char *out) {
    size_t size = 0;
    if (pool->seeds > 0) {
        const struct input *seed = &pool->seed[draw(pool, pool->seeds)];
        size = seed->size;
        if (size > 0)
            memcpy(out, seed->bytes, size);
    } else {
        size = draw(pool, RANDOM_MAX);
        for (size_t i = 0; i < size; i++)
            out[i] = (unsigned char)draw(pool, 256);
    }
    for (uint64_t edits = 1 + draw(pool, EDITS_MAX); edits > 0; edits--)
        size = edit(pool, out, size);
    return size;
}
