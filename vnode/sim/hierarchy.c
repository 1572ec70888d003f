/* hierarchy.c - the private caches of a core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "hierarchy.h"

#include "coherence.h"
#include "cycles.h"
#include "fetched.h"
#include "frames.h"
#include "prefetch.h"
#include "private.h"
#include "wcbuffer.h"

static __attribute__((noinline)) void l2_write_back(struct sim_core *core, uint64_t victim) {
    uint64_t *total = core->total;
    total[CORE_L2_LINES_OUT_DIRTY]++;
    total[CORE_L2_WRITEBACK]++;
    coherence_writeback(core, victim);
}

/* L2 gives up a line; victim: its word. */
static inline void l2_evict(struct sim_core *core, uint64_t victim) {
    if (cache_state(victim) == PRIVATE_M) {
        l2_write_back(core, victim);
        return;
    }
    core->total[CORE_L2_LINES_OUT_CLEAN]++;
    if (core->tells)
        core->total[CORE_L2_VICTIM_CLEAN] += coherence_clean_victim(core, victim);
}

/* `line`: physical, here and in the next functions; set: the line's in L2. */
static inline void l2_insert_into(struct sim_core *core, uint64_t *set, uint64_t word) {
    uint64_t victim = cache_insert_into(&core->l2, set, word);
    if (victim)
        l2_evict(core, victim);
}

static __attribute__((noinline)) void l2_insert(struct sim_core *core, uint64_t line, enum private_state state) {
    l2_insert_into(core, cache_set(&core->l2, line), cache_word(line, state));
}

static inline __attribute__((always_inline)) struct grant below_l2(struct sim_core *core, uint64_t line,
                                                                   enum sim_request request) {
    if (request == REQUEST_DATA_READ)
        return coherence_read(core, line);
    return request == REQUEST_RFO ? coherence_own(core, line) : coherence_request(core, line, request);
}

/* A request of L1 to L2, passed to L3 if L2 cannot serve it; word: the line's in L2, just touched, or NULL. */
static inline __attribute__((always_inline)) struct grant l2_answer(struct sim_core *core, uint64_t line,
                                                                    uint64_t *word, enum sim_request request) {
    static const uint8_t hit_count[] = {[REQUEST_DATA_READ] = CORE_L2_DATA_READ_HIT,
                                        [REQUEST_RFO] = CORE_L2_RFO_HIT,
                                        [REQUEST_CODE_READ] = CORE_L2_CODE_READ_HIT,
                                        [REQUEST_L1_PREFETCH] = CORE_L2_L1_PREFETCH_HIT};
    static const uint8_t miss_count[] = {[REQUEST_DATA_READ] = CORE_L2_DATA_READ_MISS,
                                         [REQUEST_RFO] = CORE_L2_RFO_MISS,
                                         [REQUEST_CODE_READ] = CORE_L2_CODE_READ_MISS,
                                         [REQUEST_L1_PREFETCH] = CORE_L2_L1_PREFETCH_MISS};
    if (word && (request != REQUEST_RFO || cache_state(*word) != PRIVATE_S)) {
        int shared = cache_state(*word) == PRIVATE_S;
        *word &= ~CACHE_NOT_IN_L1D;
        core->total[hit_count[request]]++;
        if (shared) /* a read, because an RFO of a shared line is not a hit */
            core->total[request == REQUEST_CODE_READ ? CORE_L2_CODE_READ_HIT_SHARED : CORE_L2_DATA_READ_HIT_SHARED]++;
        if (request != REQUEST_L1_PREFETCH)
            clock_add(core, core->latency[SOURCE_L2]);
        return grant_of(shared ? PRIVATE_S : PRIVATE_E, SOURCE_L2, 0);
    }
    core->total[miss_count[request]]++;
    struct grant grant = below_l2(core, line, request);
    if (request != REQUEST_L1_PREFETCH)
        clock_add(core, core->latency[grant.source]);
    if (word) { /* only ownership was missing, so no fill; a request for it displaces no line that the L3 has */
        *word = cache_word(line, PRIVATE_I) | grant.rest;
    } else {
        core->total[grant_state(grant) == PRIVATE_S ? CORE_L2_LINES_IN_S : CORE_L2_LINES_IN_E]++;
        l2_insert_into(core, cache_set(&core->l2, line), cache_word(line, PRIVATE_I) | grant.rest);
    }
    if (grant_state(grant) == PRIVATE_M) /* L2 must write the line back */
        return grant_of(PRIVATE_E, grant.source, 0);
    return grant;
}

