/* snoop.h - what a last-level domain of any kind does for others.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_SNOOP_H
#define ASSAY_SIM_SNOOP_H

#include "domain.h"

/* Another domain reads the line: from now on this one is not alone. */
struct domain_answer domain_snoop_read(struct domain *domain, uint64_t line);

/* The line leaves the domain altogether, without being written to memory. `snooped`: another domain asks for that, so
 * that it counts as a lookup. */
struct domain_answer domain_drop(struct domain *domain, uint64_t line, int snooped);

#endif
