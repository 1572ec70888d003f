/* process_ids.h - the ids of processes and threads that LIKWID converts to text: TOLD_FIRST + the real id, which Linux
 * keeps below 2^22, so a number that always has eight digits. The instructions of the conversion depend on the digits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PROCESS_IDS_H
#define ASSAY_VNODE_PROCESS_IDS_H

enum { TOLD_FIRST = 10000000, TOLD_DIGITS = 8 };

#endif
