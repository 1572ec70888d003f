/* sim_reference_core.h - part of sim_reference.h: a core's address translation, write-combining buffers, L1D, L1I and
 * L2, and the accesses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_CORE_H
#define ASSAY_TESTS_SIM_REFERENCE_CORE_H

#include "sim_reference_request.h"
#include "sim_reference_stores.h"

/* ---- time ---- */

static inline void ref_spend(struct ref_core *core, uint64_t cycles) {
    core->counts->total[CORE_CYCLES] += cycles;
}

static inline uint32_t ref_latency(const struct sim_config *config, enum ref_source source) {
    if (source == FROM_L1)
        return 0;
    if (source == FROM_L2)
        return config->l2.latency;
    if (source <= FROM_L3_SNOOP_HITM)
        return config->l3.latency;
    return source <= FROM_LOCAL_DRAM ? config->memory_latency : config->remote_latency;
}

/* ---- address translation ---- */

struct ref_use { /* kind of translation, and its counts */
    enum sim_core_count stlb_hit, walk, walk_cycles, large_hit, large_walk;
    int code;
};

static const struct ref_use REF_LOAD = {CORE_DTLB_LOAD_STLB_HIT,    CORE_DTLB_LOAD_WALK,
                                        CORE_DTLB_LOAD_WALK_CYCLES, CORE_DTLB_LOAD_STLB_HIT_LARGE,
                                        CORE_DTLB_LOAD_WALK_LARGE,  0};
static const struct ref_use REF_STORE = {CORE_DTLB_STORE_STLB_HIT,    CORE_DTLB_STORE_WALK,
                                         CORE_DTLB_STORE_WALK_CYCLES, CORE_DTLB_STORE_STLB_HIT_LARGE,
                                         CORE_DTLB_STORE_WALK_LARGE,  0};
static const struct ref_use REF_FETCH = {CORE_ITLB_STLB_HIT, CORE_ITLB_WALK, CORE_ITLB_WALK_CYCLES, 0, 0, 1};

/* A large page's number in arrays that also hold small pages; its set is still chosen by the large page's number. */
static inline uint64_t ref_large_number(uint64_t large_page) {
    return large_page + (UINT64_C(1) << 40);
}

/* Nonzero if the page needed a walk. */
static inline int ref_translate_page(struct ref_core *core, uint64_t page, const struct ref_use *use) {
    const struct sim_config *config = &core->node->config;
    uint64_t large_page = page * config->page / config->large_page;
    int large = !use->code && core->node->is_large && core->node->is_large(NULL, large_page);
    struct ref_array *first = use->code ? &core->itlb : &core->dtlb;
    if (large && config->dtlb_large.entries)
        first = &core->dtlb_large;
    uint64_t number = large ? ref_large_number(large_page) : page;
    if (ref_use(first, number))
        return 0;
    int walk = !ref_use(&core->stlb, number);
    if (walk) {
        core->counts->total[use->walk]++;
        core->counts->total[use->walk_cycles] += config->walk_latency;
        ref_spend(core, config->walk_latency);
        ref_put(&core->stlb, ref_place(&core->stlb, number), number);
    } else {
        core->counts->total[use->stlb_hit]++;
    }
    if (large)
        core->counts->total[walk ? use->large_walk : use->large_hit]++;
    ref_put(first, ref_place(first, number), number);
    return walk;
}

/* Translates all pages of the access. Nonzero if one needed a walk. */
static inline int ref_translate(struct ref_core *core, uint64_t address, uint32_t size, const struct ref_use *use) {
    uint64_t bytes = core->node->config.page;
    int walk = 0;
    for (uint64_t page = address / bytes; page <= (address + size - 1) / bytes; page++)
        walk |= ref_translate_page(core, page, use);
    return walk;
}

/* ---- private caches ---- */

/* Puts a new line into L2 and handles the displaced one. */
static inline void ref_l2_put(struct ref_core *core, uint64_t line, enum ref_right right) {
    struct ref_way *way = ref_place(&core->l2, line), victim = *way;
    ref_put(&core->l2, way, line);
    way->right = right;
    if (!victim.used)
        return;
    if (victim.right == REF_MODIFIED) {
        core->counts->total[CORE_L2_LINES_OUT_DIRTY]++;
        core->counts->total[CORE_L2_WRITEBACK]++;
        ref_l2_victim_modified(core, victim.line);
    } else {
        core->counts->total[CORE_L2_LINES_OUT_CLEAN]++;
        ref_l2_victim_clean(core, victim.line);
    }
}

