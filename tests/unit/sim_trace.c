/* sim_trace.c - unit tests of traces: the same counts as one call for each of their words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"
#include "xorshift.h"

#include "cases.h"
#include "sim_random_compare.h"

#include "vnode/sim/hardware.h"
#include "vnode/sim/pipeline.h"
#include "vnode/sim/trace.h"

enum {
    DATA = 1 << 30,
    LARGE_DATA = DATA + (1 << 28), /* in large pages, if the node has them */
    CODE = 0x400000,
    LEFT_OUT = 1 << 29,
    LEFT_OUT_BYTES = 4 * PAGE,
    ABOVE = 1 << 28, /* so far above the user half */
    WORDS_MAX = 64,
    CORES_MAX = 8,
    RUNS = 6,
    TRACES = 100000,
    FEW = 4000,
    COMPARED = 50 /* traces between two comparisons */
};

/* Code so far apart has one place in the table of fetched.h; code twice as high as the user half is the same code. */
static const uint64_t SAME_PLACE = UINT64_C(1) << 32, SAME_CODE = UINT64_C(1) << 47;

/* Where random words come from. */
struct random_words {
    uint64_t random;
    uint64_t at;         /* next address of a stream */
    uint64_t code;       /* next instruction */
    uint64_t step;       /* of the stream */
    uint64_t run;        /* of the pipeline, as an address; 0: no pipelines */
    uint64_t favours;    /* kind of words that are frequent at present */
    uint64_t runs[RUNS]; /* of instructions, which are fetched again */
};

static uint64_t below(struct random_words *source, uint64_t limit) {
    return (next_random(&source->random) >> 20) % limit;
}

/* A stream, few lines again and again, lines of few sets that displace each other, and rare places. */
static uint64_t data_address(struct random_words *source) {
    uint64_t start = below(source, 4) ? DATA : LARGE_DATA, offset = below(source, LINE);
    switch (below(source, 16)) {
    case 0:
        return LEFT_OUT + below(source, PAGE);
    case 1:
        return CODE + below(source, 2 * PAGE); /* a snoop of fetched lines */
    case 2:
        return (UINT64_C(1) << 47) + ABOVE + below(source, PAGE);
    case 3:
    case 4:
        return start + (below(source, 200) + 1) * PAGE - below(source, 72); /* at the end of a page */
    case 5:
    case 6:
        return start + below(source, 40) * 64 * PAGE + below(source, 4) * LINE + offset;
    case 7:
    case 8:
    case 9:
        return start + below(source, 6) * PAGE + below(source, 3) * LINE + offset;
    default:
        source->at += source->step;
        return source->at;
    }
}

static uint64_t data_size(struct random_words *source) {
    return below(source, 4) ? UINT64_C(1) << below(source, 7) : 1 + below(source, TRACE_ACCESS_MAX);
}

static uint64_t some_access(struct random_words *source, enum trace_kind kind) {
    return trace_word(data_address(source), trace_access(kind, data_size(source)));
}

/* Most begin with a multiple of the size. */
static uint64_t some_block(struct random_words *source) {
    struct trace_block block = {.kind = below(source, 2) ? TRACE_LOAD : TRACE_STORE,
                                .size = 1U << below(source, 6),
                                .down = (uint32_t)below(source, 2)};
    block.count = 2 + (uint32_t)below(source, TRACE_ACCESS_MAX / block.size - 1);
    uint64_t address = data_address(source);
    return trace_word(below(source, 4) ? address & ~(uint64_t)(block.size - 1) : address, trace_of_block(block));
}

static uint64_t some_fetch(struct random_words *source) {
    uint64_t *run = &source->runs[below(source, RUNS)], bytes = 1 + below(source, below(source, 8) ? 40 : 400);
    if (*run && below(source, 4))
        return *run;
    if (*run && below(source, 3) == 0)
        return *run ^= (below(source, 3) ? SAME_PLACE : SAME_CODE) << TRACE_ADDRESS;
    if (below(source, 3) == 0)
        source->code = CODE + below(source, 16) * 700 + below(source, 3) * 16 * PAGE;
    else if (below(source, 4) == 0)
        source->code = CODE + PAGE - below(source, 80);
    *run = trace_word(source->code, trace_fetch(bytes));
    source->code += bytes;
    return *run;
}

