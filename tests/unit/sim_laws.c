/* sim_laws.c - the checks for any sequence of accesses: conservation laws between counts of different parts, and the
 * invariants of inclusion and coherence, after long random runs of several cores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_checks.h"
#include "test.h"
#include "xorshift.h"

enum { BASE = 1 << 26 };

/* Random accesses of all kinds and cores to `lines` lines, half of them to a small hot part that cores fight for. */
static void random_run(const struct node *node, uint64_t lines, int accesses) {
    uint32_t cpus = sim_cpus(&node->config);
    uint64_t x = 88172645463325252;
    for (int i = 0; i < accesses; i++) {
        uint64_t r = next_random(&x);
        struct sim_core *core = node_core(node, (uint32_t)(r >> 8) % cpus);
        uint64_t line = (r >> 20) % (r & 64 ? 256 : lines);
        uint64_t address = BASE + line * LINE + (r >> 16) % 56;
        switch (r % 16) {
        case 0:
            sim_store_nt(core, BASE + line * LINE, 64);
            break;
        case 1:
            sim_store_nt(core, address, 16);
            break;
        case 2:
            sim_flush_line(core, address);
            break;
        case 3:
            sim_fetch(core, address, 32);
            break;
        case 4:
            sim_load_locked(core, address, 8);
            break;
        case 5:
        case 6:
        case 7:
        case 8:
        case 9:
            sim_store(core, address, 16);
            break;
        default:
            sim_load(core, address, 16);
        }
    }
    for (uint32_t cpu = 0; cpu < cpus; cpu++)
        sim_fence(node_core(node, cpu));
}

TEST(random_runs) {
    const struct {
        uint32_t sockets, cores, threads;
    } nodes[] = {{1, 1, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {4, 2, 1}, {2, 2, 2}};
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        struct sim_config config = node_config(nodes[i].sockets, nodes[i].cores);
        config.threads_per_core = nodes[i].threads;
        config.l3.size = 640 << 10; /* the minimum: 10240 lines per slice, soon full */
        NODE node = node_make(config);
        random_run(&node, 200000, 10000);
        check_invariants(&node);
        random_run(&node, 200000, 500000);
        check_invariants(&node);
        for (uint32_t s = 0; s < nodes[i].sockets; s++)
            assert_true(victims(&node, s, LINE_M) > 0 && victims(&node, s, LINE_E) > 0);
    }
}

static uint64_t resident_words(const struct cache *cache) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < (cache->set_mask + 1) * cache->stride; i++)
        n += cache->words[i] != 0;
    return n;
}

static uint64_t resident_lines(const struct l3 *l3) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < l3->divisor.value; i++)
        for (uint32_t way = 0; way < L3_WAYS_MAX; way++)
            n += l3->sets[i].state[way] != LINE_I;
    return n;
}

/* Lines in = lines out + resident lines: for L2 if its L3 evicts nothing, for L3 always without flushes. */
TEST(lines_in_are_out_or_resident) {
    NODE node = node_1x2();
    const struct sim_core *core = node_core(&node, 0);
    uint64_t x = 88172645463325252;
    for (int i = 0; i < 500000; i++) {
        if (i == 100000)
            assert_int_equal(total(&node, 0, CORE_L2_LINES_IN_E),
                             total(&node, 0, CORE_L2_LINES_OUT_CLEAN) + resident_words(&core->l2));
        sim_load(node_core(&node, 0), BASE + next_random(&x) % (i < 100000 ? 20000 : 300000) * LINE, 8);
        if (i > 100000)
            sim_store(node_core(&node, 1), BASE + next_random(&x) % 300000 * LINE, 8);
    }
    uint64_t in = 0, out = 0;
    for (int s = 0; s < SIM_LINE_STATES; s++)
        out += victims(&node, 0, (enum sim_line_state)s);
    in = lookups(&node, 0, LOOKUP_DATA_READ, LINE_I) + lookups(&node, 0, LOOKUP_RFO, LINE_I);
    assert_int_equal(in, cas_reads(&node, 0));
    assert_int_equal(in, out + resident_lines(&core->domain->l3));
    assert_int_equal(victims(&node, 0, LINE_M), cas_writes(&node, 0));
}

/* Every line that was stored and then flushed is written to memory exactly once, in whichever caches it was. */
TEST(stored_lines_reach_memory) {
    enum { LINES = 300, ROUNDS = 200 };
    NODE node = node_make(node_config(1, 4));
    uint64_t x = 88172645463325252, written = 0;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned char stored[LINES] = {0};
        for (int i = 0; i < 2000; i++) {
            uint64_t r = next_random(&x), line = (r >> 8) % LINES;
            struct sim_core *core = node_core(&node, (uint32_t)(r >> 32) % 4);
            if (r % 8 == 0) {
                sim_store(core, BASE + line * LINE, 8);
                written += !stored[line];
                stored[line] = 1;
            } else {
                sim_load(core, BASE + line * LINE, 8);
            }
        }
        for (uint64_t line = 0; line < LINES; line++)
            sim_flush_line(node_core(&node, (uint32_t)line % 4), BASE + line * LINE);
        assert_int_equal(cas_writes(&node, 0), written);
    }
}

/* The same accesses give the same counts in all totals. */
TEST(runs_repeat) {
    struct node first = node_2x1(), second = node_2x1();
    random_run(&first, 200000, 100000);
    random_run(&second, 200000, 100000);
    assert_memory_equal(first.counts, second.counts, sizeof *first.counts);
    node_free(&first);
    node_free(&second);
}
