/* sim_prefetch.c - unit tests of the hardware prefetchers. Expected counts are computed by hand from the rules in
 * docs/simulator.md.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_policies.h"
#include "test.h"
#include "xorshift.h"

#include "vnode/sim/prefetch.h"

enum { A = 1 << 30, PAGE_LINES = PAGE / LINE };

static struct node prefetching_node(uint32_t prefetchers) {
    struct sim_config config = node_config(1, 2);
    config.prefetchers = prefetchers;
    return node_make(config);
}

static void load_line(const struct node *node, int line) {
    sim_load(node_core(node, 0), A + (uint64_t)line * LINE, 8);
}

static void load_lines(const struct node *node, int first, int count, int step) {
    for (int i = 0; i < count; i++)
        load_line(node, first + i * step);
}

static uint64_t requests(const struct node *node, enum sim_request request) {
    return all_offcore(node, 0, request);
}

/* Whether a cache of core 0 has the line. */
static int has(const struct node *node, const struct cache *cache, int line) {
    (void)node;
    return cache_peek(cache, A / LINE + (uint64_t)line) != NULL;
}

/* Removes the lines of the first page from the cache. */
static void forget_page_in_l1(const struct node *node) {
    for (uint64_t line = 0; line < PAGE_LINES; line++)
        near_remove(&node_core(node, 0)->l1d, A / LINE + line);
}

/* ---- L2 streamer ---- */

/* Stores the lines that the request makes its stream fetch; returns their number. */
static uint32_t stream_fetches(struct streamer *streamer, uint64_t page, int32_t line, int32_t page_lines,
                               int32_t out[STREAM_REQUESTS]) {
    struct stream_targets targets = streamer_request(streamer, page, line, page_lines, 1);
    int32_t first = targets.next;
    for (; targets.next < targets.end; targets.next++)
        out[targets.next - first] = (int32_t)stream_line(targets.stream, targets.next, (uint64_t)line);
    return (uint32_t)(targets.end - first);
}

/* Request n of a page's lines 0, 1, 2, ...: the first two only find the direction. From the third on each one fetches
 * two lines, so the stream gains one line with each, until it is 20 ahead. */
TEST(stream_runs_ahead) {
    struct streamer streamer = {0};
    int32_t out[STREAM_REQUESTS];
    for (int32_t n = 0; n < 2; n++)
        assert_int_equal(stream_fetches(&streamer, 7, n, PAGE_LINES, out), 0);
    for (int32_t n = 2; n <= 20; n++) {
        assert_int_equal(stream_fetches(&streamer, 7, n, PAGE_LINES, out), 2);
        assert_int_equal(out[0], 3 + 2 * (n - 2));
        assert_int_equal(out[1], out[0] + 1);
    }
    for (int32_t n = 21; n <= 43; n++) {
        assert_int_equal(stream_fetches(&streamer, 7, n, PAGE_LINES, out), 1);
        assert_int_equal(out[0], n + 20);
    }
    for (int32_t n = 44; n < PAGE_LINES; n++) /* the page ends */
        assert_int_equal(stream_fetches(&streamer, 7, n, PAGE_LINES, out), 0);
}

TEST(stream_runs_down) {
    struct streamer streamer = {0};
    int32_t out[STREAM_REQUESTS];
    assert_int_equal(stream_fetches(&streamer, 7, 4, PAGE_LINES, out), 0);
    assert_int_equal(stream_fetches(&streamer, 7, 3, PAGE_LINES, out), 0);
    assert_int_equal(stream_fetches(&streamer, 7, 2, PAGE_LINES, out), 2);
    assert_int_equal(out[0], 1);
    assert_int_equal(out[1], 0);
    assert_int_equal(stream_fetches(&streamer, 7, 1, PAGE_LINES, out), 0);
}