static uint64_t some_branch(struct random_words *source) {
    enum sim_branch_kind kind = (enum sim_branch_kind)below(source, BRANCH_RETURN + 1);
    if (below(source, 2))
        kind = BRANCH_CONDITIONAL;
    uint64_t taken = kind == BRANCH_CONDITIONAL && below(source, 4) ? UINT64_C(1) << TRACE_TAKEN : 0;
    uint64_t target = CODE + below(source, 8) * 100 + below(source, 2) * PAGE;
    return trace_word(target, trace_branch(kind, 1 + below(source, 15)) | taken);
}

/* Non-temporal stores see memory that is left out, so that TLBs would know it: there are none to it. */
static uint64_t some_other(struct random_words *source) {
    uint64_t address = data_address(source), size = trace_access(TRACE_LOAD, data_size(source));
    switch (below(source, 16)) {
    case 0:
        return trace_word(address, trace_other(TRACE_FLUSH));
    case 1:
        return trace_word(0, trace_other(TRACE_FENCE));
    case 2:
        return trace_word(0, trace_other(TRACE_NOTHING));
    case 3:
    case 4:
        return trace_word(CODE + below(source, 1000), trace_other(TRACE_BEHIND));
    case 5:
    case 6:
        return trace_word(1 + below(source, 3), trace_other(TRACE_INSTRUCTION));
    case 7:
    case 8:
        if (source->run)
            return trace_word(source->run, trace_other(TRACE_PIPELINE));
        return trace_word(0, trace_other(TRACE_NOTHING));
    case 9:
    case 10:
        return trace_word(address, trace_other(TRACE_LOAD_LOCKED) | size);
    default:
        address = address - LEFT_OUT < LEFT_OUT_BYTES ? address + LEFT_OUT_BYTES : address;
        return trace_word(address, trace_other(TRACE_STORE_NT) | size);
    }
}

static uint64_t some_word(struct random_words *source) {
    uint64_t kind = below(source, 20);
    if (below(source, 200) == 0) {
        source->at = DATA + below(source, 8) * 64 * PAGE;
        source->step = UINT64_C(1) << below(source, 9);
        source->favours = below(source, 20);
    }
    if (below(source, 3) == 0)
        kind = source->favours;
    if (kind < 7)
        return some_access(source, TRACE_LOAD);
    if (kind < 11)
        return some_access(source, TRACE_STORE);
    if (kind == 11)
        return below(source, 3) ? some_block(source) : some_access(source, TRACE_UPDATE);
    if (kind < 15)
        return some_fetch(source);
    return kind < 18 ? some_branch(source) : some_other(source);
}

static void execute_other(struct sim_core *core, uint64_t word, uint64_t *behind) {
    uint64_t address = trace_address(word);
    uint32_t what = trace_what(word), size = trace_last(word) + 1;
    if (what < TRACE_BRANCHES) {
        int taken = what != BRANCH_CONDITIONAL || trace_taken(word);
        sim_branch(core, trace_branch_address(word, *behind), (enum sim_branch_kind)what, taken, address, *behind);
        return;
    }
    switch ((enum trace_other)what) {
    case TRACE_BEHIND:
        *behind = address;
        break;
    case TRACE_INSTRUCTION:
        sim_at(core, address);
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
    case TRACE_ROUNDS: /* see execute_rounds() */
    case TRACE_NOTHING:
    case TRACE_END:
        break;
    }
}

/* `behind`: where the core's last instructions end. */
static void execute(struct sim_core *core, uint64_t word, uint64_t *behind) {
    uint64_t address = trace_address(word), end = trace_end_of_run(word);
    uint32_t size = trace_last(word) + 1;
    switch ((enum trace_kind)(word & 7)) {
    case TRACE_LOAD:
        sim_load(core, address, size);
        break;
    case TRACE_STORE:
        sim_store(core, address, size);
        break;
    case TRACE_FETCH:
        sim_fetch(core, address, (uint32_t)(end - address));
        *behind = end;
        break;
    case TRACE_OTHER:
        execute_other(core, word, behind);
        break;
    case TRACE_BLOCK:
        for (uint32_t i = 0; i < trace_block(word).count; i++)
            execute(core, trace_of_block_access(word, i), behind);
        break;
    case TRACE_UPDATE:
        execute(core, trace_load_of_update(word), behind);
        execute(core, trace_store_of_update(word), behind);
        break;
    }
}

