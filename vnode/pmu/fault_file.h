/* fault_file.h - faults as text, one per line; '#' starts a comment.
 *
 *     EVENT|COUNTER scale F          multiplies every count by F
 *     EVENT|COUNTER add N            adds N to every counting interval (fault.h), so at every start of a region
 *     EVENT|COUNTER spike F P        multiplies a counting interval by F with probability P
 *     EVENT|COUNTER jitter S         multiplies a counting interval by 1 + S * g, g normally distributed
 *     EVENT|COUNTER stuck N          always reads N
 *     EVENT|COUNTER swap OTHER       counts OTHER instead, an event of the same unit; or alias
 *     EVENT|COUNTER unfiltered       ignores filters, threshold, edge detection and inversion
 *     EVENT|COUNTER sibling          counts the core's other hardware thread as well
 *     EVENT|COUNTER wrap BITS [N]    the counter has BITS bits; with N, it first overflows N counts after a clear
 *     COUNTER deny                   its registers may not be accessed
 *     BOX nodevice                   the box is absent
 *     BOX mirror OTHER               counts what happens in OTHER, a box of the same kind
 *     SOCKET mirror OTHER            the socket's boxes count what happens in those of socket OTHER
 *     * shuffle N                    permutes the events of each unit, permutation N (fault_shuffle.h)
 *     * noise quiet|busy             noise of a machine (noise.h)
 *     * seed N                       for spike, jitter and noise, default 1; the last one holds
 *
 * EVENT is LIKWID's name of an event that the node models; COUNTER and BOX are LIKWID's names on this node,
 * SOCKET is S0, S1, ... Where EVENT|COUNTER stands, BOX means all its counters of events. So does SOCKET, for all boxes
 * of the socket, but not with swap. Any other fault affects all cores, domains and sockets. F, S >= 0; P 0 to 1; N an
 * integer within the counter's width; BITS 1 to the counter's width; for wrap, N 1 to 2^BITS.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FAULT_FILE_H
#define ASSAY_PMU_FAULT_FILE_H

#include "fault.h"

/* Returns NULL, or one line "FILE:LINE: what; what to do" (in `error`). `out` refers to `table`. `lines`, if not
 * NULL, gets the normalised text, one fault per line with single blanks; it must have strlen(text) + 2 bytes. */
const char *faults_parse(const char *text, const char *file, const struct pmu_table *table,
                         const struct sim_config *config, struct fault_list *out, char *lines, char *error,
                         size_t error_size);

/* The seed for run `run`: differs between runs, is the same for the same run. */
uint64_t faults_seed(uint64_t seed, const char *run);

#endif
