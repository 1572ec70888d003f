/* trace.c - reads a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace.h"

#include "access.h"
#include "branch.h"
#include "pipeline.h"
#include "sim.h"
#include "tlb.h"

static inline uint32_t kind_of(uint64_t word) {
    return word & 7;
}

static inline uint64_t address_of(uint64_t word) {
    return word >> TRACE_ADDRESS;
}

/* Offset of the last byte. */
static inline uint32_t last_of(uint64_t word) {
    return word >> TRACE_LAST & (TRACE_ACCESS_MAX - 1);
}

/* What the code that finds hits depends on. It is constant for the usual nodes. */
struct shape {
    uint32_t page_shift, line_shift, l1d_row, dtlb_row;
};

enum { USUAL_PAGE = 12, USUAL_LINE = 6 }; /* shifts: 4 KiB, 64 bytes */

/* What the loop keeps in registers, instead of the core. */
struct reader {
    uint64_t stamp;    /* core->stamp */
    uint64_t begin;    /* of the stamps that hits got since settle(): stamp - begin is their number */
    uint64_t stores_x; /* those of stores, times TRACE_STORE */
    uint64_t branches, taken;
    uint64_t behind; /* core->behind */
};

static struct reader begin(const struct sim_core *core) {
    return (struct reader){.stamp = core->stamp, .begin = core->stamp, .behind = core->behind};
}

/* Counts what the reader has seen; begin() follows. By value, because what has an address is not in registers. */
static void settle(struct sim_core *core, struct reader reader) {
    uint64_t stores = reader.stores_x / TRACE_STORE, loads = reader.stamp - reader.begin - stores;
    core->total[CORE_LOADS] += loads;
    core->total[CORE_LOAD_L1_HIT] += loads;
    core->total[CORE_STORES] += stores;
    branch_count(core, reader.branches, reader.taken);
    core->stamp = reader.stamp;
    core->behind = reader.behind;
}

/* Before and after a function that gives stamps of the core, which are not of hits. */
static inline void leave(struct sim_core *core, const struct reader *reader) {
    core->stamp = reader->stamp;
}

static inline void come_back(const struct sim_core *core, struct reader *reader) {
    reader->begin += core->stamp - reader->stamp;
    reader->stamp = core->stamp;
}

/* ---- data ---- */

static inline uint64_t *at_place(struct sim_core *core, uint64_t place) {
    return (uint64_t *)((unsigned char *)core + place);
}

static inline struct page_place *place_of_page(struct sim_core *core, uint64_t page) {
    return &core->pages[(uint32_t)page * UINT32_C(0x9e3779b1) >> (32 - PAGE_PLACE_BITS)]; /* Fibonacci hashing */
}

/* Any access. Remembers where a data TLB has its page. */
static __attribute__((noinline)) void access_any(struct sim_core *core, uint64_t word) {
    uint64_t address = address_of(word), page = address >> core->page_shift;
    if (kind_of(word) == TRACE_STORE)
        access_store(core, address, last_of(word) + 1);
    else
        access_load(core, address, last_of(word) + 1, 0);
    const uint64_t *found = address > ADDRESS_MASK ? NULL : tlb_find(core, page);
    if (found)
        *place_of_page(core, page) = (struct page_place){
            .page = page, .word = *found, .place = (uint64_t)((const unsigned char *)found - (unsigned char *)core)};
}

/* Nonzero if the access is not within one line, even of the smallest line size. */
static inline uint64_t is_split(uint64_t word) {
    const uint64_t last = (uint64_t)(TRACE_ACCESS_MAX - 1) << TRACE_LAST;
    uint64_t end = word + ((word & last) << (TRACE_ADDRESS - TRACE_LAST)); /* a word of the last byte's address */
    return (word ^ end) >> TRACE_ADDRESS & ~(uint64_t)(LINE_BYTES_MIN - 1);
}

/* An access within a line whose page is in a TLB, at `of_page`. */
static __attribute__((noinline)) void access_line(struct sim_core *core, uint64_t word, uint64_t *of_page) {
    uint64_t line = address_of(word) >> core->line_shift;
    *near_stamp(of_page, core->dtlb.row) = core->stamp++;
    if (kind_of(word) == TRACE_STORE)
        access_store_line(core, line);
    else
        access_load_line(core, line);
}

/* A hit changes stamps only. It is an access within one line, even of the smallest line size, whose page and line are
 * where they were found last; a store's line is modified. */
struct hit {
    uint64_t *of_page, *of_line; /* their words */
    uint64_t elsewhere;          /* 0: it is within one line, and the page is there */
    uint64_t missed;             /* 0: the line is there, too */
};

