/* part.c - adds counts of pieces of code. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/part.h"

void kernel_part_add(struct kernel_part *sum, const struct kernel_part *part) {
    sum->instructions += part->instructions;
    sum->padding += part->padding;
    sum->loads += part->loads;
    sum->stores += part->stores;
    sum->load_stores += part->load_stores;
    sum->stores_nt += part->stores_nt;
    sum->bytes_loaded += part->bytes_loaded;
    sum->bytes_stored += part->bytes_stored;
    sum->bytes_stored_nt += part->bytes_stored_nt;
    sum->flops += part->flops;
    sum->fp_scalar_sp += part->fp_scalar_sp;
    sum->fp_scalar_dp += part->fp_scalar_dp;
    sum->fp_128_sp += part->fp_128_sp;
    sum->fp_128_dp += part->fp_128_dp;
    sum->fp_256_sp += part->fp_256_sp;
    sum->fp_256_dp += part->fp_256_dp;
    sum->vectors += part->vectors;
    sum->divides += part->divides;
    sum->avx_loads += part->avx_loads;
    sum->avx_stores += part->avx_stores;
    sum->avx_calc += part->avx_calc;
    sum->avx_to_sse += part->avx_to_sse;
    sum->sse_to_avx += part->sse_to_avx;
    sum->branches += part->branches;
    sum->conditional += part->conditional;
    sum->calls += part->calls;
    sum->returns += part->returns;
    sum->uops += part->uops;
}
