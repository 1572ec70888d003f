/* sampling_file.h - sampling on a virtual node. NODE_DIR/sampling says what is sampled: the launcher writes it, the
 * engine of every process reads it. NODE_DIR/samples.PID.N has the samples of a process, written at its end (N: its
 * Nth program).
 *
 * A core's counter overflows when its value passes the next multiple of a period, counted from 0 at the program's
 * start. The instruction retired then, or `skid` instructions later, is sampled. All periods are counted at once,
 * each independently. The file also has the true number of events per instruction, which faults do not change.
 *
 * samples.PID.N is text. It is created at the program's start and is empty until its end:
 *     object K PATH              a file that code was mapped from; "-": none
 *     at K OFFSET COUNT ...      an instruction at that offset (hexadecimal) of object K. For each event: the number of
 *                                events, then its samples for each period
 *     units N                    cores of the process that have counted anything
 *     lost N                     records lost for lack of space
 *     end
 *
 * Freestanding: no libc here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_SAMPLING_FILE_H
#define ASSAY_VNODE_SAMPLING_FILE_H

#include <stdint.h>

#include "sim/counts.h"

#define SAMPLING_FILE_NAME "sampling" /* in the node's folder */
#define SAMPLES_FILE_PREFIX "samples."

enum {
    SAMPLING_MAGIC = 0x4d415341,
    SAMPLING_VERSION = 1,
    SAMPLING_EVENTS = 8,
    SAMPLING_PERIODS = 24,
    SAMPLING_TERMS = 12,
    SAMPLING_ONE = 32, /* fraction bits of `scale` */
};

/* A sum of a core's totals. */
struct sampling_sum {
    uint32_t terms;
    struct {
        int64_t factor;
        uint32_t offset;   /* bytes from the start of struct sim_core_counts */
        uint32_t adjacent; /* number of totals from there on */
    } term[SAMPLING_TERMS];
};

struct sampling_event {
    struct sampling_sum happens;                       /* the event */
    struct sampling_sum counts;                        /* what its counter counts: the same, unless faulty */
    uint64_t scale[SIM_CORES_MAX], add[SIM_CORES_MAX]; /* a core's counter shows scale * counts + add */
    uint32_t overflows;                                /* 0: never overflows, it is constant */
    uint32_t reserved;
};

struct sampling_file {
    uint32_t magic, version;
    uint32_t events, periods, skid, reserved;
    uint64_t period[SAMPLING_PERIODS];
    struct sampling_event event[SAMPLING_EVENTS];
};

#endif