/* Handles a line displaced from L1D. */
static inline void ref_l1d_victim(struct ref_core *core, uint64_t line, enum ref_right right) {
    if (right != REF_MODIFIED) {
        ref_l1_victim_clean(core, line);
        return;
    }
    core->counts->total[CORE_L2_L1D_WRITEBACK]++;
    struct ref_way *way = ref_find(&core->l2, line);
    ref_reach(core->node, way ? RULE_L1D_VICTIM_MODIFIED : RULE_L1D_VICTIM_MODIFIED_NOT_IN_L2, 0);
    if (way) {
        core->counts->total[CORE_L2_L1D_WRITEBACK_HIT]++;
        way->right = REF_MODIFIED;
    } else {
        ref_l2_put(core, line, REF_MODIFIED);
    }
}

static inline void ref_l1d_put(struct ref_core *core, uint64_t line, enum ref_right right) {
    struct ref_way *way = ref_place(&core->l1d, line), victim = *way;
    core->counts->total[CORE_L1D_REPLACEMENT]++;
    ref_put(&core->l1d, way, line);
    way->right = right;
    if (victim.used)
        ref_l1d_victim(core, victim.line, victim.right);
}

static inline void ref_l1i_put(struct ref_core *core, uint64_t line) {
    struct ref_way *way = ref_place(&core->l1i, line), victim = *way;
    ref_put(&core->l1i, way, line);
    way->right = REF_SHARED;
    if (victim.used)
        ref_l1_victim_clean(core, victim.line);
}

/* Requests a line from L2; returns the granted right and the supplier. */
static inline struct ref_grant ref_l2_request(struct ref_core *core, uint64_t line, enum sim_request request) {
    static const struct {
        enum sim_core_count hit, miss;
    } totals[] = {
        [REQUEST_DATA_READ] = {CORE_L2_DATA_READ_HIT, CORE_L2_DATA_READ_MISS},
        [REQUEST_RFO] = {CORE_L2_RFO_HIT, CORE_L2_RFO_MISS},
        [REQUEST_CODE_READ] = {CORE_L2_CODE_READ_HIT, CORE_L2_CODE_READ_MISS},
    };
    struct ref_way *way = ref_find(&core->l2, line);
    if (way && (request != REQUEST_RFO || way->right >= REF_EXCLUSIVE)) {
        core->counts->total[totals[request].hit]++;
        if (request == REQUEST_DATA_READ && way->right == REF_SHARED)
            core->counts->total[CORE_L2_DATA_READ_HIT_SHARED]++;
        if (request == REQUEST_CODE_READ && way->right == REF_SHARED)
            core->counts->total[CORE_L2_CODE_READ_HIT_SHARED]++;
        ref_touch(&core->l2, way);
        return (struct ref_grant){way->right, FROM_L2};
    }
    core->counts->total[totals[request].miss]++;
    struct ref_grant grant = ref_request(core, line, request);
    if (way) {
        ref_reach(core->node, RULE_L2_UPGRADED, 0);
        way->right = grant.right;
        ref_touch(&core->l2, way);
    } else {
        core->counts->total[grant.right == REF_SHARED ? CORE_L2_LINES_IN_S : CORE_L2_LINES_IN_E]++;
        ref_l2_put(core, line, grant.right);
    }
    return grant;
}

/* ---- write-combining buffers ---- */

static inline int ref_wc_find(const struct ref_core *core, uint64_t line) {
    for (int i = 0; i < core->wc_open; i++)
        if (core->wc[i].line == line)
            return i;
    return -1;
}

static inline int ref_wc_full(const struct ref_core *core, const struct ref_wc *buffer) {
    uint32_t written = 0;
    for (uint32_t i = 0; i < core->node->config.line; i++)
        written += buffer->written[i];
    return written == core->node->config.line;
}

