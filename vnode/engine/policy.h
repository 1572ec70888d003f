/* policy.h - in which NUMA domain of the node the program's pages are placed: Linux' memory policies.
 *
 * A thread has a policy, and a stretch of addresses can have one, which then is the stronger. It decides when a page is
 * touched first. Sets of domains have bit d set for domain d.
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

/* A policy of Linux' mode, which may have flags, and a set of domains. 0, or an error number below 0. */
Long policy_make(UWord mode, ULong domains, struct policy *out);

void policy_install(void); /* asks to be told of memory that goes */
void policy_start(void);   /* once the node is known */

/* The domain where the page of that number is placed when a thread of domain `toucher` touches it first. */
UInt policy_place(const struct policy *policy, ULong page, UInt toucher);

/* Whether a page that lies in that domain may stay there. */
Bool policy_allows(const struct policy *policy, UInt domain);

/* The policy of an address, NULL: none of its own. */
const struct policy *policy_of_address(Addr address);

/* Whole pages; a default policy removes what was there. */
void policy_set_range(Addr start, Addr end, const struct policy *policy);

/* The program does not need the contents any more: memory that no file stands behind is placed anew at the next touch.
 */
void policy_drop(Addr start, SizeT bytes);

#endif