/* All accesses of rounds, in their order. Returns the last of their words. */
static const uint64_t *execute_rounds(struct sim_core *core, const uint64_t *word, uint64_t *behind) {
    const struct trace_rounds rounds = trace_rounds(*word);
    for (uint32_t done = 0; done < rounds.length; done++) {
        uint64_t walked = done / rounds.width * rounds.step;
        execute(core, word[1 + done % rounds.width] + (walked << TRACE_ADDRESS), behind);
    }
    return word + rounds.width;
}

static void execute_all(struct sim_core *core, const uint64_t *word, const uint64_t *end, uint64_t *behind) {
    for (; word < end; word++) {
        if ((word[0] & 7) == TRACE_OTHER && trace_what(word[0]) == TRACE_ROUNDS)
            word = execute_rounds(core, word, behind);
        else
            execute(core, *word, behind);
    }
}

/* Returns the number of words, at most 1 + TRACE_WIDTH_MAX. */
static uint64_t some_rounds(struct random_words *source, uint64_t *word) {
    struct trace_rounds rounds = {.width = 1 + (uint32_t)below(source, TRACE_WIDTH_MAX),
                                  .step = (uint32_t)below(source, below(source, 4) ? 17 : LINE)};
    rounds.length = rounds.width * (1 + (uint32_t)below(source, 4)) + (uint32_t)below(source, rounds.width);
    word[0] = trace_of_rounds(rounds);
    for (uint32_t i = 1; i <= rounds.width; i++)
        word[i] = some_access(source, below(source, 3) ? TRACE_LOAD : TRACE_STORE);
    return 1 + rounds.width;
}

/* Returns the number of words. */
static uint64_t some_trace(struct random_words *source, uint64_t word[WORDS_MAX]) {
    uint64_t length = 0, least = 1 + below(source, WORDS_MAX - TRACE_WIDTH_MAX);
    while (length < least) {
        if (below(source, 8) == 0)
            length += some_rounds(source, word + length);
        else
            word[length++] = some_word(source);
    }
    return length;
}

/* `context`: nonzero if there are large pages now. */
static int is_large(void *context, uint64_t large_page) {
    const uint32_t *large = context;
    return *large && large_page >= LARGE_DATA / LARGE && large_page < LARGE_DATA / LARGE + 128;
}

/* What else happens to a node, between traces. */
static void disturb(const struct node *node, uint32_t what, uint64_t page) {
    if (what == 0)
        sim_forget_translations(node->sim);
    else if (what == 1)
        sim_unmap(node->sim, DATA + page * PAGE, 4 * PAGE);
    else
        sim_set_home(node->sim, DATA + page * PAGE, (uint32_t)page % sim_memories(&node->config));
}

static void assert_same(const struct node *traced, const struct node *single, uint32_t trace) {
    if (memcmp(traced->counts, single->counts, sizeof *single->counts) == 0)
        return;
    struct difference difference = compare_counts(&traced->config, traced->counts, single->counts);
    fail_msg("trace %u: %s: %llu, one by one %llu", trace, difference.total, (unsigned long long)difference.first,
             (unsigned long long)difference.second);
}

/* That the traces met what they are for. */
static void assert_met(const struct node *node) {
    static const enum sim_core_count met[] = {
        CORE_LOADS_SPLIT,    CORE_STORES_SPLIT,       CORE_LOAD_L1_HIT,
        CORE_LOAD_L2_HIT,    CORE_L1I_MISS,           CORE_ITLB_WALK,
        CORE_DTLB_LOAD_WALK, CORE_DTLB_STORE_WALK,    CORE_MISPREDICTED_CONDITIONAL,
        CORE_LOADS_LOCKED,   CORE_DTLB_LOAD_STLB_HIT, CORE_MISPREDICTED_RETURN,
        CORE_STORES_NT};
    for (size_t i = 0; i < sizeof met / sizeof *met; i++)
        if (total(node, 0, met[i]) == 0)
            fail_msg("not met: %s", core_count_name((int)met[i]));
}

