/* scope.c - the nesting of a node's places.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "scope.h"

#include <stddef.h>

static const char *const names[SCOPES] = {"core", "slice", "domain", "channel", "agent",
                                          "hbm",  "numa",  "link",   "socket"};

const char *scope_name(int scope) {
    return scope >= 0 && scope < SCOPES ? names[scope] : NULL;
}

/* Whether a last-level domain consists of such parts. */
static int is_of_domain(enum scope scope) {
    return scope == SCOPE_CORE || scope == SCOPE_SLICE;
}

static int is_of_numa(enum scope scope) {
    return scope == SCOPE_CHANNEL || scope == SCOPE_AGENT || scope == SCOPE_HBM;
}

int scope_holds(enum scope outer, enum scope inner) {
    if (outer == inner || outer == SCOPE_SOCKET)
        return 1;
    return (outer == SCOPE_DOMAIN && is_of_domain(inner)) || (outer == SCOPE_NUMA && is_of_numa(inner));
}

/* Number of a domain's cores: the last domain of a socket may have fewer. */
static uint32_t cores_of_domain(const struct sim_config *config, uint32_t domain) {
    uint32_t most = sim_part(config->cores_per_socket, config->domains_per_socket);
    uint32_t before = domain % config->domains_per_socket * most;
    uint32_t left = before < config->cores_per_socket ? config->cores_per_socket - before : 0;
    return left < most ? left : most;
}

/* Number of such parts in the domain, NUMA domain or socket that directly contains them. */
static uint32_t each(const struct sim_config *config, enum scope scope) {
    switch (scope) {
    case SCOPE_SLICE:
        return config->slices;
    case SCOPE_CHANNEL:
        return config->channels;
    case SCOPE_AGENT:
        return config->agents;
    case SCOPE_HBM:
        return config->hbm_channels;
    case SCOPE_DOMAIN:
        return config->domains_per_socket;
    case SCOPE_NUMA:
        return config->numa_per_socket;
    case SCOPE_LINK:
        return config->sockets > 1 ? config->links : 0; /* links lead to other sockets */
    case SCOPE_CORE:
        return config->cores_per_socket * sim_threads(config);
    default:
        return 1;
    }
}

uint32_t scope_parts(const struct sim_config *config, enum scope outer, const struct place *place, enum scope inner) {
    if (!scope_holds(outer, inner))
        return 0;
    if (outer == inner)
        return 1;
    if (outer == SCOPE_DOMAIN)
        return inner == SCOPE_CORE ? cores_of_domain(config, place->domain) * sim_threads(config) : each(config, inner);
    if (outer == SCOPE_SOCKET && inner == SCOPE_SLICE)
        return config->domains_per_socket * each(config, inner);
    if (outer == SCOPE_SOCKET && is_of_numa(inner))
        return config->numa_per_socket * each(config, inner);
    return each(config, inner);
}

/* The n-th hardware thread of a socket or domain: the first ones of all cores before the second ones. */
static uint32_t hardware_thread(const struct sim_config *config, enum scope outer, const struct place *place,
                                uint32_t n) {
    uint32_t first = place->socket * config->cores_per_socket, cores = config->cores_per_socket;
    if (outer == SCOPE_DOMAIN) {
        first +=
            place->domain % config->domains_per_socket * sim_part(config->cores_per_socket, config->domains_per_socket);
        cores = cores_of_domain(config, place->domain);
    }
    return first + n % cores + n / cores * sim_cores(config);
}

struct place scope_part(const struct sim_config *config, enum scope outer, const struct place *place, enum scope inner,
                        uint32_t n) {
    struct place part = {.socket = place->socket};
    uint32_t of = each(config, inner);
    if (outer == inner)
        return *place;
    switch (inner) {
    case SCOPE_CORE:
        part.core = hardware_thread(config, outer, place, n);
        part.domain = sim_domain_of(config, part.core);
        part.numa = sim_numa_of(config, part.core);
        break;
    case SCOPE_DOMAIN:
        part.domain = place->socket * of + n;
        break;
    case SCOPE_NUMA:
        part.numa = place->socket * of + n;
        break;
    case SCOPE_SLICE:
        part.domain = outer == SCOPE_DOMAIN ? place->domain : place->socket * config->domains_per_socket + n / of;
        part.instance = n % of;
        break;
    case SCOPE_CHANNEL:
    case SCOPE_AGENT:
    case SCOPE_HBM:
        part.numa = outer == SCOPE_NUMA ? place->numa : place->socket * config->numa_per_socket + n / of;
        part.instance = n % of;
        break;
    default:
        part.instance = inner == SCOPE_LINK ? n : 0;
        break;
    }
    return part;
}
