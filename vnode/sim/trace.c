/* trace.c - reads a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace.h"

#include "access.h"
#include "branch.h"
#include "fetched.h"
#include "hierarchy.h"
#include "pipeline.h"
#include "sim.h"
#include "tlb.h"

static inline uint32_t kind_of(uint64_t word) {
    return word & 7;
}

/* What the code that finds hits depends on. It is constant for the usual nodes. */
struct shape {
    uint32_t page_shift, line_shift, l1d_row, dtlb_row;
};

enum { USUAL_PAGE = 12, USUAL_LINE = 6 }; /* shifts: 4 KiB, 64 bytes */

/* What the loop keeps in registers, instead of the core. */
struct reader {
    uint64_t stamp;           /* core->stamp */
    uint64_t begin;           /* stamp - begin is the number of hits since settle() */
    uint64_t stores_x;        /* those of stores, times TRACE_STORE */
    uint64_t branches, taken; /* conditional ones, and how many of them were taken */
};

static inline __attribute__((always_inline)) void begin(const struct sim_core *core, struct reader *reader) {
    reader->stamp = reader->begin = core->stamp;
    reader->stores_x = reader->branches = reader->taken = 0;
}

static __attribute__((noinline)) void count(struct sim_core *core, uint64_t loads, uint64_t stores, uint64_t branches,
                                            uint64_t taken) {
    hierarchy_settle(core);
    core->total[CORE_LOADS] += loads;
    core->total[CORE_LOAD_L1_HIT] += loads;
    core->total[CORE_STORES] += stores;
    branch_count(core, branches, taken);
}

/* Counts what the reader has seen; begin() follows. Inline, because what has an address is not in registers. */
static inline __attribute__((always_inline)) void settle(struct sim_core *core, const struct reader *reader) {
    uint64_t stores = reader->stores_x / TRACE_STORE;
    count(core, reader->stamp - reader->begin - stores, stores, reader->branches, reader->taken);
    core->stamp = reader->stamp;
}

/* Before and after a function that gives stamps and counts its accesses itself. */
static inline __attribute__((always_inline)) void leave(struct sim_core *core, const struct reader *reader) {
    core->stamp = reader->stamp;
}

static inline __attribute__((always_inline)) void come_back(const struct sim_core *core, struct reader *reader) {
    reader->begin += core->stamp - reader->stamp;
    reader->stamp = core->stamp;
}

/* ---- data ---- */

static inline uint64_t *at_place(struct sim_core *core, uint64_t place) {
    return (uint64_t *)((unsigned char *)core + place);
}

static inline struct page_place *place_of_page(struct sim_core *core, uint64_t page) {
    return &core->pages[spread((uint32_t)page, PAGE_PLACE_BITS)];
}

/* 0: the page's word in a data TLB is where it was found last. */
static inline uint64_t other_page(struct sim_core *core, const struct page_place *known, uint64_t page) {
    return (*at_place(core, known->place) ^ known->word) | (page ^ known->page);
}

/* Nonzero if the access is not within one line, even of the smallest line size. */
static inline uint64_t is_split(uint64_t word) {
    const uint64_t last = (uint64_t)(TRACE_ACCESS_MAX - 1) << TRACE_LAST;
    uint64_t end = word + ((word & last) << (TRACE_ADDRESS - TRACE_LAST)); /* a word of the last byte's address */
    return (word ^ end) & ~(((uint64_t)LINE_BYTES_MIN << TRACE_ADDRESS) - 1);
}

/* 0: the word is the line's, and modified if the lowest bits of `kind` are TRACE_STORE, which is PRIVATE_M. */
static inline uint64_t other_line(uint64_t word, uint64_t line, uint64_t kind) {
    return (word ^ cache_word(line, PRIVATE_M)) & (kind | ~(uint64_t)PRIVATE_M);
}

/* Nonzero if the line is a hit, which changes its stamp only. */
static inline int line_hits(struct sim_core *core, uint64_t line, uint64_t store) {
    uint64_t *word = near_peek(&core->l1d, line);
    if (!word || other_line(*word, line, store))
        return 0;
    *near_stamp(word, core->l1d.row) = core->stamp++;
    return 1;
}

/* Nonzero if the access is to two lines, both hits, of a page that is where it was found last. If 0, the page and the
 * first line may have new stamps: the general way gives them again, in the same order. */