/* Executes random traces on one node, and their words one by one on another. `follows`: see sim_follow_stores(). */
static void compare(struct sim_config config, uint32_t follows) {
    NODE traced = node_make(config);
    NODE single = node_make(config);
    uint32_t large = 1, traces = test_cases(FEW, TRACES), cpus = sim_cpus(&config);
    uint64_t behind[CORES_MAX] = {0}, kept = 0;
    struct pipeline_run *run = calloc(1, sizeof *run + sizeof run->edge[0]);
    assert_non_null(run);
    *run = (struct pipeline_run){.issue = PIPELINE_TICKS, .edges = 1};
    run->edge[0] = (struct pipeline_edge){PIPELINE_FLAGS, PIPELINE_ISSUE, 4 * PIPELINE_TICKS};
    struct random_words source = {.random = 88172645463325252,
                                  .at = DATA,
                                  .code = CODE,
                                  .step = 8,
                                  .run = config.has_pipeline ? (uint64_t)run : 0};
    const struct node *nodes[] = {&traced, &single};
    for (int i = 0; i < 2; i++) {
        sim_follow_stores(nodes[i]->sim, &follows);
        sim_leave_out(nodes[i]->sim, LEFT_OUT, LEFT_OUT + LEFT_OUT_BYTES);
        if (config.large_page)
            sim_know_large_pages(nodes[i]->sim, is_large, &large);
    }
    for (uint32_t trace = 0; trace < traces; trace++) {
        uint64_t words[WORDS_MAX + 1], cpu = below(&source, cpus), length = some_trace(&source, words);
        struct sim_core *core = node_core(&traced, (uint32_t)cpu);
        core->fetched.quiet = below(&source, 100); /* few random fetches are between two losses */
        words[length] = trace_other(TRACE_END);
        sim_trace(core, words);
        kept += core->fetched.number;
        execute_all(node_core(&single, (uint32_t)cpu), words, words + length,
                    &behind[sim_core_of(&config, (uint32_t)cpu)]);
        if (below(&source, 500) == 0) {
            uint32_t what = (uint32_t)below(&source, 3);
            uint64_t page = below(&source, 256);
            large ^= what == 0 && !config.frames_seed; /* or its frames would have to be left */
            disturb(&traced, what, page);
            disturb(&single, what, page);
        }
        if (trace % COMPARED == 0)
            assert_same(&traced, &single, trace);
    }
    assert_same(&traced, &single, traces);
    assert_met(&single);
    assert_true(kept > traces / 50);
    assert_int_equal(total(&single, 0, CORE_L2_UPGRADE) > 0, sim_cores(&config) > 1);
    assert_int_equal(total(&single, 0, CORE_LOADS_ALIASED) > 0, follows);
    assert_int_equal(total(&single, 0, CORE_DTLB_LOAD_WALK_LARGE) > 0, config.large_page > 0);
    assert_int_equal(total(&single, 0, CORE_L2_L1_PREFETCH_HIT) > 0, config.prefetchers > 0);
    free(run);
}

/* Both sides of sim_follow_stores(). */
static void compare_both(struct sim_config config) {
    compare(config, 0);
    compare(config, 1);
}

/* Small caches: 8 sets of L1, and TLBs of few entries. */
static struct sim_config small_config(uint32_t sockets, uint32_t cores_per_socket) {
    struct sim_config config = node_config(sockets, cores_per_socket);
    config.l1d = (struct sim_cache_config){8 * 8 * LINE, 8, 0};
    config.l1i = (struct sim_cache_config){8 * 8 * LINE, 8, 0};
    config.l2 = (struct sim_cache_config){32 * 8 * LINE, 8, L2_LATENCY};
    config.l3 = (struct sim_cache_config){512 * 2 * LINE, 2, L3_LATENCY};
    config.dtlb = (struct sim_tlb_config){16, 4};
    config.itlb = (struct sim_tlb_config){8, 4};
    config.stlb = (struct sim_tlb_config){128, 8};
    config.dtlb_large = (struct sim_tlb_config){4, 4};
    return config;
}

static struct sim_config victim_config(enum sim_directory directory) {
    struct sim_config config = small_config(2, 2);
    config.inclusion = SIM_VICTIM;
    config.directory = directory;
    config.filter = (struct sim_filter_config){directory == SIM_SNOOP_FILTER ? 256 : 0, 4};
    return config;
}

