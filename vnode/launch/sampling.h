/* sampling.h - what is sampled of the programs of a virtual node (vnode/sampling_file.h), and how often the events did
 * happen.
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
    char obstacle[SAMPLING_EVENTS][160]; /* why the node cannot sample it, "": it can. Filled in */
};

/* From now on programs of the node are sampled, with the faults that its counters have, each event by itself in the
 * first counter that takes it. What cannot be sampled has an obstacle, and no counts of its own in the samples: these
 * are of the others, in their order. 0, or -1 and one line in `error`. */
int vnode_sample(const struct vnode *node, struct vnode_sampling *sampling, char *error, size_t error_size);

/* How often the event has happened on all cores of the node, in all programs so far, as its counters' access daemon
 * would read it without faults. -1 and one line in `error`. */
int vnode_happened(const struct vnode *node, const char *event, uint64_t *count, char *error, size_t error_size);

#endif