static inline int split_hits(struct sim_core *core, uint64_t word) {
    uint64_t address = trace_address(word), last = address + trace_last(word), page = address >> core->page_shift;
    uint64_t store = word & TRACE_STORE, *total = core->total;
    const struct page_place *known = place_of_page(core, page);
    if (other_page(core, known, page) || last >> core->page_shift != page ||
        last >> core->line_shift == address >> core->line_shift)
        return 0;
    *near_stamp(at_place(core, known->place), core->dtlb.row) = core->stamp++;
    if (!line_hits(core, address >> core->line_shift, store) || !line_hits(core, last >> core->line_shift, store))
        return 0;
    total[store ? CORE_STORES : CORE_LOADS]++;
    total[store ? CORE_STORES_SPLIT : CORE_LOADS_SPLIT]++;
    total[CORE_LOAD_L1_HIT] += !store;
    return 1;
}

/* Any access. Remembers where a data TLB has its page. */
static __attribute__((noinline)) void access_any(struct sim_core *core, uint64_t word) {
    if (is_split(word) && split_hits(core, word))
        return;
    uint64_t address = trace_address(word), page = address >> core->page_shift;
    if (kind_of(word) == TRACE_STORE)
        access_store(core, address, trace_last(word) + 1);
    else
        access_load(core, address, trace_last(word) + 1, 0);
    const uint64_t *found = address > ADDRESS_MASK ? NULL : tlb_find(core, page);
    if (found)
        *place_of_page(core, page) = (struct page_place){
            .page = page, .word = *found, .place = (uint64_t)((const unsigned char *)found - (unsigned char *)core)};
}

static __attribute__((noinline)) void access_any_line(struct sim_core *core, uint64_t line, int store) {
    if (store)
        access_store_line(core, line);
    else
        access_load_line(core, line);
}

/* An access within a line whose page is in a TLB, at `of_page`. */
static __attribute__((noinline, flatten)) void access_line(struct sim_core *core, uint64_t word, uint64_t *of_page) {
    uint64_t line = trace_address(word) >> core->line_shift;
    int store = kind_of(word) == TRACE_STORE;
    *near_stamp(of_page, core->dtlb.row) = core->stamp++;
    if (core->usual && !core->wc.open && near_lacks(&core->l1d, line))
        hierarchy_fill(core, line, store);
    else
        access_any_line(core, line, store);
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
    uint64_t address = trace_address(word), page = address >> shape.page_shift, line = address >> shape.line_shift;
    const struct page_place *known = place_of_page(core, page);
    struct hit hit = {.of_page = at_place(core, known->place), .of_line = near_guessed(&core->l1d, line)};
    hit.elsewhere = other_page(core, known, page) | is_split(word);
    hit.missed = hit.elsewhere | other_line(*hit.of_line, line, word);
    return hit;
}

