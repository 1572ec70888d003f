/* scope.h - the parts of a node that have totals (counts.h) or PMU boxes, and their nesting.
 *
 * A core belongs to a last-level domain (cores that share a last-level cache), to a NUMA domain and to a socket. A
 * domain consists of slices; a NUMA domain has memory channels, home agents and channels of high-bandwidth memory
 * ("hbm"); a socket has links to other sockets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_SCOPE_H
#define ASSAY_PMU_SCOPE_H

#include <stdint.h>

#include "vnode/sim/config.h"

enum scope {
    SCOPE_CORE,
    SCOPE_SLICE,
    SCOPE_DOMAIN,
    SCOPE_CHANNEL,
    SCOPE_AGENT,
    SCOPE_HBM,
    SCOPE_NUMA,
    SCOPE_LINK,
    SCOPE_SOCKET,
    SCOPES
};

/* One place. Cores, domains, NUMA domains and sockets are numbered over the node. `instance`: slice within its
 * domain, channel or agent within its NUMA domain, link within its socket. Members that the scope does not need are
 * 0. */
struct place {
    uint32_t core, domain, numa, socket, instance;
};

/* The name of a scope in event tables, NULL: none. */
const char *scope_name(int scope);

/* Number of places of scope `inner` within `place` of scope `outer`: 0 if they do not nest. */
uint32_t scope_parts(const struct sim_config *config, enum scope outer, const struct place *place, enum scope inner);

/* The n-th of them, n < scope_parts(). */
struct place scope_part(const struct sim_config *config, enum scope outer, const struct place *place, enum scope inner,
                        uint32_t n);

/* Whether places of scope `inner` lie within places of scope `outer`. */
int scope_holds(enum scope outer, enum scope inner);

#endif
