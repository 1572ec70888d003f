/* sampling_file.h - sampling on a virtual node: what is sampled, NODE_DIR/sampling, which the launcher writes and the
 * engine of every process reads; and what each process leaves at its end, NODE_DIR/samples.PID.N (N: its Nth program).
 *
 * A counter of a core overflows each time what it shows passes the next multiple of a period, from 0 at the start of
 * the program; the instruction that is retired then, or one `skid` instructions later, is sampled. All periods are
 * counted at once, each as if it were alone. Beside these stands how often the event happened at the instruction, which
 * no fault changes.
 *
 * samples.PID.N is text; the file is there from the program's start on and empty until its end:
 *     object K PATH              of the file that code was mapped from; "-": from none
 *     at K OFFSET COUNT ...      of an instruction at that offset (hexadecimal) of object K: of each event how often it
 *                                happened, then its samples of each period
 *     units N                    cores of the process that have counted anything
 *     lost N                     what there was no room for
 *     end
 *
 * Freestanding: no libc here. SPDX-License-Identifier: GPL-3.0-or-later */
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
    SAMPLING_ONE = 32, /* bits behind the point of `scale` */
};

/* A sum of a core's totals. */
struct sampling_sum {
    uint32_t terms;
    struct {
        int64_t factor;
        uint32_t offset;   /* bytes from the start of struct sim_core_counts */
        uint32_t adjacent; /* so many totals from there on */
    } term[SAMPLING_TERMS];
};

struct sampling_event {
    struct sampling_sum happens;                       /* what the event is */
    struct sampling_sum counts;                        /* what its counter counts: the same, without a fault */
    uint64_t scale[SIM_CORES_MAX], add[SIM_CORES_MAX]; /* a core's counter shows scale * counts + add */
    uint32_t overflows;                                /* 0: never, it always shows the same */
    uint32_t reserved;
};

struct sampling_file {
    uint32_t magic, version;
    uint32_t events, periods, skid, reserved;
    uint64_t period[SAMPLING_PERIODS];
    struct sampling_event event[SAMPLING_EVENTS];
};

#endif
