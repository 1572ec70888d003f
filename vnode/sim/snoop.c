/* snoop.c - snoops of a last-level domain of either kind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "snoop.h"

#include "inclusive.h"
#include "victim.h"

static int is_victim(const struct domain *domain) {
    return domain->sim->config.inclusion == SIM_VICTIM;
}

struct domain_answer domain_snoop_read(struct domain *domain, uint64_t line) {
    return is_victim(domain) ? victim_snoop_read(domain, line) : inclusive_snoop_read(domain, line);
}

struct domain_answer domain_drop(struct domain *domain, uint64_t line, int snooped) {
    return is_victim(domain) ? victim_drop(domain, line, snooped) : inclusive_drop(domain, line, snooped);
}