static inline __attribute__((always_inline)) struct hit look_for(struct sim_core *core, uint64_t word,
                                                                 struct shape shape) {
    const uint64_t store = word & TRACE_STORE, states = store | ~(uint64_t)PRIVATE_M;
    uint64_t address = address_of(word), page = address >> shape.page_shift, line = address >> shape.line_shift;
    const struct page_place *known = place_of_page(core, page);
    struct hit hit = {.of_page = at_place(core, known->place), .of_line = near_guessed(&core->l1d, line)};
    uint64_t other_line = *hit.of_line ^ (cache_word(line, PRIVATE_I) + store); /* TRACE_STORE is PRIVATE_M */
    hit.elsewhere = (*hit.of_page ^ known->word) | (page ^ known->page) | is_split(word);
    hit.missed = hit.elsewhere | (other_line & states);
    return hit;
}

static inline void touch(struct hit hit, struct shape shape, struct reader *reader) {
    *near_stamp(hit.of_page, shape.dtlb_row) = *near_stamp(hit.of_line, shape.l1d_row) = reader->stamp++;
}

static inline __attribute__((always_inline)) void access(struct sim_core *core, uint64_t word, struct shape shape,
                                                         struct reader *reader) {
    struct hit hit = look_for(core, word, shape);
    if (__builtin_expect(hit.missed != 0, 0)) {
        leave(core, reader);
        if (hit.elsewhere)
            access_any(core, word);
        else
            access_line(core, word, hit.of_page);
        come_back(core, reader);
        return;
    }
    touch(hit, shape, reader);
    reader->stores_x += word & TRACE_STORE;
}

static void follow_stores(struct sim_core *core, uint64_t word) {
    if (kind_of(word) == TRACE_STORE)
        access_takes_flight(core, address_of(word), last_of(word) + 1);
    else
        access_meets_stores(core, address_of(word), last_of(word) + 1);
}

static inline __attribute__((always_inline)) void plain(struct sim_core *core, uint64_t word, struct shape shape,
                                                        int follows, struct reader *reader) {
    if (follows) {
        settle(core, *reader);
        *reader = begin(core);
        follow_stores(core, word);
    }
    access(core, word, shape, reader);
}

/* If both are hits, they are like one, which needs the states of both. */
static inline __attribute__((always_inline)) void read_pair(struct sim_core *core, uint64_t word, struct shape shape,
                                                            int follows, struct reader *reader) {
    uint64_t first = word >> TRACE_FIRST & TRACE_STORE, second = word >> TRACE_SECOND & TRACE_STORE;
    struct hit hit = look_for(core, (word & ~(uint64_t)TRACE_STORE) | first | second, shape);
    if (hit.missed || follows) {
        plain(core, trace_first_of_pair(word), shape, follows, reader);
        plain(core, trace_second_of_pair(word), shape, follows, reader);
        return;
    }
    touch(hit, shape, reader);
    reader->begin--;
    reader->stores_x += first + second;
}

/* A line just touched is lost only to a snoop or prefetch, or to more lines of its set than there are ways; likewise
 * pages. So if each access stays in the line of its first round, the others are hits that do not change the LRU order.
 * Returns the last word read. */
static inline __attribute__((always_inline)) const uint64_t *
read_rounds(struct sim_core *core, const uint64_t *word, struct shape shape, int follows, struct reader *reader) {
    const struct trace_rounds rounds = trace_rounds(*word++);
    uint64_t lost = core->lost, leave_lines = 0, stores = 0, done = rounds.width;
    uint64_t more = rounds.length - rounds.width, walked = (more + rounds.width - 1) / rounds.width * rounds.step;
    for (uint32_t i = 0; i < rounds.width; i++) {
        leave_lines |=
            address_of(word[i]) % LINE_BYTES_MIN + walked + last_of(word[i]); /* all are below 64: so is this */
        stores += word[i] & TRACE_STORE;
        plain(core, word[i], shape, follows, reader);
    }
    if (leave_lines < LINE_BYTES_MIN && core->lost == lost && rounds.width <= core->nearest_ways && !follows &&
        more % rounds.width == 0) {
        reader->begin -= more;
        reader->stores_x += more / rounds.width * stores;
        done = rounds.length;
    }
    for (; done < rounds.length; done++)
        plain(core, word[done % rounds.width] + (done / rounds.width * rounds.step << TRACE_ADDRESS), shape, follows,
              reader);
    return word + rounds.width - 1;
}

/* ---- code ---- */

/* As for data. */
static inline __attribute__((always_inline)) void fetch_line(struct sim_core *core, uint64_t line, struct shape shape,
                                                             struct reader *reader) {
    uint64_t page = line >> (shape.page_shift - shape.line_shift);
    uint64_t *of_page = near_guessed(&core->itlb, page), *of_line = near_guessed(&core->l1i, line);
    uint64_t other = (*of_page ^ cache_word(page, PRIVATE_S)) | (*of_line ^ cache_word(line, PRIVATE_S));
    if (__builtin_expect(other != 0, 0)) {
        leave(core, reader);
        access_fetch(core, line);
        come_back(core, reader);
        return;
    }
    *near_stamp(of_page, core->itlb.row) = *near_stamp(of_line, core->l1i.row) = reader->stamp++;
    reader->begin++;
}