static inline __attribute__((always_inline)) struct grant l2_request(struct sim_core *core, uint64_t line,
                                                                     enum sim_request request) {
    return l2_answer(core, line, cache_touch(&core->l2, line), request);
}

/* A modified line leaves L1D. */
static __attribute__((noinline)) void l1d_writeback(struct sim_core *core, uint64_t program_line) {
    uint64_t line = frames_line(core->sim, program_line);
    core->total[CORE_L2_L1D_WRITEBACK]++;
    uint64_t *word = cache_peek(&core->l2, line);
    if (word) {
        core->total[CORE_L2_L1D_WRITEBACK_HIT]++;
        *word |= PRIVATE_M | CACHE_NOT_IN_L1D;
    } else {
        l2_insert(core, line, PRIVATE_M);
    }
}

/* The domain tracks clean evictions, and such a line leaves an L1. */
static __attribute__((noinline)) void tell_clean_copy(struct sim_core *core, uint64_t line) {
    if (!private_has(core, frames_line(core->sim, line)))
        coherence_left(core, frames_line(core->sim, line));
}

/* A clean line leaves an L1; the core's other caches may still have it. */
static inline void clean_copy_leaves(struct sim_core *core, uint64_t line) {
    if (core->tells)
        tell_clean_copy(core, line);
}

static inline __attribute__((always_inline)) void l1d_fill(struct sim_core *core, uint64_t line,
                                                           enum private_state state) {
    uint64_t victim = near_insert(&core->l1d, line, state, core->stamp++);
    if (cache_state(victim) == PRIVATE_M)
        l1d_writeback(core, cache_key(victim));
    else if (victim)
        clean_copy_leaves(core, cache_key(victim));
}

static inline __attribute__((always_inline)) void l1d_insert(struct sim_core *core, uint64_t line,
                                                             enum private_state state) {
    core->total[CORE_L1D_REPLACEMENT]++;
    l1d_fill(core, line, state);
}

static inline void leave_write_combining(struct sim_core *core, uint64_t line) {
    if (core->wc.open)
        wc_flush_line(core, line);
}

/* ---- prefetches: they take no time; one whose target cache has the line changes nothing there ---- */

static inline enum sim_request prefetch_request(enum sim_request cause, int far) {
    static const uint8_t requests[][2] = {
        [REQUEST_DATA_READ] = {REQUEST_PREFETCH_DATA_READ, REQUEST_L3_PREFETCH_DATA_READ},
        [REQUEST_RFO] = {REQUEST_PREFETCH_RFO, REQUEST_L3_PREFETCH_RFO},
        [REQUEST_CODE_READ] = {REQUEST_PREFETCH_CODE_READ, REQUEST_L3_PREFETCH_CODE_READ},
    };
    return (enum sim_request)requests[cause][far];
}

/* L2 does not have the physical line, which a request of kind `cause` makes it prefetch. */
static inline __attribute__((always_inline)) void fill_by_prefetch(struct sim_core *core, uint64_t line,
                                                                   enum sim_request cause) {
    core->total[CORE_L2_PREFETCH_MISS]++;
    struct grant grant = coherence_request(core, line, prefetch_request(cause, 0));
    core->total[grant_state(grant) == PRIVATE_S ? CORE_L2_LINES_IN_S : CORE_L2_LINES_IN_E]++;
    uint64_t victim = cache_insert(&core->l2, line, grant_state(grant));
    if (!victim)
        return;
    core->total[cache_state(victim) == PRIVATE_M ? CORE_L2_PREFETCH_OUT_DIRTY : CORE_L2_PREFETCH_OUT_CLEAN]++;
    l2_evict(core, victim);
}