/* An ascending and a descending stream of a page; steps of two lines belong to a stream, steps of three do not. */
TEST(two_streams_in_a_page) {
    static const struct {
        int32_t line, fetches, first;
    } requests[] = {{3, 0, 0},   {60, 0, 0}, {4, 0, 0},   {59, 0, 0}, {5, 2, 6},
                    {58, 2, 57}, {7, 2, 8},  {56, 2, 55}, {7, 0, 0},  {10, 0, 0}};
    struct streamer streamer = {0};
    int32_t out[STREAM_REQUESTS];
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        assert_int_equal(stream_fetches(&streamer, 7, requests[i].line, PAGE_LINES, out), requests[i].fetches);
        if (requests[i].fetches)
            assert_int_equal(out[0], requests[i].first);
    }
}

/* 16 pages keep their streams; the 17th takes the place of the one used least recently. */
TEST(pages_of_streams) {
    for (uint64_t pages = STREAM_PAGES; pages <= STREAM_PAGES + 1; pages++) {
        struct streamer streamer = {0};
        int32_t out[STREAM_REQUESTS];
        uint32_t fetched = 0;
        for (int32_t n = 0; n < 3; n++)
            for (uint64_t page = 0; page < pages; page++)
                fetched += stream_fetches(&streamer, page, n, PAGE_LINES, out);
        assert_int_equal(fetched, pages == STREAM_PAGES ? 2 * STREAM_PAGES : 0);
    }
}

/* The common case does the same as the general one. Steps of up to two lines in 20 pages, of which 16 have streams. */
TEST(common_requests_are_like_others) {
    struct streamer general = {0}, both = {0};
    int32_t line[STREAM_PAGES + 4] = {0};
    uint32_t random = 1, fetched = 0, common = 0;
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        uint32_t page = (random >> 24) % (STREAM_PAGES + 4);
        int missed = random >> 16 & 1;
        line[page] = (line[page] + (int32_t)(random >> 20 & 3)) % PAGE_LINES;
        struct stream_targets one = streamer_request(&general, page, line[page], PAGE_LINES, missed), other;
        struct stream_page *entry = streamer_page(&both, page);
        if (entry && streamer_continues(entry, line[page], PAGE_LINES, missed, &other))
            common++;
        else
            other = streamer_request(&both, page, line[page], PAGE_LINES, missed);
        assert_int_equal(one.next, other.next);
        assert_int_equal(one.end, other.end);
        if (one.stream && random & 1) /* as if L2 had the targets */
            one.stream->found = other.stream->found = STREAM_FOUND;
        fetched += (uint32_t)(one.end - one.next);
    }
    assert_true(fetched > 1000 && common > 1000);
}

/* A page of loads. Lines 3 to 33 are fetched into L2: the lines at most 16 ahead of their requests (33 for request 17).
 * 34 to 63 go into the last level only. So the loads miss L2 on lines 0 to 2 and 34 to 63. */
TEST(streamed_page) {
    NODE node = prefetching_node(SIM_L2_STREAMER);
    load_lines(&node, 0, PAGE_LINES, 1);
    assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_MISS), 33);
    assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_HIT), 31);
    assert_int_equal(total(&node, 0, CORE_L2_PREFETCH_MISS), 61);
    assert_int_equal(total(&node, 0, CORE_L2_PREFETCH_HIT), 0);
    assert_int_equal(total(&node, 0, CORE_LOAD_L2_HIT), 31);
    assert_int_equal(total(&node, 0, CORE_LOAD_L3_HIT), 30);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 3);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_IN_E), PAGE_LINES);
    assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), PAGE_LINES);
    assert_int_equal(requests(&node, REQUEST_PREFETCH_DATA_READ), 31);
    assert_int_equal(requests(&node, REQUEST_L3_PREFETCH_DATA_READ), 30);
    assert_int_equal(offcore(&node, 0, REQUEST_L3_PREFETCH_DATA_READ, SUPPLIER_LOCAL_DRAM, SNOOP_NONE), 30);
    assert_int_equal(offcore(&node, 0, REQUEST_DATA_READ, SUPPLIER_L3, SNOOP_NONE), 30);
    assert_int_equal(cas_reads(&node, 0), PAGE_LINES); /* nothing of the next page */
    assert_int_equal(lookups(&node, 0, LOOKUP_DATA_READ, LINE_I), PAGE_LINES);
    assert_int_equal(lookups(&node, 0, LOOKUP_DATA_READ, LINE_E), 30);
    assert_int_equal(total(&node, 0, CORE_CYCLES), /* prefetches take no time */
                     3 * MEMORY_LATENCY + 31 * L2_LATENCY + 30 * L3_LATENCY + WALK_LATENCY);
}

