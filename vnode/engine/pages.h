/* pages.h - which of the program's pages are large.
 *
 * Memory that no file stands behind and that the program advises with MADV_HUGEPAGE lies in large pages from then on,
 * as far as whole aligned ones are in it; all else lies in small pages. A kernel that has large pages left would have
 * given them at the first touch, or copied the contents some time later: the node has always some left, and takes no
 * time. The host is not asked, so that its settings change no count. Large pages become small when any part of them is
 * unmapped, moved, mapped anew or advised otherwise.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_PAGES_H
#define ASSAY_VNODE_ENGINE_PAGES_H

#include "pub_tool_basics.h"

void pages_start(void); /* once the node is known */

/* Whether the address lies in a large page, and where that begins. */
Bool pages_is_large(Addr address);
Addr pages_large_start(Addr address);

/* What lies there is in small pages again. */
void pages_forget(Addr start, SizeT bytes);

#endif