/* The first shape of trace.c: 8 ways, pages in 4 ways. */
TEST(eight_ways) {
    compare_both(small_config(1, 1));
    compare_both(small_config(2, 2));
}

TEST(prefetchers) {
    struct sim_config config = small_config(2, 1);
    config.prefetchers = SIM_PREFETCHERS;
    compare_both(config);
}

TEST(twelve_ways) {
    struct sim_config config = small_config(1, 2);
    config.l1d = (struct sim_cache_config){8 * 12 * LINE, 12, 0};
    config.itlb = (struct sim_tlb_config){4, 4};
    compare_both(config);
}

TEST(tlb_of_one_set) {
    struct sim_config config = small_config(2, 1);
    config.dtlb = (struct sim_tlb_config){64, 64};
    config.itlb = (struct sim_tlb_config){64, 64};
    config.dtlb_large.entries = 0; /* the same TLB */
    compare_both(config);
}

/* All lines displace each other, also neighbours. */
TEST(caches_of_one_set) {
    struct sim_config config = small_config(1, 2);
    config.l1d = config.l1i = (struct sim_cache_config){8 * LINE, 8, 0};
    config.dtlb = config.itlb = (struct sim_tlb_config){4, 4};
    compare_both(config);
}

/* The shape that is read from the core. */
TEST(other_sizes) {
    struct sim_config config = small_config(1, 2);
    config.l1d = (struct sim_cache_config){8 * 4 * 2 * LINE, 4, 0};
    config.l3.size *= 2;
    config.line = 2 * LINE;
    config.page = 4 * PAGE;
    compare_both(config);
    config = small_config(1, 2);
    config.l1d = (struct sim_cache_config){8 * LINE, 1, 0};
    config.dtlb = (struct sim_tlb_config){20, 20};
    config.dtlb.entries = 80;
    compare_both(config);
}

TEST(small_pages_only) {
    struct sim_config config = small_config(1, 2);
    config.large_page = 0;
    config.dtlb_large.entries = 0;
    compare_both(config);
}

/* Tell of clean lines that leave. */
TEST(victim_domains) {
    compare_both(victim_config(SIM_SHADOW_TAGS));
    compare_both(victim_config(SIM_SNOOP_FILTER));
}

TEST(random_frames) {
    struct sim_config config = small_config(2, 1);
    config.frames_seed = 1;
    config.l3.size *= 4; /* the tags of so few sets would not hold all frames */
    compare_both(config);
}

TEST(siblings_and_pipelines) {
    struct sim_config config = small_config(1, 2);
    config.threads_per_core = 2;
    config.has_pipeline = 1;
    config.pipeline = (struct sim_pipeline_config){.width = 4, .window = 192};
    compare_both(config);
    config.has_pipeline = 0;
    compare_both(config);
}

/* The same counts for the words in one trace and one by one, with every run kept (fetched.h). Returns a total.
 * `follows`: see sim_follow_stores(). */
static uint64_t compare_words(struct sim_config config, const uint64_t *words, size_t length, enum sim_core_count count,
                              uint32_t follows) {
    NODE traced = node_make(config);
    NODE single = node_make(config);
    uint64_t behind = 0, trace[length + 1];
    memcpy(trace, words, length * sizeof *words);
    trace[length] = trace_other(TRACE_END);
    sim_follow_stores(traced.sim, &follows);
    sim_follow_stores(single.sim, &follows);
    node_core(&traced, 0)->fetched.quiet = 0;
    sim_trace(node_core(&traced, 0), trace);
    execute_all(node_core(&single, 0), words, words + length, &behind);
    assert_same(&traced, &single, 0);
    return total(&single, 0, count);
}

/* A run that lost its first line to its second one is fetched again, although its last line is still there. The filter
 * has two entries, and gives up the first line's. */
TEST(run_that_displaces_itself) {
    struct sim_config config = small_config(1, 1);
    config.inclusion = SIM_VICTIM;
    config.directory = SIM_SNOOP_FILTER;
    config.filter = (struct sim_filter_config){2, 2};
    const uint64_t run = trace_word(CODE, trace_fetch(3 * LINE));
    const uint64_t words[] = {trace_word(CODE, trace_fetch(1)), trace_word(CODE + 2 * LINE, trace_fetch(1)), run, run};
    assert_true(compare_words(config, words, 4, CORE_L1I_MISS, 0) > 3);
}

