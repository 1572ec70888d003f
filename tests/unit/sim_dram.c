/* sim_dram.c - unit tests of ranks, banks and rows of memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

/* A row has 128 lines of a channel, 1024 of all channels; after 64 rows the bank comes again. */
enum { CHANNELS = 8, ROW_LINES = 8192 / LINE, BANKS = 16, RANKS = 4, ROW = CHANNELS * ROW_LINES * LINE };
enum { ROUND = BANKS * RANKS }; /* rows until the same bank's next row */
#define A (UINT64_C(1) << 30)

static uint64_t of_bank(const struct node *node, enum dram_command command, uint32_t channel, uint32_t rank,
                        uint32_t bank) {
    return node->counts->memory[0].banks[command][channel][rank][bank];
}

static void read_and_forget(const struct node *node, uint64_t address) {
    sim_load(node_core(node, 0), address, 8);
    sim_flush_line(node_core(node, 0), address);
}

/* 8 consecutive MiB are two rows of each bank; the first of them opens in an idle bank. */
TEST(a_stream_goes_round_all_banks) {
    NODE node = node_1x2();
    for (uint64_t at = 0; at < 2 * ROUND * (uint64_t)ROW; at += LINE)
        sim_load(node_core(&node, 0), A + at, 8);
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        for (uint32_t bank = 0; bank < ROUND; bank++) {
            assert_int_equal(of_bank(&node, DRAM_READ, channel, bank / BANKS, bank % BANKS), 2 * ROW_LINES);
            assert_int_equal(of_bank(&node, DRAM_WRITE, channel, bank / BANKS, bank % BANKS), 0);
        }
        assert_int_equal(of_bank(&node, DRAM_READ, channel, RANKS, 0), 0);
        assert_int_equal(node.counts->memory[0].activates[DRAM_READ][channel], 2 * ROUND);
        assert_int_equal(node.counts->memory[0].precharges[DRAM_READ][channel], ROUND);
        assert_int_equal(node.counts->memory[0].cas_read[channel], 2 * ROUND * ROW_LINES);
    }
}

/* Of three consecutive lines of a channel, the first of even number, the second sub-channel moves one. */
TEST(sub_channels_alternate) {
    NODE node = node_1x2();
    const struct sim_memory_counts *memory = &node.counts->memory[0];
    for (uint64_t line = 0; line < 3 * CHANNELS; line++)
        read_and_forget(&node, A + line * LINE);
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        assert_int_equal(memory->cas_read[channel], 3);
        assert_int_equal(memory->cas_second[DRAM_READ][channel], 1);
        assert_int_equal(memory->cas_second[DRAM_WRITE][channel], 0);
    }
}

/* Row 5 is in bank 5 of rank 0, row 16 + 2 in bank 2 of rank 1. */
TEST(rows_are_banks_then_ranks) {
    NODE node = node_1x2();
    read_and_forget(&node, A + 5 * ROW + 3 * LINE);
    read_and_forget(&node, A + (BANKS + 2) * ROW + 7 * LINE + ROW / 2);
    assert_int_equal(of_bank(&node, DRAM_READ, 3, 0, 5), 1);
    assert_int_equal(of_bank(&node, DRAM_READ, 7, 1, 2), 1);
}

/* Alternating rows of one bank close each other, those of two banks do not; a line of an open row opens no row. */
TEST(rows_of_a_bank_close_each_other) {
    NODE node = node_1x2();
    const struct sim_memory_counts *memory = &node.counts->memory[0];
    for (int i = 0; i < 10; i++) {
        read_and_forget(&node, A);
        read_and_forget(&node, A + (uint64_t)ROUND * ROW);
    }
    assert_int_equal(memory->activates[DRAM_READ][0], 20);
    assert_int_equal(memory->precharges[DRAM_READ][0], 19);
    for (int i = 0; i < 10; i++) {
        read_and_forget(&node, A + (uint64_t)ROUND * ROW + CHANNELS * LINE);
        read_and_forget(&node, A + ROW);
    }
    assert_int_equal(memory->activates[DRAM_READ][0], 21);
    assert_int_equal(memory->precharges[DRAM_READ][0], 19);
    assert_int_equal(memory->activates[DRAM_READ][1], 0);
}

/* Row 0 of a bank is counted like the others. */
TEST(row_0_is_opened_too) {
    NODE node = node_1x2();
    read_and_forget(&node, 5 * ROW);
    assert_int_equal(node.counts->memory[0].activates[DRAM_READ][0], 1);
    read_and_forget(&node, 5 * ROW + CHANNELS * LINE);
    read_and_forget(&node, 5 * ROW + (uint64_t)ROUND * ROW);
    assert_int_equal(node.counts->memory[0].activates[DRAM_READ][0], 2);
    assert_int_equal(node.counts->memory[0].precharges[DRAM_READ][0], 1);
}

/* Writes close rows like reads, and are counted separately. */
TEST(writes_open_rows) {
    NODE node = node_1x2();
    const struct sim_memory_counts *memory = &node.counts->memory[0];
    sim_store(node_core(&node, 0), A, 8); /* reads the line: opens the row */
    read_and_forget(&node, A + (uint64_t)ROUND * ROW);
    sim_flush_line(node_core(&node, 0), A);
    assert_int_equal(memory->activates[DRAM_READ][0], 2);
    assert_int_equal(memory->precharges[DRAM_READ][0], 1);
    assert_int_equal(memory->activates[DRAM_WRITE][0], 1);
    assert_int_equal(memory->precharges[DRAM_WRITE][0], 1);
    assert_int_equal(of_bank(&node, DRAM_WRITE, 0, 0, 0), 1);
}

/* With three channels a line's number in its channel is a third; without ranks counts are not split. */
TEST(other_nodes) {
    struct sim_config config = node_config(1, 2);
    config.channels = 3;
    config.agents = 1;
    struct node node = node_make(config);
    const uint64_t first = 3 * ROW_LINES * ROUND; /* of a round */
    read_and_forget(&node, (first + 3 * ROW_LINES * 4 + 2) * LINE);
    assert_int_equal(of_bank(&node, DRAM_READ, 2, 0, 4), 1);
    node_free(&node);
    config.banks = 4; /* row 4 is in rank 1 then */
    node = node_make(config);
    read_and_forget(&node, 3 * ROW_LINES * (uint64_t)(4 * RANKS + 4) * LINE);
    assert_int_equal(of_bank(&node, DRAM_READ, 0, 1, 0), 1);
    node_free(&node);
    config.ranks = 0;
    node = node_make(config);
    read_and_forget(&node, (first + 3 * ROW_LINES * 4 + 2) * LINE);
    assert_int_equal(of_bank(&node, DRAM_READ, 2, 0, 4), 0);
    assert_int_equal(node.counts->memory[0].cas_read[2], 1);
    assert_int_equal(node.counts->memory[0].activates[DRAM_READ][2], 0);
    node_free(&node);
}