static inline void ref_wc_leave(struct ref_core *core, int which, enum ref_rule why) {
    struct ref_wc buffer = core->wc[which];
    core->wc_open--;
    for (int i = which; i < core->wc_open; i++)
        core->wc[i] = core->wc[i + 1];
    ref_reach(core->node, why, 0);
    uint32_t home = ref_streaming_store(core, buffer.line, !ref_wc_full(core, &buffer));
    int is_own = ref_socket_of(core->node, home) == core->socket;
    ref_spend(core, ref_latency(&core->node->config, is_own ? FROM_LOCAL_DRAM : FROM_REMOTE_DRAM));
}

static inline void ref_wc_leave_line(struct ref_core *core, uint64_t line, enum ref_rule why) {
    if (ref_wc_find(core, line) >= 0)
        ref_wc_leave(core, ref_wc_find(core, line), why);
}

static inline void ref_wc_leave_all(struct ref_core *core, enum ref_rule why) {
    while (core->wc_open)
        ref_wc_leave(core, 0, why);
}

static inline void ref_wc_open(struct ref_core *core, uint64_t line) {
    if (core->wc_open == REF_WC_BUFFERS)
        ref_wc_leave(core, 0, RULE_WC_ELEVENTH);
    struct ref_way *way = ref_find(&core->l1d, line);
    if (way) {
        ref_reach(core->node, RULE_WC_TAKES_FROM_L1D, 0);
        ref_clear(way);
        ref_l1d_victim(core, line, way->right);
    }
    core->wc[core->wc_open++] = (struct ref_wc){.line = line};
}

/* Writes the bytes that are in this line. */
static inline void ref_wc_write(struct ref_core *core, uint64_t line, uint64_t address, uint32_t size) {
    if (ref_wc_find(core, line) < 0)
        ref_wc_open(core, line);
    int which = ref_wc_find(core, line);
    for (uint64_t at = address; at < address + size; at++)
        if (at / core->node->config.line == line)
            core->wc[which].written[at % core->node->config.line] = 1;
    if (ref_wc_full(core, &core->wc[which]))
        ref_wc_leave(core, which, RULE_WC_FULL);
}

/* ---- the accesses ---- */

/* A demand access to a line of data, to read or to own it. */
static inline enum ref_source ref_data(struct ref_core *core, uint64_t line, int own) {
    struct ref_way *way = ref_find(&core->l1d, line);
    if (way && (!own || way->right >= REF_EXCLUSIVE)) {
        ref_touch(&core->l1d, way);
        return FROM_L1;
    }
    ref_wc_leave_line(core, line, RULE_WC_OWN_MISS);
    struct ref_grant grant = ref_l2_request(core, line, own ? REQUEST_RFO : REQUEST_DATA_READ);
    enum ref_right right = grant.right == REF_SHARED ? REF_SHARED : REF_EXCLUSIVE; /* L2 writes modified data back */
    if (way) {
        ref_reach(core->node, RULE_L1D_UPGRADED, 0);
        core->counts->total[CORE_L2_UPGRADE]++;
        way->right = right;
        ref_touch(&core->l1d, way);
    } else {
        ref_l1d_put(core, line, right);
    }
    ref_spend(core, ref_latency(&core->node->config, grant.source));
    return grant.source;
}

/* Counts a retired load by the source that served it. */
static inline void ref_count_load(struct ref_core *core, enum ref_source source) {
    static const enum sim_core_count served[REF_SOURCES] = {
        [FROM_L1] = CORE_LOAD_L1_HIT,
        [FROM_L2] = CORE_LOAD_L2_HIT,
        [FROM_L3_SNOOP_NONE] = CORE_LOAD_L3_HIT_SNOOP_NONE,
        [FROM_L3_SNOOP_MISS] = CORE_LOAD_L3_HIT_SNOOP_MISS,
        [FROM_L3_SNOOP_HIT] = CORE_LOAD_L3_HIT_SNOOP_HIT,
        [FROM_L3_SNOOP_HITM] = CORE_LOAD_L3_HIT_SNOOP_HITM,
        [FROM_SOCKET_FORWARD] = CORE_LOAD_SOCKET_FORWARD,
        [FROM_SOCKET_HITM] = CORE_LOAD_SOCKET_HITM,
        [FROM_LOCAL_DRAM] = CORE_LOAD_LOCAL_DRAM,
        [FROM_REMOTE_DRAM] = CORE_LOAD_REMOTE_DRAM,
        [FROM_REMOTE_FORWARD] = CORE_LOAD_REMOTE_FORWARD,
        [FROM_REMOTE_HITM] = CORE_LOAD_REMOTE_HITM,
    };
    uint64_t *total = core->counts->total;
    total[served[source]]++;
    total[CORE_LOAD_L1_MISS] += source > FROM_L1;
    total[CORE_LOAD_L2_MISS] += source > FROM_L2;
    total[CORE_LOAD_L3_HIT] += source > FROM_L2 && source <= FROM_L3_SNOOP_HITM;
    total[CORE_LOAD_L3_MISS] += source > FROM_L3_SNOOP_HITM;
}

