/* part.c - adds counts of pieces of code. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/part.h"

#include <stddef.h>

void kernel_part_add(struct kernel_part *sum, const struct kernel_part *part) {
    unsigned *to = (unsigned *)sum;
    const unsigned *from = (const unsigned *)part;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}
