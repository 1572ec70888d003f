/* inclusive.h - what happens inside a domain whose last level holds every line of its cores and knows by core-valid
 * bits who may hold it (docs/simulator.md). Clean lines leave the cores silently, so a bit may be stale.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_INCLUSIVE_H
#define ASSAY_SIM_INCLUSIVE_H

#include "domain.h"

/* Invalidates the line of `place` in the cores `sharers`. Their strongest answer. */
enum sim_snoop inclusive_invalidate(const struct domain *domain, const struct l3_place *place, uint32_t sharers,
                                    uint64_t line);

/* Before a read by the core of bit `reader` (0: by another domain): asks the one core that may hold more than a shared
 * copy. Leaves the state M if modified data came. */
enum sim_snoop inclusive_ask_owner(const struct domain *domain, const struct l3_place *place, uint64_t line,
                                   uint32_t reader);

/* Enters the line of `place`, which is not there, evicting another one. */
void inclusive_fill(struct domain *domain, struct l3_place *place, enum sim_line_state state, uint32_t home);

/* A modified line leaves the core's L2. */
void inclusive_writeback(struct sim_core *core, uint64_t line);

/* The core's L1I takes a line that the domain has: from now on snoops of it ask L1I too. */
void inclusive_fetched(struct sim_core *core, uint64_t line);

/* See snoop.h. */
struct domain_answer inclusive_snoop_read(struct domain *domain, uint64_t line);
struct domain_answer inclusive_drop(struct domain *domain, uint64_t line, int snooped);

#endif