static inline uint64_t ref_first_line(const struct ref_core *core, uint64_t address) {
    return address / core->node->config.line;
}

static inline uint64_t ref_last_line(const struct ref_core *core, uint64_t address, uint32_t size) {
    return (address + size - 1) / core->node->config.line;
}

static inline int ref_is_split(const struct ref_core *core, uint64_t address, uint32_t size) {
    return ref_first_line(core, address) != ref_last_line(core, address, size);
}

static inline void ref_load(struct ref_core *core, uint64_t address, uint32_t size, int locked) {
    uint64_t *total = core->counts->total;
    if (locked)
        core->flight->in_flight = 0;
    ref_meet_stores(core, address, size);
    total[CORE_LOADS]++;
    total[CORE_LOADS_LOCKED] += locked;
    total[CORE_LOADS_SPLIT] += ref_is_split(core, address, size);
    if (locked)
        ref_wc_leave_all(core, RULE_WC_LOCKED);
    total[CORE_LOADS_STLB_MISS] += ref_translate(core, address, size, &REF_LOAD);
    enum ref_source farthest = FROM_L1;
    for (uint64_t line = ref_first_line(core, address); line <= ref_last_line(core, address, size); line++) {
        enum ref_source source = ref_data(core, line, locked);
        if (source > farthest)
            farthest = source;
    }
    ref_count_load(core, farthest);
}

static inline void ref_store(struct ref_core *core, uint64_t address, uint32_t size) {
    ref_fly(core, address, size);
    core->counts->total[CORE_STORES]++;
    core->counts->total[CORE_STORES_SPLIT] += ref_is_split(core, address, size);
    core->counts->total[CORE_STORES_STLB_MISS] += ref_translate(core, address, size, &REF_STORE);
    for (uint64_t line = ref_first_line(core, address); line <= ref_last_line(core, address, size); line++) {
        ref_data(core, line, 1);
        ref_find(&core->l1d, line)->right = REF_MODIFIED;
    }
}

static inline void ref_store_nt(struct ref_core *core, uint64_t address, uint32_t size) {
    core->counts->total[CORE_STORES]++;
    core->counts->total[CORE_STORES_NT]++;
    core->counts->total[CORE_STORES_SPLIT] += ref_is_split(core, address, size);
    core->counts->total[CORE_STORES_STLB_MISS] += ref_translate(core, address, size, &REF_STORE);
    for (uint64_t line = ref_first_line(core, address); line <= ref_last_line(core, address, size); line++)
        ref_wc_write(core, line, address, size);
}

static inline void ref_fence(struct ref_core *core) {
    ref_wc_leave_all(core, RULE_WC_FENCE);
    core->flight->in_flight = 0;
}

static inline void ref_flush_line(struct ref_core *core, uint64_t address) {
    ref_wc_leave_line(core, ref_first_line(core, address), RULE_WC_FLUSH);
    ref_flush(core, ref_first_line(core, address));
}

static inline void ref_fetch(struct ref_core *core, uint64_t address, uint32_t size) {
    ref_translate(core, address, size, &REF_FETCH);
    for (uint64_t line = ref_first_line(core, address); line <= ref_last_line(core, address, size); line++) {
        if (ref_use(&core->l1i, line))
            continue;
        core->counts->total[CORE_L1I_MISS]++;
        ref_wc_leave_line(core, line, RULE_WC_OWN_MISS);
        struct ref_grant grant = ref_l2_request(core, line, REQUEST_CODE_READ);
        ref_l1i_put(core, line);
        ref_spend(core, ref_latency(&core->node->config, grant.source));
    }
}

#endif