/* The same for a line far ahead in a stream: into the last level only, unless that takes L2's victims only. */
static inline void fill_far(struct sim_core *core, uint64_t line, enum sim_request cause, struct stream *stream) {
    if (core->tells) {
        fill_by_prefetch(core, line, cause);
        return;
    }
    core->total[CORE_L2_PREFETCH_MISS]++;
    if (coherence_prefetch_l3(core, line, prefetch_request(cause, 1)))
        stream->held_back = STREAM_AHEAD - STREAM_NEAR;
}

static __attribute__((noinline, flatten)) void prefetch_targets(struct sim_core *core, uint64_t line,
                                                                enum sim_request cause, struct stream *stream,
                                                                int32_t next, int32_t end) {
    for (; next < end; next++) {
        uint64_t target = stream_line(stream, next, line);
        if (cache_has(&core->l2, target)) {
            core->total[CORE_L2_PREFETCH_HIT]++;
            if (++stream->found == STREAM_FOUND)
                return;
            continue;
        }
        stream->found = 0;
        if (next - stream->last > STREAM_NEAR)
            fill_far(core, target, cause, stream);
        else
            fill_by_prefetch(core, target, cause);
    }
}

static inline int32_t line_in_page(const struct prefetcher *prefetcher, uint64_t line) {
    return (int32_t)line & (int32_t)(prefetcher->page_lines - 1);
}

static inline __attribute__((always_inline)) struct stream_page *stream_page_of(struct sim_core *core, uint64_t line) {
    return streamer_page(&core->prefetcher->streamer, line >> core->prefetcher->page_lines_shift);
}

static __attribute__((noinline)) void follow_any_stream(struct sim_core *core, uint64_t line, enum sim_request cause,
                                                        int missed) {
    struct prefetcher *prefetcher = core->prefetcher;
    if (!(prefetcher->kinds & SIM_L2_STREAMER))
        return;
    struct stream_targets targets =
        streamer_request(&prefetcher->streamer, line >> prefetcher->page_lines_shift, line_in_page(prefetcher, line),
                         (int32_t)prefetcher->page_lines, missed);
    prefetch_targets(core, line, cause, targets.stream, targets.next, targets.end);
}

/* Each L1 miss of a stream comes here, so this is inline, and rare cases are calls. `page`: stream_page_of() of the
 * physical line, or NULL. */
static inline __attribute__((always_inline)) void follow_stream(struct sim_core *core, struct stream_page *page,
                                                                uint64_t line, enum sim_request cause, int missed) {
    const struct prefetcher *prefetcher = core->prefetcher;
    struct stream_targets targets;
    if (!page ||
        !streamer_continues(page, line_in_page(prefetcher, line), (int32_t)prefetcher->page_lines, missed, &targets))
        follow_any_stream(core, line, cause, missed);
    else if (targets.next < targets.end)
        prefetch_targets(core, line, cause, targets.stream, targets.next, targets.end);
}

static __attribute__((noinline, flatten)) void prefetch_adjacent(struct sim_core *core, uint64_t line,
                                                                 enum sim_request cause) {
    if (!(core->prefetcher->kinds & SIM_L2_ADJACENT))
        return;
    if (cache_has(&core->l2, line ^ 1))
        core->total[CORE_L2_PREFETCH_HIT]++;
    else
        fill_by_prefetch(core, line ^ 1, cause);
}

/* What L2's prefetchers do after a request for the physical line; missed: it missed L2. */
static inline __attribute__((always_inline)) void prefetch_after_l2(struct sim_core *core, struct stream_page *page,
                                                                    uint64_t line, enum sim_request cause, int missed) {
    if (missed)
        prefetch_adjacent(core, line, cause);
    follow_stream(core, page, line, cause, missed);
}

/* L1D does not have the program's `line`. */
static inline __attribute__((always_inline)) void prefetch_into_l1(struct sim_core *core, struct stream_page *page,
                                                                   uint64_t line, uint64_t physical) {
    leave_write_combining(core, line);
    struct grant grant = l2_request(core, physical, REQUEST_L1_PREFETCH);
    l1d_insert(core, line, private_better(grant_state(grant), PRIVATE_S));
    core->lost++; /* perhaps */
    prefetch_after_l2(core, page, physical, REQUEST_DATA_READ, grant.source != SOURCE_L2);
}

