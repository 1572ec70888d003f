/* events.h - which events of likwid-perfctr's groups the node does not count.
 *
 * Only inside of likwid-perfctr, once it has set its first group up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_EVENTS_H
#define ASSAY_SHIM_EVENTS_H

#include <stddef.h>

/* Says on standard error, one line each, which events are not counted, by LIKWID's names of event and counter.
 * `library`: the file of the liblikwid in use; `running`: the counters of the first group run already. All groups are
 * programmed in turn: if there are more than one, counters are to be programmed anew. `counters`: the counters
 * concerned, comma separated, but those of the fixed-function unit. Returns the number of groups. */
int events_explain(const char *library, int running, char *counters, size_t size);

/* Whether a counter was programmed that cannot count; and how many groups likwid-perfctr has then. */
int events_are_noted(void);
int events_groups(const char *library);

#endif
