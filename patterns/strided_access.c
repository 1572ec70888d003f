/* strided_access.c - sums over every element of an array, or over every STRIDEth element of a larger array.
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "patterns/program/program.h"

enum { ELEMENTS, STRIDE, TIMES }; /* parameters */
enum { ELEMENTS_PER_LINE = PROGRAM_LINE_BYTES / sizeof(double) };

static const char *const codes[] = {"unit", "strided", NULL};

static size_t bytes_of(const struct program_point *point) {
    return point->parameter[ELEMENTS] * point->parameter[STRIDE] * sizeof(double);
}

static int setup(struct program_point *point, struct error *error) {
    if (point->parameter[ELEMENTS] % ELEMENTS_PER_LINE != 0)
        return error_set(error, "%s: %zu elements; give a multiple of %d", point->region, point->parameter[ELEMENTS],
                         ELEMENTS_PER_LINE);
    point->data = program_allocate(bytes_of(point), error);
    return point->data != NULL ? 0 : -1;
}

/* Memory that was never written is one page of zeros, which would stay in the caches. */
static void first_touch(const struct program_point *point, size_t thread) {
    double *array = point->data;
    (void)thread;
    for (size_t i = 0; i < bytes_of(point) / sizeof(double); i += ELEMENTS_PER_LINE)
        array[i] = 1;
}

/* The caches are not flushed: each pass finds in them what the pass before it left. */
static void sum(const struct program_point *point, size_t thread, size_t times) {
    const double *array = point->data;
    (void)thread;
    for (size_t time = 0; time < times; time++) {
        double of_all = 0;
        for (size_t i = 0; i < point->parameter[ELEMENTS]; i++)
            of_all += array[i * point->parameter[STRIDE]];
        __asm__ volatile("" : : "x"(of_all));
    }
}

static void release(struct program_point *point) {
    program_free(point->data, bytes_of(point));
}

const struct pattern_program pattern_program = {
    .usage = "Sums over ELEMENTS elements, STRIDE apart, TIMES times: REGION unit|strided ELEMENTS STRIDE TIMES\n",
    .codes = codes,
    .parameters = 3,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = sum,
    .release = release,
};
