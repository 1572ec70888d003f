/* pairs.c - pairs of loads APART bytes apart: both in one page, or in two adjacent pages. Pairs are far from each
 * other.
 *
 * Not a probe: `assay configuration` runs it with the page size that it found.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "patterns/program/program.h"

enum { STRIDE, START, APART, TIMES }; /* parameters */
enum { PAIRS = 1024 };                /* more than the entries of any TLB */

static const char *const codes[] = {"pairs", NULL};

struct array {
    char *memory, *begin; /* `begin` lies START bytes behind an address that the stride divides */
    size_t bytes;
};

static void release(struct program_point *point) {
    struct array *array = point->data;
    program_free(array->memory, array->bytes);
    free(array);
}

static int setup(struct program_point *point, struct error *error) {
    size_t stride = point->parameter[STRIDE];
    if (point->parameter[START] + point->parameter[APART] >= stride)
        return error_set(error, "%s: pairs reach the next one; give START and APART below STRIDE together",
                         point->region);
    struct array *array = calloc(1, sizeof *array);
    if (array == NULL)
        return error_set(error, "no memory for pairs; free some");
    point->data = array;
    array->bytes = (PAIRS + 1) * stride;
    array->memory = program_allocate(array->bytes, error);
    if (array->memory == NULL) {
        free(array);
        return -1;
    }
    madvise(array->memory, array->bytes, MADV_NOHUGEPAGE); /* fails harmlessly on kernels without large pages */
    array->begin = (char *)(((uintptr_t)array->memory + stride - 1) / stride * stride) + point->parameter[START];
    return 0;
}

/* Loads the first of a pair, then the second, which is in the same page or the next one. */
static void repeat(const struct program_point *point, size_t thread, size_t times) {
    const struct array *array = point->data;
    size_t stride = point->parameter[STRIDE], apart = point->parameter[APART];
    (void)thread;
    for (size_t time = 0; time < times; time++) {
        const volatile char *place = array->begin;
        for (size_t pair = 0; pair < PAIRS; pair++, place += stride) {
            (void)place[0];
            (void)place[apart];
        }
    }
}

static void first_touch(const struct program_point *point, size_t thread) {
    const struct array *array = point->data;
    size_t stride = point->parameter[STRIDE];
    (void)thread;
    for (size_t pair = 0; pair < PAIRS; pair++)
        array->begin[pair * stride] = array->begin[pair * stride + point->parameter[APART]] = 1;
}

const struct pattern_program probe_pairs = {
    .usage =
        "Pairs of loads, APART bytes apart, the first of each START bytes behind a multiple of STRIDE, TIMES times:\n"
        "REGION pairs STRIDE START APART TIMES\n",
    .codes = codes,
    .parameters = 4,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
