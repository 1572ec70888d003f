/* pipeline.h - time of the instructions of a core that executes out of order: sim_config.pipeline.
 *
 * Instructions are issued in order, `width` a cycle. Each is executed when its operands are there and a unit of its
 * kind is free, and then its result is there after a latency. At most `window` instructions are under way, so the issue
 * waits for an instruction that is as far behind. A misprediction is noticed when the flags are there.
 *
 * What is simplified: units of one kind do not serve another kind; units are busy in the order of issue; a result in
 * memory is there for a later load at once; misses stop the whole core. docs/time.md.
 *
 * Times are ticks, so that a part of a cycle is a whole number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_PIPELINE_H
#define ASSAY_SIM_PIPELINE_H

#include "config.h"

/* Divisible by 1 to 8. */
enum { PIPELINE_TICKS = 840 };

/* What can wait for another instruction: general registers, vector registers, flags, and all of the x87 unit. */
enum {
    PIPELINE_GENERAL,
    PIPELINE_VECTORS = PIPELINE_GENERAL + 16,
    PIPELINE_FLAGS = PIPELINE_VECTORS + 16,
    PIPELINE_X87,
    PIPELINE_REGISTERS
};

/* "From": the time when the run's first instruction is issued. */
enum { PIPELINE_ISSUE = PIPELINE_REGISTERS };

/* The value of a register after a run: not before `ticks` after that of a register before it. */
struct pipeline_edge {
    uint16_t to, from;
    uint32_t ticks;
};

/* A run of instructions that is executed as a whole. */
struct pipeline_run {
    uint32_t issue;                      /* ticks that issuing it takes */
    uint32_t demand[SIM_PIPELINE_UNITS]; /* ticks that the units of each kind need for it */
    uint32_t edges;
    struct pipeline_edge edge[]; /* those to one register follow each other, with one from PIPELINE_ISSUE each */
};

struct pipeline {
    uint64_t front;                         /* when the next instruction is issued */
    uint64_t counted;                       /* so much of it is in the core's cycles */
    uint64_t ready[PIPELINE_REGISTERS + 1]; /* when their values are there; of PIPELINE_ISSUE for the current run */
    uint64_t busy[SIM_PIPELINE_UNITS];      /* until when */
    uint64_t window;
};

struct sim_core;

void pipeline_init(struct sim_core *core, struct pipeline *pipeline, const struct sim_config *config);

/* The core's pipeline executes a run. Only on a node with pipelines. */
void sim_pipeline_run(struct sim_core *core, const struct pipeline_run *run);

/* The next instruction is issued when the flags are there. Without a pipeline nothing happens. */
void pipeline_await_flags(struct sim_core *core);

/* Another thread's registers are in use from now on; their values are there. Without a pipeline nothing happens. */
void pipeline_switch(struct sim_core *core);

#endif