static inline __attribute__((always_inline)) void fetch_lines(struct sim_core *core, uint64_t start, uint64_t first,
                                                              uint64_t last, struct shape shape,
                                                              struct reader *reader) {
    core->fetched_run = start;
    for (uint64_t line = first; line <= last; line++) {
        if (line == core->fetched_line)
            continue;
        core->fetched_line = line; /* set it first: a fetch that evicts code clears it */
        fetch_line(core, line, shape, reader);
    }
}

/* What is all in the line fetched last is not fetched again, nor are the same instructions as before. */
static inline __attribute__((always_inline)) void fetch(struct sim_core *core, uint64_t word, struct shape shape,
                                                        struct reader *reader) {
    uint64_t start = address_of(word), end = start + (word >> TRACE_BYTES & TRACE_FETCH_MAX);
    uint64_t first = start >> shape.line_shift, last = (end - 1) >> shape.line_shift;
    reader->behind = end;
    if (last != core->fetched_line || (first != last && start != core->fetched_run))
        fetch_lines(core, start, first, last, shape, reader);
}

static inline int is_conditional(uint64_t word) {
    const uint64_t mask = (UINT64_C(1) << TRACE_LENGTH) - 1;
    return (word & mask) == trace_other(BRANCH_CONDITIONAL);
}

static inline __attribute__((always_inline)) void conditional(struct sim_core *core, uint64_t word,
                                                              struct reader *reader) {
    reader->branches++;
    reader->taken += word >> TRACE_TAKEN & 1;
    branch_conditional(core, word, reader->behind);
}

/* ---- others ---- */

static __attribute__((noinline)) void other(struct sim_core *core, uint64_t word) {
    uint64_t address = address_of(word);
    uint32_t size = last_of(word) + 1;
    switch (trace_what(word)) {
    case TRACE_BEHIND:
        core->behind = address;
        break;
    case TRACE_LOAD_LOCKED:
        sim_load_locked(core, address, size);
        break;
    case TRACE_STORE_NT:
        sim_store_nt(core, address, size);
        break;
    case TRACE_FENCE:
        sim_fence(core);
        break;
    case TRACE_FLUSH:
        sim_flush_line(core, address);
        break;
    case TRACE_PIPELINE:
        sim_pipeline_run(core, (const struct pipeline_run *)address);
        break;
    default: /* nothing */
        break;
    }
}

static inline __attribute__((always_inline)) void read_trace(struct sim_core *core, const uint64_t *word,
                                                             const uint64_t *end, struct shape shape, int follows) {
    struct reader reader = begin(core);
    for (; word < end; word++) {
        if (__builtin_expect(kind_of(*word) < TRACE_FETCH, 1)) {
            plain(core, *word, shape, follows, &reader);
        } else if (kind_of(*word) == TRACE_FETCH) {
            fetch(core, *word, shape, &reader);
            if (word + 1 < end && is_conditional(word[1]))
                conditional(core, *++word, &reader);
        } else if (kind_of(*word) == TRACE_PAIR) {
            read_pair(core, *word, shape, follows, &reader);
        } else if (is_conditional(*word)) {
            conditional(core, *word, &reader);
        } else if (trace_what(*word) <= BRANCH_RETURN) {
            branch_other(core, *word, reader.behind);
        } else if (trace_what(*word) == TRACE_INSTRUCTION) {
            core->instruction = address_of(*word);
        } else if (trace_what(*word) == TRACE_ROUNDS) {
            word = read_rounds(core, word, shape, follows, &reader);
        } else {
            settle(core, reader);
            other(core, *word);
            reader = begin(core);
        }
    }
    settle(core, reader);
}

static int has_shape(const struct sim_core *core, struct shape shape) {
    return core->page_shift == shape.page_shift && core->line_shift == shape.line_shift &&
           core->l1d.row == shape.l1d_row && core->dtlb.row == shape.dtlb_row;
}

void sim_trace(struct sim_core *core, const uint64_t *word, const uint64_t *end) {
    /* L1D of 8 or 12 ways; data TLB of 4 or all 64 */
    const struct shape eight = {USUAL_PAGE, USUAL_LINE, 8, 8}, twelve = {USUAL_PAGE, USUAL_LINE, 16, 8};
    const struct shape one_set = {USUAL_PAGE, USUAL_LINE, 8, 64};
    const struct shape own = {core->page_shift, core->line_shift, core->l1d.row, core->dtlb.row};
    if (*core->follows)
        read_trace(core, word, end, own, 1);
    else if (has_shape(core, eight))
        read_trace(core, word, end, eight, 0);
    else if (has_shape(core, twelve))
        read_trace(core, word, end, twelve, 0);
    else if (has_shape(core, one_set))
        read_trace(core, word, end, one_set, 0);
    else
        read_trace(core, word, end, own, 0);
}
