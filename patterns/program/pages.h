/* pages.h - memory for arrays, in large pages if the system has them.
 *
 * Beyond L1, the physical address selects the cache set. Small pages lie anywhere in memory, so some sets get more
 * lines of an array than others: part of an array that is larger than a cache stays in it, and an array that fits is
 * partly evicted. A large page is one piece of physical memory, longer than a way of L2 or of a slice, and fills all
 * sets evenly.
 * Without large pages the memory is in small ones.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PROGRAM_PAGES_H
#define ASSAY_PROGRAM_PAGES_H

#include <stddef.h>

enum { LARGE_PAGE_BYTES = 2 << 20 };

/* Memory policies of the caller (numactl, a batch system) end here: a page lies in the memory of the thread that
 * touches it first. Systems without policies have none to end. */
void pages_forget_policy(void);

/* Zeroed, untouched memory, which begins at a multiple of LARGE_PAGE_BYTES and shares no large page with other memory.
 * NULL and errno on failure. */
void *pages_map(size_t bytes);
void pages_unmap(void *memory, size_t bytes);

#endif
