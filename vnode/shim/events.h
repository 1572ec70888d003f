/* events.h - which events of likwid-perfctr's groups the node does not count.
 *
 * Only inside of likwid-perfctr, once it has set its first group up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_EVENTS_H
#define ASSAY_SHIM_EVENTS_H

/* Says on standard error, one line each, which events are not counted, by LIKWID's names of event and counter.
 * `library`: the file of the liblikwid in use; `running`: the counters of the first group run already. All groups are
 * programmed in turn; then the first one is as it was. */
void events_explain(const char *library, int running);

/* Whether a counter was programmed that cannot count. */
int events_are_noted(void);

/* Whether an event (indices as liblikwid has them) was named by events_explain(). */
int events_are_refused(int group, int event);

#endif
