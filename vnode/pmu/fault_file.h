/* fault_file.h - faults as text, one a line; '#' starts a comment.
 *
 *     EVENT|COUNTER scale F          every count times F
 *     EVENT|COUNTER add N            N more in every counting interval (fault.h): at every start of a region
 *     EVENT|COUNTER spike F P        a counting interval counts F times as much with probability P
 *     EVENT|COUNTER jitter S         a counting interval counts (1 + S * g) times as much, g normally distributed
 *     EVENT|COUNTER stuck N          always reads N
 *     EVENT|COUNTER swap OTHER       counts OTHER instead, an event of the same unit
 *     EVENT|COUNTER wrap BITS [N]    the counter has BITS bits; with N, it wraps first when it has counted N since it
 *                                    was cleared
 *     COUNTER deny                   its registers may not be accessed
 *     BOX nodevice                   the box is absent
 *     * shuffle N                    each event counts another one of its unit: permutation N (fault_shuffle.h)
 *     * seed N                       of spike and jitter, 1 unless given; the last one holds
 *
 * EVENT is LIKWID's name of an event that the node models, COUNTER and BOX are LIKWID's names on this node; a fault
 * hits all cores, domains and sockets. F, S >= 0; P 0 to 1; N whole, no more than the counter shows; BITS 1 to the
 * counter's width; of wrap, N 1 to 2^BITS.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FAULT_FILE_H
#define ASSAY_PMU_FAULT_FILE_H

#include "fault.h"

/* NULL, or one line "FILE:LINE: what; what to do" (in `error`). `out` refers to `table`. `lines`, if not NULL, gets
 * what was read, one fault a line and one blank between words: it has room for one character more than `text` has, with
 * its end. */
const char *faults_parse(const char *text, const char *file, const struct pmu_table *table,
                         const struct sim_config *config, struct fault_list *out, char *lines, char *error,
                         size_t error_size);

/* The seed for one of several runs that must differ from each other, and not from themselves. */
uint64_t faults_seed(uint64_t seed, const char *run);

#endif