/* Stores make the stream ask for ownership; a victim last level is not filled by prefetches, so all go into L2. */
TEST(streamed_stores) {
    struct node node = prefetching_node(SIM_L2_STREAMER);
    for (int i = 0; i < PAGE_LINES; i++)
        sim_store(node_core(&node, 0), A + (uint64_t)i * LINE, 8);
    assert_int_equal(requests(&node, REQUEST_PREFETCH_RFO), 31);
    assert_int_equal(requests(&node, REQUEST_L3_PREFETCH_RFO), 30);
    assert_int_equal(total(&node, 0, CORE_L2_RFO_MISS), 33);
    node_free(&node);
    struct sim_config config = node_config(1, 2);
    config.prefetchers = SIM_L2_STREAMER;
    config.inclusion = SIM_VICTIM;
    config.directory = SIM_SHADOW_TAGS;
    node = node_make(config);
    load_lines(&node, 0, PAGE_LINES, 1);
    assert_int_equal(requests(&node, REQUEST_PREFETCH_DATA_READ), 61);
    assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_MISS), 3);
    assert_int_equal(cas_reads(&node, 0), PAGE_LINES);
    node_free(&node);
}

/* L2 has a page, except line 40. Request 2 finds lines 3 and 4, request 3 lines 5 and 6: the stream waits. Request 40
 * misses, and so fetches the next two lines, which are there, as are those of request 41. */
TEST(stream_in_l2_waits) {
    NODE node = prefetching_node(SIM_L2_STREAMER);
    load_lines(&node, 0, PAGE_LINES, 1);
    forget_page_in_l1(&node);
    cache_remove(&node_core(&node, 0)->l2, A / LINE + 40);
    load_lines(&node, 0, 40, 1);
    assert_int_equal(total(&node, 0, CORE_L2_PREFETCH_HIT), STREAM_FOUND);
    load_lines(&node, 40, PAGE_LINES - 40, 1);
    assert_int_equal(total(&node, 0, CORE_L2_PREFETCH_HIT), 2 * STREAM_FOUND);
}

/* L2 has a page, except lines 3 and 8. Request 2 fetches line 3 and finds line 4, request 3 finds lines 5 and 6, and
 * request 4 line 7, the fourth in a row: it does not look for line 8. */
TEST(stream_waits_within_a_request) {
    NODE node = prefetching_node(SIM_L2_STREAMER);
    load_lines(&node, 0, PAGE_LINES, 1);
    forget_page_in_l1(&node);
    cache_remove(&node_core(&node, 0)->l2, A / LINE + 3);
    cache_remove(&node_core(&node, 0)->l2, A / LINE + 8);
    uint64_t missed = total(&node, 0, CORE_L2_PREFETCH_MISS);
    load_lines(&node, 0, 8, 1);
    assert_int_equal(total(&node, 0, CORE_L2_PREFETCH_HIT), STREAM_FOUND);
    assert_int_equal(total(&node, 0, CORE_L2_PREFETCH_MISS) - missed, 1);
}

/* The last level has a page, L2 does not. Request 17 fetches line 33 into L2, and asks for line 34, 17 ahead, which the
 * last level has. From then on requests fetch the sixteenth line into L2: 35 and all after it. */
TEST(stream_in_last_level_runs_less_far_ahead) {
    NODE node = prefetching_node(SIM_L2_STREAMER);
    load_lines(&node, 0, PAGE_LINES, 1);
    forget_page_in_l1(&node);
    for (uint64_t line = 0; line < PAGE_LINES; line++)
        cache_remove(&node_core(&node, 0)->l2, A / LINE + line);
    uint64_t near = requests(&node, REQUEST_PREFETCH_DATA_READ), far = requests(&node, REQUEST_L3_PREFETCH_DATA_READ);
    load_lines(&node, 0, PAGE_LINES, 1);
    assert_int_equal(requests(&node, REQUEST_L3_PREFETCH_DATA_READ) - far, 1);
    assert_int_equal(requests(&node, REQUEST_PREFETCH_DATA_READ) - near, PAGE_LINES - 3 - 1);
}