/* What the first run's second fetch means for the order of lines is not lost when another run takes its place. */
TEST(run_that_loses_its_place) {
    struct sim_config config = small_config(1, 1);
    config.l1i = (struct sim_cache_config){3 * LINE, 3, 0};
    const uint64_t first = trace_word(CODE, trace_fetch(8)), other = trace_word(CODE + LINE, trace_fetch(8));
    const uint64_t same = trace_word(CODE + SAME_PLACE, trace_fetch(8)),
                   new = trace_word(CODE + 2 * LINE, trace_fetch(8));
    const uint64_t words[] = {first, same, other, first, other, first, same, new, first, other};
    assert_int_equal(compare_words(config, words, 10, CORE_L1I_MISS, 0), 5); /* the new line displaces the other one */
}

/* A block makes both of its pages recent. */
TEST(block_across_pages) {
    struct sim_config config = small_config(1, 1);
    config.dtlb = (struct sim_tlb_config){3, 3};
    const uint64_t load = trace_access(TRACE_LOAD, 8), first = DATA + PAGE - LINE, second = DATA + PAGE;
    const struct trace_block block = {TRACE_LOAD, 8, 8, 0};
    const uint64_t words[] = {trace_word(first, load),
                              trace_word(second, load),
                              trace_word(second + PAGE, load),
                              trace_word(second - 32, trace_of_block(block)),
                              trace_word(second + 2 * PAGE, load),
                              trace_word(second, load)};
    assert_int_equal(compare_words(config, words, 6, CORE_DTLB_LOAD_STLB_HIT, 0), 0);
}

/* Of a block that descends, the lower line is the more recent one. */
TEST(block_down) {
    struct sim_config config = small_config(1, 1);
    config.l1d = (struct sim_cache_config){3 * LINE, 3, 0};
    const uint64_t load = trace_access(TRACE_LOAD, 8), low = DATA, high = DATA + LINE, others = DATA + 2 * LINE;
    const struct trace_block block = {TRACE_LOAD, 8, 8, .down = 1};
    const uint64_t words[] = {trace_word(low, load),
                              trace_word(high, load),
                              trace_word(others, load),
                              trace_word(high - 32, trace_of_block(block)),
                              trace_word(others + LINE, load),
                              trace_word(others + 2 * LINE, load),
                              trace_word(low, load)};
    assert_int_equal(compare_words(config, words, 7, CORE_LOAD_L1_MISS, 0), 5); /* the lower one stays */
}

/* A load reads a part of what a block of stores wrote. It is not forwarded if fewer than FORWARDING_LOADS loads came
 * between; the load before the block is not one of them. */
TEST(block_of_stores_in_flight) {
    const uint64_t load = trace_word(DATA, trace_access(TRACE_LOAD, 8)), stored = DATA + 8 * LINE;
    const struct trace_block block = {TRACE_STORE, 8, 2, 0};
    for (size_t between = FORWARDING_LOADS - 1; between <= FORWARDING_LOADS; between++) {
        uint64_t words[FORWARDING_LOADS + 4], length = 0;
        words[length++] = load;
        words[length++] = load;
        words[length++] = trace_word(stored, trace_of_block(block));
        for (size_t i = 0; i < between; i++)
            words[length++] = load;
        words[length++] = trace_word(stored + 4, trace_access(TRACE_LOAD, 8));
        assert_int_equal(compare_words(small_config(1, 1), words, length, CORE_LOADS_NOT_FORWARDED, 1),
                         between < FORWARDING_LOADS);
    }
}

/* The last level has two ways: the third line of a round makes the first one leave L1, too. */
TEST(rounds_that_displace_themselves) {
    struct sim_config config = small_config(1, 1);
    const struct trace_rounds rounds = {.width = 3, .length = 6, .step = 8};
    uint64_t words[4] = {trace_of_rounds(rounds)}, apart = config.l3.size;
    for (uint64_t i = 0; i < rounds.width; i++)
        words[1 + i] = trace_word(DATA + i * apart, trace_access(TRACE_LOAD, 8));
    assert_int_equal(compare_words(config, words, 4, CORE_LOAD_L1_MISS, 0), 6);
}
