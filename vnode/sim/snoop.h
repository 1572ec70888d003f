/* snoop.h - snoops of a last-level domain of either kind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_SNOOP_H
#define ASSAY_SIM_SNOOP_H

#include "domain.h"

/* Another domain reads the line: this one no longer has it exclusively. */
struct domain_answer domain_snoop_read(struct domain *domain, uint64_t line);

/* The domain drops the line without writing it to memory. `snooped`: another domain requested that, so it counts as a
 * lookup. */
struct domain_answer domain_drop(struct domain *domain, uint64_t line, int snooped);

#endif
