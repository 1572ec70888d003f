/* pipeline.c - see pipeline.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pipeline.h"
#include "cycles.h"

void pipeline_init(struct sim_core *core, struct pipeline *pipeline, const struct sim_config *config) {
    core->pipeline = pipeline;
    if (pipeline)
        pipeline->window = (uint64_t)config->pipeline.window * PIPELINE_TICKS / config->pipeline.width;
}

static inline uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The issue reaches `front`; whole cycles are counted. */
static void advance(struct sim_core *core, uint64_t front) {
    struct pipeline *pipeline = core->pipeline;
    pipeline->front = front;
    uint64_t cycles = (front - pipeline->counted) / PIPELINE_TICKS;
    pipeline->counted += cycles * PIPELINE_TICKS;
    clock_add(core, cycles);
}

/* Stores when the run's results are there; returns when the last one is. */
static uint64_t execute(struct pipeline *pipeline, const struct pipeline_run *run) {
    struct {
        uint64_t ready;
        uint16_t to;
    } results[PIPELINE_REGISTERS];
    uint64_t last = 0;
    uint32_t count = 0;
    pipeline->ready[PIPELINE_ISSUE] = pipeline->front;
    for (const struct pipeline_edge *edge = run->edge, *end = edge + run->edges; edge < end; count++) {
        uint64_t ready = 0;
        results[count].to = edge->to;
        for (; edge < end && edge->to == results[count].to; edge++)
            ready = later(ready, pipeline->ready[edge->from] + edge->ticks);
        results[count].ready = ready;
        last = later(last, ready);
    }
    for (uint32_t i = 0; i < count; i++)
        pipeline->ready[results[i].to] = results[i].ready;
    return last;
}

void sim_pipeline_run(struct sim_core *core, const struct pipeline_run *run) {
    struct pipeline *pipeline = core->pipeline;
    uint64_t start = pipeline->front, last = execute(pipeline, run);
    for (int unit = 0; unit < SIM_PIPELINE_UNITS; unit++)
        if (run->demand[unit]) {
            pipeline->busy[unit] = later(pipeline->busy[unit], start) + run->demand[unit];
            last = later(last, pipeline->busy[unit]);
        }
    uint64_t front = start + run->issue;
    advance(core, last > front + pipeline->window ? last - pipeline->window : front);
}

void pipeline_await_flags(struct sim_core *core) {
    const struct pipeline *pipeline = core->pipeline;
    if (pipeline && pipeline->ready[PIPELINE_FLAGS] > pipeline->front)
        advance(core, pipeline->ready[PIPELINE_FLAGS]);
}

void pipeline_switch(struct sim_core *core) {
    for (int i = 0; core->pipeline && i < PIPELINE_REGISTERS; i++)
        core->pipeline->ready[i] = 0;
}
