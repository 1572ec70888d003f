/* scope.h - the kinds of places of a node that have totals or boxes of their own, and which places lie in which.
 *
 * A core belongs to a last-level domain (the cores that share a last-level cache), to a NUMA domain and to a socket. A
 * domain consists of slices; a NUMA domain has memory channels and home agents; a socket has links to other sockets.
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
    SCOPE_NUMA,
    SCOPE_LINK,
    SCOPE_SOCKET,
    SCOPES
};

/* One place. Cores, domains, NUMA domains and sockets are numbered over the node, `instance` is a slice within its
 * domain, a channel or an agent within its NUMA domain, a link within its socket. What a scope does not need is 0. */
struct place {
    uint32_t core, domain, numa, socket, instance;
};

/* The word for a scope in tables of events, NULL: none such. */
const char *scope_name(int scope);

/* How many places of scope `inner` lie in `place`, which is of scope `outer`: 0 if that cannot be. */
uint32_t scope_parts(const struct sim_config *config, enum scope outer, const struct place *place, enum scope inner);

/* Number `n` of them, n < scope_parts(). */
struct place scope_part(const struct sim_config *config, enum scope outer, const struct place *place, enum scope inner,
                        uint32_t n);

/* Whether places of scope `inner` lie in places of scope `outer` at all. */
int scope_holds(enum scope outer, enum scope inner);

#endif