static inline __attribute__((always_inline)) void touch(struct hit hit, struct shape shape, struct reader *reader) {
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

/* Stores in flight are told the number of loads. */
static inline __attribute__((always_inline)) void count_before(struct sim_core *core, struct reader *reader) {
    settle(core, reader);
    begin(core, reader);
}

static void follow_stores(struct sim_core *core, uint64_t word) {
    if (kind_of(word) == TRACE_STORE)
        access_takes_flight(core, trace_address(word), trace_last(word) + 1);
    else
        access_meets_stores(core, trace_address(word), trace_last(word) + 1);
}

static inline __attribute__((always_inline)) void plain(struct sim_core *core, uint64_t word, struct shape shape,
                                                        int follows, struct reader *reader) {
    if (follows) {
        count_before(core, reader);
        follow_stores(core, word);
    }
    access(core, word, shape, reader);
}

/* If both are hits, they are like a store. */
static inline __attribute__((always_inline)) void update(struct sim_core *core, uint64_t word, struct shape shape,
                                                         int follows, struct reader *reader) {
    struct hit hit = look_for(core, trace_store_of_update(word), shape);
    if (__builtin_expect(hit.missed || follows, 0)) {
        plain(core, trace_load_of_update(word), shape, follows, reader);
        plain(core, trace_store_of_update(word), shape, follows, reader);
        return;
    }
    touch(hit, shape, reader);
    reader->begin--;
    reader->stores_x += TRACE_STORE;
}

/* Its accesses, one after the other. */
static __attribute__((noinline)) void read_block_apart(struct sim_core *core, uint64_t word, struct shape shape,
                                                       int follows) {
    const struct trace_block block = trace_block(word);
    struct reader reader;
    begin(core, &reader);
    for (uint32_t i = 0; i < block.count; i++)
        plain(core, trace_of_block_access(word, i), shape, follows, &reader);
    settle(core, &reader);
}

/* Aligned accesses are in two lines at most. If both are where they were found last, in one page, all accesses are
 * hits, and the line of the last access is the more recent one. Both are looked for even if they are the same: where
 * blocks begin, the host could not predict. */
static inline __attribute__((always_inline)) void read_block(struct sim_core *core, uint64_t word, struct shape shape,
                                                             int follows, struct reader *reader) {
    const struct trace_block block = trace_block(word);
    uint64_t low = trace_address(word), high = low + trace_last(word), page = low >> shape.page_shift;
    uint64_t line = low >> shape.line_shift, last = high >> shape.line_shift;
    const struct page_place *known = place_of_page(core, page);
    uint64_t *of_page = at_place(core, known->place);
    uint64_t *of_line = near_guessed(&core->l1d, line), *of_last = near_guessed(&core->l1d, last);
    uint64_t missed = other_page(core, known, page) | (low ^ high) >> shape.page_shift | (low & (block.size - 1)) |
                      other_line(*of_line, line, block.kind) | other_line(*of_last, last, block.kind);
    if (__builtin_expect(missed || follows, 0)) {
        if (follows)
            count_before(core, reader);
        leave(core, reader);
        read_block_apart(core, word, shape, follows);
        come_back(core, reader);
        return;
    }
    *near_stamp(of_line, shape.l1d_row) = reader->stamp + block.down;
    *near_stamp(of_last, shape.l1d_row) = reader->stamp + 1 - block.down;
    *near_stamp(of_page, shape.dtlb_row) = reader->stamp;
    reader->stamp += 2;
    reader->begin -= (uint64_t)block.count - 2;
    reader->stores_x += (uint64_t)block.kind * block.count;
}

/* Whether the accesses of the round at `now` bytes end in the lines where those of the round at `before` began. */
static inline __attribute__((always_inline)) int stay(const uint64_t *word, uint32_t width, uint64_t before,
                                                      uint64_t now) {
    uint64_t left = 0;
    for (uint32_t i = 0; i < width; i++)
        left |= (trace_address(word[i]) + before) ^ (trace_address(word[i]) + now + trace_last(word[i]));
    return left < LINE_BYTES_MIN;
}

/* A line just touched is lost only to a snoop or prefetch, or to more lines of its set than there are ways; likewise
 * pages. So while each access stays in the line of the round before, accesses are hits that do not change the LRU
 * order. Returns the last word read. */
static inline __attribute__((always_inline)) const uint64_t *
read_rounds(struct sim_core *core, const uint64_t *word, struct shape shape, int follows, struct reader *reader) {
    const struct trace_rounds rounds = trace_rounds(*word);
    const uint32_t whole = trace_whole_rounds(*word++), width = rounds.width, can_stay = width <= core->nearest_ways;
    uint64_t lost = 0, stores = 0, before = 0, now = 0;
    for (uint32_t i = 0; i < width; i++)
        stores += word[i] & TRACE_STORE;
    for (uint32_t round = 0; round < whole; round++, now += rounds.step) {
        if (round && can_stay && !follows && core->lost == lost && stay(word, width, before, now)) {
            reader->begin -= width;
            reader->stores_x += stores;
            continue;
        }
        lost = core->lost;
        before = now;
        for (uint32_t i = 0; i < width; i++)
            plain(core, word[i] + (now << TRACE_ADDRESS), shape, follows, reader);
    }
    for (uint32_t i = 0; i < rounds.length - whole * width; i++)
        plain(core, word[i] + (now << TRACE_ADDRESS), shape, follows, reader);
    return word + width - 1;
}

/* ---- code ---- */

/* A run that is not known to hit. */
static __attribute__((noinline)) void fetch_lines(struct sim_core *core, uint64_t word) {
    struct run_lines lines = fetched_lines(core, word);
    uint64_t since = core->fetched.since;
    for (uint64_t line = lines.first; line <= lines.last; line++)
        if (!fetched_touch(core, line))
            access_fetch(core, line);
    if (core->fetched.since == since && fetched_pays(core, core->stamp))
        fetched_keep(core, word);
}

/* Nonzero if the line and its page are where they were found last. */
static inline __attribute__((always_inline)) int fetch_hit(struct sim_core *core, uint64_t line, struct shape shape,
                                                           struct reader *reader) {
    uint64_t page = line >> (shape.page_shift - shape.line_shift);
    uint64_t *of_page = near_guessed(&core->itlb, page), *of_line = near_guessed(&core->l1i, line);
    if ((*of_page ^ cache_word(page, PRIVATE_S)) | (*of_line ^ cache_word(line, PRIVATE_S)))
        return 0;
    *near_stamp(of_page, core->itlb.row) = *near_stamp(of_line, core->l1i.row) = reader->stamp;
    return 1;
}

/* Whether the run hits: it is known to, or is of one line that does. The latter only if it would not be kept. */
static inline __attribute__((always_inline)) int run_hits(struct sim_core *core, uint64_t word, uint64_t behind,
                                                          struct shape shape, struct reader *reader) {
    struct fetched_run *run = fetched_place(core, word);
    if (__builtin_expect(run->word == word, 1)) {
        run->stamp = reader->stamp;
        return 1;
    }
    uint64_t line = trace_address(word) >> shape.line_shift;
    return !fetched_pays(core, reader->stamp) && (behind - 1) >> shape.line_shift == line &&
           fetch_hit(core, line, shape, reader);
}

/* Returns where the run ends. */
static inline __attribute__((always_inline)) uint64_t fetch(struct sim_core *core, uint64_t word, struct shape shape,
                                                            struct reader *reader) {
    uint64_t behind = trace_end_of_run(word);
    core->behind = behind;
    if (__builtin_expect(run_hits(core, word, behind, shape, reader), 1)) {
        reader->stamp++;
        reader->begin++;
    } else {
        leave(core, reader);
        fetch_lines(core, word);
        come_back(core, reader);
    }
    return behind;
}

static inline int is_conditional(uint64_t word) {
    const uint64_t mask = (UINT64_C(1) << TRACE_LENGTH) - 1;
    return (word & mask) == trace_other(BRANCH_CONDITIONAL);
}

static inline __attribute__((always_inline)) void conditional(struct sim_core *core, uint64_t word, uint64_t behind,
                                                              struct reader *reader) {
    reader->branches++;
    reader->taken += trace_taken(word);
    branch_conditional(core, word, behind);
}

/* ---- others ---- */

static __attribute__((noinline)) void other(struct sim_core *core, uint64_t word) {
    uint64_t address = trace_address(word);
    uint32_t size = trace_last(word) + 1;
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
                                                             struct shape shape, int follows) {
    struct reader reader;
    begin(core, &reader);
    for (;; word++) {
        if (__builtin_expect(kind_of(*word) < TRACE_FETCH, 1)) {
            plain(core, *word, shape, follows, &reader);
        } else if (kind_of(*word) == TRACE_FETCH) {
            uint64_t behind = fetch(core, *word, shape, &reader);
            if (is_conditional(word[1]))
                conditional(core, *++word, behind, &reader);
            else if (trace_is_branch(word[1]))
                branch_other(core, *++word, behind);
        } else if (kind_of(*word) == TRACE_BLOCK) {
            read_block(core, *word, shape, follows, &reader);
        } else if (kind_of(*word) == TRACE_UPDATE) {
            update(core, *word, shape, follows, &reader);
        } else if (is_conditional(*word)) {
            conditional(core, *word, core->behind, &reader);
        } else if (trace_is_branch(*word)) {
            branch_other(core, *word, core->behind);
        } else if (*word == trace_other(TRACE_END)) {
            break;
        } else if (trace_what(*word) == TRACE_INSTRUCTION) {
            core->instruction = trace_address(*word);
        } else if (trace_what(*word) == TRACE_ROUNDS) {
            word = read_rounds(core, word, shape, follows, &reader);
        } else {
            leave(core, &reader);
            other(core, *word);
            come_back(core, &reader);
        }
    }
    settle(core, &reader);
    branch_settle(core);
}

static int has_shape(const struct sim_core *core, struct shape shape) {
    return core->page_shift == shape.page_shift && core->line_shift == shape.line_shift &&
           core->l1d.row == shape.l1d_row && core->dtlb.row == shape.dtlb_row;
}

void sim_trace(struct sim_core *core, const uint64_t *word) {
    /* L1D of 8 or 12 ways; data TLB of 4 or all 64 */
    const struct shape eight = {USUAL_PAGE, USUAL_LINE, 8, 8}, twelve = {USUAL_PAGE, USUAL_LINE, 16, 8};
    const struct shape one_set = {USUAL_PAGE, USUAL_LINE, 8, 64};
    const struct shape own = {core->page_shift, core->line_shift, core->l1d.row, core->dtlb.row};
    if (*core->follows)
        read_trace(core, word, own, 1);
    else if (has_shape(core, eight))
        read_trace(core, word, eight, 0);
    else if (has_shape(core, twelve))
        read_trace(core, word, twelve, 0);
    else if (has_shape(core, one_set))
        read_trace(core, word, one_set, 0);
    else
        read_trace(core, word, own, 0);
}