/* ---- L2 adjacent line ---- */

/* Line n completes its pair with line n ^ 1. The second pass finds all lines, and so fetches nothing. */
TEST(pairs) {
    NODE node = prefetching_node(SIM_L2_ADJACENT);
    for (int pass = 0; pass < 2; pass++)
        load_lines(&node, 1, 4, 4); /* lines 1, 5, 9, 13 */
    assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_MISS), 4);
    assert_int_equal(requests(&node, REQUEST_PREFETCH_DATA_READ), 4);
    assert_int_equal(cas_reads(&node, 0), 8);
    for (int i = 0; i < 16; i++)
        assert_int_equal(has(&node, &node_core(&node, 0)->l2, i), i % 4 < 2);
    load_lines(&node, 0, 16, 1); /* both lines of a pair, in order: each second one was fetched */
    assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_MISS), 4 + 4);
    assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_HIT), 8 - 4 + 4); /* L1 has the 4 lines of before */
    assert_int_equal(cas_reads(&node, 0), 16);
}

/* ---- L1 next line ---- */

/* Loads of lines 0, 1, 2, ...: line 1 follows line 0, so it fetches line 2, which then hits. Line 3 follows it, and so
 * on: the loads miss on 0 and on odd lines. Nothing comes from the next page, so its line 0 misses. It follows line 63,
 * so there all even lines miss. The stride prefetcher sees no load that makes the next line be fetched. */
TEST(next_lines) {
    for (int stride = 0; stride < 2; stride++) {
        struct node node = prefetching_node(SIM_L1_NEXT_LINE | (stride ? SIM_L1_STRIDE : 0));
        sim_at(node_core(&node, 0), 0x400000);
        load_lines(&node, 0, PAGE_LINES, 1);
        assert_int_equal(total(&node, 0, CORE_LOAD_L1_MISS), 1 + 32);
        assert_int_equal(total(&node, 0, CORE_L2_L1_PREFETCH_MISS), 31);
        assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), PAGE_LINES);
        assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_MISS), 33);
        assert_int_equal(requests(&node, REQUEST_L1_PREFETCH), 31);
        assert_int_equal(cas_reads(&node, 0), PAGE_LINES);
        load_lines(&node, PAGE_LINES, PAGE_LINES, 1);
        assert_int_equal(total(&node, 0, CORE_LOAD_L1_MISS), 1 + 32 + 32);
        assert_int_equal(total(&node, 0, CORE_L2_L1_PREFETCH_MISS), 31 + 32);
        node_free(&node);
    }
    NODE node = prefetching_node(SIM_L1_NEXT_LINE); /* descending, and with gaps */
    load_lines(&node, 63, PAGE_LINES, -1);
    load_lines(&node, 2 * PAGE_LINES, PAGE_LINES / 2, 2);
    assert_int_equal(total(&node, 0, CORE_L2_L1_PREFETCH_MISS), 0);
}

/* Three loads in turn, each in a page of its own. */
TEST(next_lines_of_several_loads) {
    NODE node = prefetching_node(SIM_L1_NEXT_LINE);
    for (int i = 0; i < PAGE_LINES; i++)
        for (int page = 0; page < 6; page += 2)
            load_line(&node, page * PAGE_LINES + i);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_MISS), 3 * (1 + 32));
    assert_int_equal(total(&node, 0, CORE_L2_L1_PREFETCH_MISS), 3 * 31);
}

/* ---- L1 stride ---- */

/* A load with a stride of 3 lines. Lines 0 and 3 give the stride, 6 is the second time: line 9 is fetched and hits. It
 * counts as loaded, so 12 fetches 15. Two loads do not disturb each other; unknown instructions fetch nothing. */
