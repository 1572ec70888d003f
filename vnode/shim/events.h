/* events.h - events of likwid-perfctr's groups that the node does not count.
 *
 * Only within likwid-perfctr, after it has set up its first group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_EVENTS_H
#define ASSAY_SHIM_EVENTS_H

/* Reports the uncounted events on standard error, one line each, by LIKWID's names of event and counter. `library`:
 * path of the liblikwid in use; `running`: whether the counters of the first group already run. Programs all groups
 * in turn and then the active one again; nothing if there is only one and it runs. */
void events_explain(const char *library, int running);

/* Whether a programmed counter cannot count. */
int events_are_noted(void);

/* Whether events_explain() reported an event (indices of liblikwid). */
int events_are_refused(int group, int event);

#endif
