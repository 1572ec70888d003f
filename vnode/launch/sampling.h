/* sampling.h - selects what is sampled of a virtual node's programs (vnode/sampling_file.h), and returns true event
 * counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_SAMPLING_H
#define ASSAY_LAUNCH_SAMPLING_H

#include "vnode.h"
#include "vnode/sampling_file.h"

struct vnode_sampling {
    uint32_t events, periods, skid;
    const char *event[SAMPLING_EVENTS];  /* LIKWID's names */
    uint64_t period[SAMPLING_PERIODS];   /* ascending, from 1 on */
    char obstacle[SAMPLING_EVENTS][160]; /* output: why the node cannot sample the event, "": it can */
};

/* Programs of the node are sampled from now on, with its counters' faults, each event independently in its fixed
 * counter, or in PMC0 if it has none. An event that cannot be sampled has an obstacle and is left out of the samples;
 * the others keep their order. 0, or -1 and one line in `error`. */
int vnode_sample(const struct vnode *node, struct vnode_sampling *sampling, char *error, size_t error_size);

/* The event's count over all cores and all programs of the node so far, as its access daemon would read it without
 * faults. 0, or -1 and one line in `error`. */
int vnode_happened(const struct vnode *node, const char *event, uint64_t *count, char *error, size_t error_size);

#endif
