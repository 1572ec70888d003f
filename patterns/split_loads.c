/* split_loads.c - sums over adjacent vectors of 32, 16 or 8 bytes. The first one begins SHIFT bytes after the start of
 * a line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <immintrin.h>
#include <stdlib.h>

#include "patterns/program/program.h"

enum { ALIGNED, SHIFTED, SHIFTED_HALF, SHIFTED_WORD };
enum { LOADS, SHIFT, TIMES }; /* parameters */

static const char *const codes[] = {"aligned", "shifted", "shifted_half", "shifted_word", NULL};
static const size_t bytes_of[] = {
    [ALIGNED] = sizeof(__m256d), [SHIFTED] = sizeof(__m256d), [SHIFTED_HALF] = sizeof(__m128d), [SHIFTED_WORD] = 8};

struct vectors {
    char *data;
    size_t bytes;
    double sum; /* result: keeps the compiler from dropping the loop */
};

static int setup(struct program_point *point, struct error *error) {
    struct vectors *vectors = calloc(1, sizeof *vectors);
    if (vectors == NULL)
        return error_set(error, "no memory for vectors; free some");
    vectors->bytes = point->parameter[SHIFT] + point->parameter[LOADS] * bytes_of[point->code];
    vectors->data = program_allocate(vectors->bytes, error);
    if (vectors->data == NULL) {
        free(vectors);
        return -1;
    }
    point->data = vectors;
    return 0;
}

/* Each function has one loop, one load a pass. Its instructions are counted (validate/kernel/function.h). The
 * compiler may also add directly from memory: that is a load, too. */
__attribute__((target("avx"), noinline)) static double sum_avx(const char *data, size_t loads) {
    __m256d sum = _mm256_setzero_pd();
    do {
        sum = _mm256_add_pd(sum, _mm256_loadu_pd((const double *)data));
        data += sizeof sum;
    } while (--loads != 0);
    return _mm256_cvtsd_f64(sum);
}

__attribute__((noinline)) static double sum_sse(const char *data, size_t loads) {
    __m128d sum = _mm_setzero_pd();
    do {
        sum = _mm_add_pd(sum, _mm_loadu_pd((const double *)data));
        data += sizeof sum;
    } while (--loads != 0);
    return _mm_cvtsd_f64(sum);
}

__attribute__((noinline)) static double sum_scalar(const char *data, size_t loads) {
    __m128d sum = _mm_setzero_pd();
    do {
        sum = _mm_add_sd(sum, _mm_load_sd((const double *)data));
        data += sizeof(double);
    } while (--loads != 0);
    return _mm_cvtsd_f64(sum);
}

static void sum_times(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    struct vectors *vectors = point->data;
    const char *first = vectors->data + point->parameter[SHIFT];
    for (size_t time = 0; time < times; time++) {
        if (point->code == SHIFTED_HALF)
            vectors->sum += sum_sse(first, point->parameter[LOADS]);
        else if (point->code == SHIFTED_WORD)
            vectors->sum += sum_scalar(first, point->parameter[LOADS]);
        else
            vectors->sum += sum_avx(first, point->parameter[LOADS]);
    }
}

static void release(struct program_point *point) {
    struct vectors *vectors = point->data;
    program_free(vectors->data, vectors->bytes);
    free(vectors);
}

const struct pattern_program pattern_program = {
    .usage = "Sums over LOADS vectors that begin SHIFT bytes after the start of a line, TIMES times:\n"
             "REGION aligned|shifted|shifted_half|shifted_word LOADS SHIFT TIMES\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .repeat = sum_times,
    .release = release,
};
