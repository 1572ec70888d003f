/* types.h - types that both the simulator's interface and its parts use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_TYPES_H
#define ASSAY_SIM_TYPES_H

#include <stdint.h>

#include "config.h"
#include "counts.h"

struct sim;
struct sim_core;

enum sim_branch_kind {
    BRANCH_CONDITIONAL,
    BRANCH_JUMP,
    BRANCH_INDIRECT,
    BRANCH_CALL,
    BRANCH_CALL_INDIRECT,
    BRANCH_RETURN
};

/* Nonzero if page number address / config.large_page is a large page. */
typedef int large_pages(void *context, uint64_t large_page);

#endif