TEST(strides) {
    NODE node = prefetching_node(SIM_L1_STRIDE);
    for (int i = 0; i < 20; i++) { /* lines 0 .. 57 and, of another page, 63 .. 6 */
        sim_at(node_core(&node, 0), 0x400000);
        load_line(&node, 3 * i);
        sim_at(node_core(&node, 0), 0x400008);
        load_line(&node, 2 * PAGE_LINES - 1 - 3 * i);
    }
    /* each: loads 0 to 2 miss, then every second one: 4, 6, ..., 18. Fetched: loads 3, 5, ..., 19 */
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_MISS), 2 * (3 + 8));
    assert_int_equal(total(&node, 0, CORE_L2_L1_PREFETCH_MISS), 2 * 9);
    sim_at(node_core(&node, 0), 0);
    load_lines(&node, 4 * PAGE_LINES, 20, 3);
    assert_int_equal(total(&node, 0, CORE_L2_L1_PREFETCH_MISS), 2 * 9);
}

/* A load that two entries of its instruction fit continues the one used last of them: here the second, not the first.
 * The instruction may have used another entry in between. */
TEST(stride_of_two) {
    for (int between = 0; between < 2; between++) {
        struct prefetcher prefetcher = {.page_shift = 14};
        assert_int_equal(stride_request(&prefetcher, 1, A), 0);
        assert_int_equal(stride_request(&prefetcher, 1, A + 4096), 0); /* too far from the first */
        assert_int_equal(stride_request(&prefetcher, 1, A + 3072), 0);
        if (between)
            assert_int_equal(stride_request(&prefetcher, 1, A / 2), 0);
        assert_int_equal(stride_request(&prefetcher, 1, A + 2048), A + 1024); /* -1024 for the second time */
    }
}

/* Strides of 2 KiB are known, longer ones are not; no prefetch leaves the page. */
TEST(stride_limits) {
    struct prefetcher prefetcher = {.page_shift = 12};
    for (uint64_t i = 0; i < 2; i++)
        assert_int_equal(stride_request(&prefetcher, 1, A + i * 2048), 0);
    assert_int_equal(stride_request(&prefetcher, 1, A + 2 * 2048), A + 3 * 2048);
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(stride_request(&prefetcher, 2, A + i * 2112), 0);
    for (uint64_t i = 1; i < 4; i++) /* the next one would be in the next page */
        assert_int_equal(stride_request(&prefetcher, 3, A + i * 2048), 0);
    assert_int_equal(stride_request(&prefetcher, 3, A + 4 * 2048), A + 5 * 2048);
}

/* ---- all ---- */

/* Laws and invariants hold on every policy with all prefetchers, whatever is accessed. */
TEST(laws) {
    for (size_t i = 0; i < POLICIES * SHAPES * 2; i++) {
        enum sim_protocol protocol = i % 2 ? SIM_MOESI : SIM_MESIF;
        struct sim_config config = policy_config(&policies[i / 2 % POLICIES], &shapes[i / 2 / POLICIES], protocol);
        config.prefetchers = SIM_PREFETCHERS;
        NODE node = node_make(config);
        uint64_t x = 88172645463325252;
        for (int access = 0; access < 20000; access++) {
            uint64_t r = next_random(&x), address = A + (r >> 32) % (16 * PAGE);
            struct sim_core *core = node_core(&node, (uint32_t)(r >> 8) % sim_cores(&config));
            sim_at(core, 1 + r % 3);
            if (r % 8 < 4)
                address = A + (uint64_t)access / 4 % (16 * PAGE_LINES) * LINE; /* streams */
            if (r % 8 == 0)
                sim_store(core, address, 16);
            else if (r % 8 == 1)
                sim_fetch(core, address, 8);
            else if (r % 32 == 10)
                sim_store_nt(core, address, 16);
            else
                sim_load(core, address, 16);
        }
        for (uint32_t c = 0; c < sim_cores(&config); c++)
            sim_fence(node_core(&node, c));
        check_invariants(&node);
    }
}