/* A load missed L1D in that line, and makes no next line be prefetched. */
static __attribute__((noinline, flatten)) void prefetch_stride(struct sim_core *core, uint64_t line) {
    if (!(core->prefetcher->kinds & SIM_L1_STRIDE) || !core->instruction)
        return;
    uint64_t next = stride_request(core->prefetcher, core->instruction, line << core->line_shift) >> core->line_shift;
    if (!next || near_peek(&core->l1d, next))
        return;
    uint64_t physical = frames_line(core->sim, next);
    prefetch_into_l1(core, stream_page_of(core, physical), next, physical);
}

/* What prefetchers do after a load or an ownership request that missed L1, apart from L2's adjacent line. The kind of
 * request is a constant in each function. */
static __attribute__((noinline, flatten)) void prefetch_after_read(struct sim_core *core, uint64_t line,
                                                                   uint64_t physical, int missed) {
    struct stream_page *page = stream_page_of(core, physical);
    uint64_t next = core->prefetcher->kinds & SIM_L1_NEXT_LINE ? next_line_request(core->prefetcher, line) : 0;
    follow_stream(core, page, physical, REQUEST_DATA_READ, missed);
    if (!next)
        prefetch_stride(core, line);
    else if (!near_peek(&core->l1d, next))
        prefetch_into_l1(core, page, next, physical + 1);
}

static __attribute__((noinline, flatten)) void prefetch_after_rfo(struct sim_core *core, uint64_t physical,
                                                                  int missed) {
    follow_stream(core, stream_page_of(core, physical), physical, REQUEST_RFO, missed);
}

/* ---- demand ---- */

void hierarchy_count_load(uint64_t *total, enum source source) {
    static const uint8_t total_of[SOURCES] = {
        [SOURCE_L1] = CORE_LOAD_L1_HIT,
        [SOURCE_L2] = CORE_LOAD_L2_HIT,
        [SOURCE_L3_SNOOP_NONE] = CORE_LOAD_L3_HIT_SNOOP_NONE,
        [SOURCE_L3_SNOOP_MISS] = CORE_LOAD_L3_HIT_SNOOP_MISS,
        [SOURCE_L3_SNOOP_HIT] = CORE_LOAD_L3_HIT_SNOOP_HIT,
        [SOURCE_L3_SNOOP_HITM] = CORE_LOAD_L3_HIT_SNOOP_HITM,
        [SOURCE_SOCKET_FORWARD] = CORE_LOAD_SOCKET_FORWARD,
        [SOURCE_SOCKET_HITM] = CORE_LOAD_SOCKET_HITM,
        [SOURCE_LOCAL_DRAM] = CORE_LOAD_LOCAL_DRAM,
        [SOURCE_REMOTE_DRAM] = CORE_LOAD_REMOTE_DRAM,
        [SOURCE_REMOTE_FORWARD] = CORE_LOAD_REMOTE_FORWARD,
        [SOURCE_REMOTE_HITM] = CORE_LOAD_REMOTE_HITM,
    };
    total[total_of[source]]++;
    if (source == SOURCE_L1)
        return;
    total[CORE_LOAD_L1_MISS]++;
    if (source == SOURCE_L2)
        return;
    total[CORE_LOAD_L2_MISS]++;
    total[source <= SOURCE_L3_SNOOP_HITM ? CORE_LOAD_L3_HIT : CORE_LOAD_L3_MISS]++;
}

/* Fills the line into L1D, or only gets ownership if L1D has it shared. */
static inline __attribute__((always_inline)) enum source
l1d_request(struct sim_core *core, uint64_t line, uint64_t *word, enum sim_request request, enum private_state state) {
    uint64_t physical = frames_line(core->sim, line);
    leave_write_combining(core, line);
    struct grant grant = l2_request(core, physical, request);
    if (word) {
        core->total[CORE_L2_UPGRADE]++;
        *word = cache_word(line, private_better(grant_state(grant), state));
    } else {
        l1d_insert(core, line, private_better(grant_state(grant), state));
    }
    if (core->prefetcher) {
        int missed = grant.source != SOURCE_L2;
        if (missed)
            prefetch_adjacent(core, physical, request);
        if (request == REQUEST_RFO)
            prefetch_after_rfo(core, physical, missed);
        else
            prefetch_after_read(core, line, physical, missed);
    }
    return grant.source;
}

