/* sim_reference_trace.h - executes a random trace on the reference (sim_reference.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_TRACE_H
#define ASSAY_TESTS_SIM_REFERENCE_TRACE_H

#include "sim_random_trace.h"
#include "sim_reference.h"

/* Large pages get one of three accesses and are adjacent to small ones. */
static inline int random_is_large(void *context, uint64_t large_page) {
    (void)context;
    return large_page % 3 == 1;
}

/* With several NUMA domains the page's lines leave the write-combining buffers and caches; nobody snoops. */
static inline void ref_unmap(struct reference *reference, uint64_t page) {
    uint64_t lines = PAGE / reference->config.line, first = page * lines;
    int leaves = sim_memories(&reference->config) > 1 && ref_home_known(reference, page);
    for (uint32_t i = 0; leaves && i < sim_cores(&reference->config); i++)
        for (uint64_t line = first; line < first + lines; line++)
            ref_wc_leave_line(&reference->core[i], line, RULE_WC_FLUSH);
    for (uint64_t line = first; leaves && line < first + lines; line++)
        for (uint32_t i = 0; i < sim_domains(&reference->config); i++)
            ref_drop_unmapped(&reference->domain[i], line);
    ref_home_forget(reference, page);
}

static inline void refer(struct reference *reference, const struct access *access) {
    struct ref_core *core = reference_core(reference, access->core);
    switch (access->kind) {
    case LOAD:
    case LOAD_LOCKED:
        ref_load(core, access->address, access->size, access->kind == LOAD_LOCKED);
        break;
    case STORE:
        ref_store(core, access->address, access->size);
        break;
    case NT_FULL:
    case NT_PARTIAL:
        ref_store_nt(core, access->address, access->size);
        break;
    case FLUSH:
        ref_flush_line(core, access->address);
        break;
    case FETCH:
        ref_fetch(core, access->address, access->size);
        break;
    case FENCE:
        ref_fence(core);
        break;
    case MOVE:
        ref_home_set(reference, access->address / PAGE, access->memory);
        break;
    case UNMAP:
        ref_unmap(reference, access->address / PAGE);
        break;
    case KINDS:
        break;
    }
}

#endif
