/* noise.c - counts that a busy machine adds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise.h"

#include <math.h>
#include <string.h>

/* Shares of a count, rates per second, probabilities per run. */
struct level {
    double core_jitter, box_jitter;
    double timer, walks, traffic_lines;
    double burst, burst_probability;
    double preempted, preempted_probability;
};

static const struct level levels[] = {
    [NOISE_QUIET] = {.core_jitter = 1e-4,
                     .box_jitter = 1e-3,
                     .timer = 250,
                     .walks = 25,
                     .traffic_lines = 2e2,
                     .burst = 0.15,
                     .burst_probability = 0.02,
                     .preempted = 0.025,
                     .preempted_probability = 0.02},
    [NOISE_BUSY] = {.core_jitter = 5e-4,
                    .box_jitter = 5e-3,
                    .timer = 1000,
                    .walks = 250,
                    .traffic_lines = 2e3,
                    .burst = 0.15,
                    .burst_probability = 0.1,
                    .preempted = 0.025,
                    .preempted_probability = 0.1},
};

enum draw { DRAW_JITTER, DRAW_ANGLE, DRAW_TIMER, DRAW_TRAFFIC, DRAW_BURST, DRAW_PREEMPTED, DRAW_WALKS };

enum noise_level noise_of_name(const char *name) {
    if (strcmp(name, "quiet") == 0)
        return NOISE_QUIET;
    return strcmp(name, "busy") == 0 ? NOISE_BUSY : NOISE_NONE;
}

static double hashed(uint64_t seed, const uint64_t *parts, size_t count) {
    uint64_t x = fault_mix(seed ^ UINT64_C(0x6e6f697365)); /* not the numbers of faults */
    for (size_t i = 0; i < count; i++)
        x = fault_mix(x ^ parts[i]);
    return ((double)(x >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

/* Uniform in (0, 1), for one counter and interval. */
static double of_interval(const struct programmed *at, uint32_t interval, enum draw draw) {
    const uint64_t parts[] = {
        draw, (uint64_t)(int64_t)at->counter.kind, at->counter.instance, at->counter.index, at->place, interval};
    return hashed(at->faults->seed, parts, sizeof parts / sizeof *parts);
}

/* Uniform in (0, 1), the same for all counters of a place, or of all places, during a run. */
static double of_run(const struct programmed *at, uint32_t place, enum draw draw) {
    const uint64_t parts[] = {draw, place};
    return hashed(at->faults->seed, parts, sizeof parts / sizeof *parts);
}

static double normal(const struct programmed *at, uint32_t interval) {
    return sqrt(-2 * log(of_interval(at, interval, DRAW_JITTER))) *
           cos(2 * acos(-1.0) * of_interval(at, interval, DRAW_ANGLE));
}

/* A number of events whose mean is `mean`: exponentially distributed, so it grows with the mean in every draw. */
static double some(const struct programmed *at, uint32_t interval, double mean, enum draw draw) {
    return -mean * log(of_interval(at, interval, draw));
}

static double in_core(const struct programmed *at, uint32_t interval, double counted, const struct level *level) {
    int is_preempted = of_run(at, at->place, DRAW_PREEMPTED) < level->preempted_probability;
    int is_fixed = strcmp(at->event.unit, UNIT_FIXED) == 0;
    double share = level->core_jitter * normal(at, interval) + (is_preempted ? level->preempted : 0);
    double interrupts = is_fixed ? some(at, interval, level->timer * at->elapsed, DRAW_TIMER) : 0;
    double walks = at->per_walk * some(at, interval, level->walks * at->elapsed, DRAW_WALKS);
    return counted * (1 + share) + interrupts + walks;
}

static double in_box(const struct programmed *at, uint32_t interval, double counted, const struct level *level) {
    int is_burst = of_run(at, 0, DRAW_BURST) < level->burst_probability;
    double share = level->box_jitter * normal(at, interval) + (is_burst ? level->burst : 0);
    return counted * (1 + share) + some(at, interval, level->traffic_lines * at->elapsed, DRAW_TRAFFIC);
}

double noise_count(const struct programmed *at, uint32_t interval, double counted) {
    const struct level *level = &levels[at->faults->noise];
    int is_core = strcmp(at->event.unit, UNIT_FIXED) == 0 || strcmp(at->event.unit, UNIT_PMC) == 0;
    return fmax(0, is_core ? in_core(at, interval, counted, level) : in_box(at, interval, counted, level));
}
