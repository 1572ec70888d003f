/* pages.h - large pages of the program.
 *
 * Anonymous memory that the program advises with MADV_HUGEPAGE is in large pages from then on, as far as it contains
 * whole aligned ones; all other memory is in small pages. A kernel would allocate large pages at the first touch if
 * any are free, or copy the contents later. The node always has free ones, and they cost no time. The host is not
 * asked, so its settings change no count. A large page becomes small when any part of it is unmapped, moved, remapped
 * or advised otherwise.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_PAGES_H
#define ASSAY_VNODE_ENGINE_PAGES_H

#include "pub_tool_basics.h"

void pages_start(void); /* once the node is known */

/* Whether the address is in a large page, and the start of that page. */
Bool pages_is_large(Addr address);
Addr pages_large_start(Addr address);

/* The range is in small pages again. */
void pages_forget(Addr start, SizeT bytes);

#endif
