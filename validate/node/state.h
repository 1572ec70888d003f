/* state.h - settings of a node, from boot or its administrator, that may change counts. They are stored in the record
 * to explain why nodes count differently. */
#ifndef ASSAY_STATE_H
#define ASSAY_STATE_H

#include <jansson.h>

#include "validate/likwid/likwid.h"

/* { "family", "model", "stepping": of the processor, "numa_per_socket": memory domains of a socket (NPS, SNC),
 * "hostname", "access", "prefetchers": "NAME on, ..." from LIKWID, "governor", "watchdog": is the NMI watchdog
 * on, "turbo": are clocks above the nominal one permitted, "numa_balancing": does the kernel move pages, "cpuset":
 * "4-7", the CPUs that could be measured if not all, "large_pages" }. Unreadable values are null. `root`: the folder
 * used as the node's /, "" for this machine. `likwid`: NULL for a virtual node, which this machine's state does not
 * affect and whose file names its prefetchers. `description`: topology.h. A new reference. */
json_t *state_read(const char *root, const struct likwid *likwid, const json_t *description);

/* "HW_PREFETCHER on, ..." from the output of likwid-features -l; null if it names no prefetcher. A new reference. */
json_t *state_prefetchers(const char *features);

#endif
