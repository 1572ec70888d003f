/* excess_volume.c - non-temporal stores of adjacent words or of one word per line, in every line or in every STRIDEth.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <emmintrin.h>

#include "patterns/program/program.h"

enum { WHOLE, PARTIAL };
enum { WORDS, STRIDE, FIRST, TIMES }; /* parameters */
enum { WORDS_PER_LINE = PROGRAM_LINE_BYTES / sizeof(long long) };

static const char *const codes[] = {"whole", "partial", NULL};

/* Words written per line. */
static size_t words_of_line(size_t code) {
    return code == WHOLE ? WORDS_PER_LINE : 1;
}

static size_t bytes_of(const struct program_point *point) {
    size_t lines = point->parameter[WORDS] / words_of_line(point->code);
    return (lines * point->parameter[STRIDE] + point->parameter[FIRST]) * PROGRAM_LINE_BYTES;
}

static int setup(struct program_point *point, struct error *error) {
    if (point->parameter[WORDS] % WORDS_PER_LINE != 0)
        return error_set(error, "%s: %zu words; give a multiple of %d", point->region, point->parameter[WORDS],
                         WORDS_PER_LINE);
    point->data = program_allocate(bytes_of(point), error);
    return point->data != NULL ? 0 : -1;
}

/* Writes the words of a line in order, so that a write-combining buffer is full before the next one is needed. */
static void work(const struct program_point *point, size_t thread) {
    size_t words = words_of_line(point->code), stride = point->parameter[STRIDE] * WORDS_PER_LINE;
    (void)thread;
    for (size_t time = 0; time < point->parameter[TIMES]; time++) {
        long long *line = (long long *)point->data + (point->parameter[FIRST] - 1) * WORDS_PER_LINE;
        for (size_t written = 0; written < point->parameter[WORDS]; written += words) {
            for (size_t i = 0; i < words; i++)
                _mm_stream_si64(line + i, 1);
            line += stride;
        }
        _mm_sfence();
    }
}

static void release(struct program_point *point) {
    program_free(point->data, bytes_of(point));
}

const struct pattern_program pattern_program = {
    .usage =
        "Words stored past the caches, side by side or one a line, into every STRIDEth line from the FIRST (1) on:\n"
        "REGION whole|partial WORDS STRIDE FIRST TIMES\n",
    .codes = codes,
    .parameters = 4,
    .threads = 1,
    .setup = setup,
    .work = work,
    .release = release,
};
