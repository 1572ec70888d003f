/* mix.c - runs through the loops of mix.S. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/program.h"

enum { TIMES }; /* parameter */
enum { BYTES = 2 * 4096 };

typedef void mix(size_t times, void *memory);
mix mix_nops, mix_calls, mix_avx_loads, mix_avx_stores, mix_scalar_sp, mix_scalar_dp, mix_128_sp, mix_128_dp,
    mix_256_sp, mix_256_dp, mix_divide, mix_divide_wide, mix_not_forwarded, mix_forwarded, mix_aliased, mix_prefetches,
    mix_prefetches_write, mix_prefetches_nt;
void mix_called(void);

static const char *const codes[] = {"mix_nops",
                                    "mix_calls",
                                    "mix_avx_loads",
                                    "mix_avx_stores",
                                    "mix_scalar_sp",
                                    "mix_scalar_dp",
                                    "mix_128_sp",
                                    "mix_128_dp",
                                    "mix_256_sp",
                                    "mix_256_dp",
                                    "mix_divide",
                                    "mix_divide_wide",
                                    "mix_not_forwarded",
                                    "mix_forwarded",
                                    "mix_aliased",
                                    "mix_prefetches",
                                    "mix_prefetches_write",
                                    "mix_prefetches_nt",
                                    NULL};
static mix *const loops[] = {
    mix_nops,          mix_calls,     mix_avx_loads, mix_avx_stores, mix_scalar_sp,        mix_scalar_dp,
    mix_128_sp,        mix_128_dp,    mix_256_sp,    mix_256_dp,     mix_divide,           mix_divide_wide,
    mix_not_forwarded, mix_forwarded, mix_aliased,   mix_prefetches, mix_prefetches_write, mix_prefetches_nt};

static int setup(struct program_point *point, struct error *error) {
    point->data = program_allocate(BYTES, error);
    return point->data != NULL ? 0 : -1;
}

static void first_touch(const struct program_point *point, size_t thread) {
    char *memory = point->data;
    (void)thread;
    memory[0] = memory[BYTES / 2] = 1;
}

static void repeat(const struct program_point *point, size_t thread, size_t times) {
    (void)thread;
    loops[point->code](times, point->data);
}

static void release(struct program_point *point) {
    program_free(point->data, BYTES);
}

const struct pattern_program probe_mix = {
    .usage = "Runs through a loop of a few instructions: REGION mix_nops|mix_calls|... TIMES\n",
    .codes = codes,
    .parameters = 1,
    .threads = 1,
    .setup = setup,
    .first_touch = first_touch,
    .repeat = repeat,
    .release = release,
};
