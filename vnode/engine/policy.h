/* policy.h - the NUMA domains of the program's pages: Linux memory policies.
 *
 * A thread has a policy; an address range may have one, which then overrides the thread's. It decides at the first
 * touch of a page. Sets of domains have bit d set for domain d.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_POLICY_H
#define ASSAY_VNODE_ENGINE_POLICY_H

#include "engine.h"

/* Linux' numbers. */
enum policy_mode {
    POLICY_DEFAULT,
    POLICY_PREFERRED,
    POLICY_BIND,
    POLICY_INTERLEAVE,
    POLICY_LOCAL,
    POLICY_PREFERRED_MANY,
    POLICY_MODES
};

/* Makes a policy from a Linux mode (may include flags) and a set of domains. 0, or a negative error number. */
Long policy_make(UWord mode, ULong domains, struct policy *out);

void policy_install(void); /* registers for notification of unmapped memory */
void policy_start(void);   /* once the node is known */

/* The domain of a page that a thread of domain `toucher` touches first. */
UInt policy_place(const struct policy *policy, ULong page, UInt toucher);

/* Whether a page may stay in the domain. */
Bool policy_allows(const struct policy *policy, UInt domain);

/* The policy of an address range, NULL: none. */
const struct policy *policy_of_address(Addr address);

/* Sets the policy of whole pages; a default policy removes theirs. */
void policy_set_range(Addr start, Addr end, const struct policy *policy);

/* The program discards the contents: the next touch places anonymous memory again. */
void policy_drop(Addr start, SizeT bytes);

#endif