/* Load and store misses are separate functions: the request is a constant in each. */
static inline enum source load_miss(struct sim_core *core, uint64_t line) {
    return l1d_request(core, line, NULL, REQUEST_DATA_READ, PRIVATE_S);
}

static inline enum source ownership_miss(struct sim_core *core, uint64_t line, uint64_t *word,
                                         enum private_state state) {
    return l1d_request(core, line, word, REQUEST_RFO, state);
}

enum source hierarchy_load(struct sim_core *core, uint64_t line, int own) {
    uint64_t *word = near_touch(&core->l1d, line, core->stamp++);
    if (own && !(word && cache_state(*word) != PRIVATE_S))
        return ownership_miss(core, line, word, PRIVATE_S);
    return word ? SOURCE_L1 : load_miss(core, line);
}

void hierarchy_store(struct sim_core *core, uint64_t line) {
    uint64_t *word = near_touch(&core->l1d, line, core->stamp++);
    if (word && cache_state(*word) != PRIVATE_S)
        *word = cache_word(line, PRIVATE_M);
    else
        ownership_miss(core, line, word, PRIVATE_M);
}

/* L2 lacks the line, or ownership of it. */
static __attribute__((noinline)) void fill_from_below(struct sim_core *core, uint64_t line, uint64_t *word) {
    struct grant grant = l2_answer(core, line, word, REQUEST_DATA_READ);
    l1d_insert(core, line, private_better(grant_state(grant), PRIVATE_S));
    hierarchy_count_load(core->total, grant.source);
}

static __attribute__((noinline)) void fill_to_own_from_below(struct sim_core *core, uint64_t line, uint64_t *word) {
    l2_answer(core, line, word, REQUEST_RFO);
    l1d_insert(core, line, PRIVATE_M);
}

void hierarchy_fill(struct sim_core *core, uint64_t line, int store) {
    uint64_t *word = cache_touch(&core->l2, line);
    if (word && cache_state(*word) != PRIVATE_S) {
        *word &= ~CACHE_NOT_IN_L1D;
        core->filled[store]++;
        l1d_fill(core, line, store ? PRIVATE_M : PRIVATE_E);
    } else if (store) {
        core->total[CORE_STORES]++;
        fill_to_own_from_below(core, line, word);
    } else {
        core->total[CORE_LOADS]++;
        fill_from_below(core, line, word);
    }
}

void hierarchy_settle(struct sim_core *core) {
    uint64_t loads = core->filled[0], stores = core->filled[1], *total = core->total;
    total[CORE_LOADS] += loads;
    total[CORE_LOAD_L1_MISS] += loads;
    total[CORE_LOAD_L2_HIT] += loads;
    total[CORE_L2_DATA_READ_HIT] += loads;
    total[CORE_STORES] += stores;
    total[CORE_L2_RFO_HIT] += stores;
    total[CORE_L1D_REPLACEMENT] += loads + stores;
    clock_add(core, (loads + stores) * core->latency[SOURCE_L2]);
    core->filled[0] = core->filled[1] = 0;
}

void hierarchy_fetch(struct sim_core *core, uint64_t line) {
    if (near_touch(&core->l1i, line, core->stamp++))
        return;
    core->total[CORE_L1I_MISS]++;
    uint64_t physical = frames_line(core->sim, line);
    leave_write_combining(core, line);
    enum source source = l2_request(core, physical, REQUEST_CODE_READ).source;
    coherence_fetched(core, physical);
    fetched_settle(core);
    uint64_t victim = near_insert(&core->l1i, line, PRIVATE_S, core->stamp++);
    if (victim)
        clean_copy_leaves(core, cache_key(victim));
    if (core->prefetcher)
        prefetch_after_l2(core, stream_page_of(core, physical), physical, REQUEST_CODE_READ, source != SOURCE_L2);
}

void hierarchy_evict_l1d(struct sim_core *core, uint64_t line) {
    enum private_state state = near_remove(&core->l1d, line);
    if (state == PRIVATE_M)
        l1d_writeback(core, line);
    else if (state != PRIVATE_I)
        clean_copy_leaves(core, line);
}
