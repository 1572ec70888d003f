/* state.h - what of a node's state, set at boot or by its keeper, may change what is counted: the record says in which
 * it was measured, so that nodes that count differently can be told apart by it. */
#ifndef ASSAY_STATE_H
#define ASSAY_STATE_H

#include <jansson.h>

#include "validate/likwid/likwid.h"

/* { "family", "model", "stepping": of the processor, "numa_per_socket": memory domains of a socket (NPS, SNC),
 * "hostname", "access", "prefetchers": "NAME on, ..." as LIKWID shows them, "governor", "watchdog": is the NMI watchdog
 * on, "large_pages" } What cannot be read is null. `root`: the folder that stands for the node's /, "" for this machine
 * itself; then `likwid` is asked, which a virtual node (NULL) has none of: there the state of this machine has no say.
 * `access_mode`: access.h, NULL on a virtual node. `description`: topology.h. A new reference. */
json_t *state_read(const char *root, const struct likwid *likwid, const char *access_mode, const json_t *description);

/* "HW_PREFETCHER on, ..." from what likwid-features -l prints; null if it names no prefetcher. A new reference. */
json_t *state_prefetchers(const char *features);

#endif
