/* inclusive.h - a domain with an inclusive last level, whose core-valid bits name the cores that may hold a line
 * (docs/simulator.md). Clean lines leave the cores silently, so a bit may be stale.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_INCLUSIVE_H
#define ASSAY_SIM_INCLUSIVE_H

#include "domain.h"

/* Invalidates the line of `place` in the cores `sharers`. Returns their strongest answer. */
enum sim_snoop inclusive_invalidate(const struct domain *domain, const struct l3_place *place, uint32_t sharers,
                                    uint64_t line);

/* Before a read by the core with bit `reader` (0: by another domain): snoops the one core that may hold more than a
 * shared copy. The line's state becomes M if modified data came. */
enum sim_snoop inclusive_ask_owner(const struct domain *domain, const struct l3_place *place, uint64_t line,
                                   uint32_t reader);

/* Inserts the absent line of `place`, whose way is l3_victim(), and evicts the line there. */
void inclusive_fill(struct domain *domain, const struct l3_place *place, enum sim_line_state state, uint32_t home,
                    uint32_t sharers);

/* A modified line leaves the core's L2, which had this word for it. */
void inclusive_writeback(struct sim_core *core, uint64_t word);

/* The core's L1I fills a line that the domain has: later snoops of it include L1I. */
void inclusive_fetched(struct sim_core *core, uint64_t line);

/* See snoop.h. */
struct domain_answer inclusive_snoop_read(struct domain *domain, uint64_t line);
struct domain_answer inclusive_drop(struct domain *domain, uint64_t line, int snooped);

#endif
