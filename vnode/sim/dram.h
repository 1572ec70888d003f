/* dram.h - the place of a line in the memory of a NUMA domain, and the open rows.
 *
 * Channel of a line: line number modulo channels of its home. Lines of a channel alternate between its two
 * sub-channels. Consecutive lines of a channel fill a row. Rows go to the banks in turn: all banks of a rank, then the
 * next rank; after the last rank the first bank again. A bank keeps its last used row open; access to another row
 * closes it. Commands follow the order of requests; there is no refresh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DRAM_H
#define ASSAY_SIM_DRAM_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "counts.h"
#include "divisor.h"

enum {
    DRAM_BANK_BITS = 4,
    DRAM_CHANNEL_BANKS = SIM_RANKS_MAX * SIM_BANKS_MAX,
    DRAM_CHANNELS = 16, /* per NUMA domain: a power of two, so that a channel is found by shifts */
};
_Static_assert(1 << DRAM_BANK_BITS == SIM_BANKS_MAX, "DRAM_BANK_BITS is log2 of SIM_BANKS_MAX");
_Static_assert((int)DRAM_CHANNELS >= (int)SIM_CHANNELS_MAX, "there is place for all channels");

/* A channel: where it counts, and its open rows. */
struct dram_channel {
    _Alignas(64) struct sim_memory_counts *counts;
    struct sim_agent_counts *agent; /* NULL: there are no home agents */
    uint64_t *moved[DRAM_COMMANDS]; /* in `counts`, by rank and bank */
    uint64_t *open;                 /* of each bank: its open row + 1, 0: none; NULL: banks are not modelled */
};

struct dram {
    struct dram_channel *channel; /* those of NUMA domain n from n * DRAM_CHANNELS on */
    struct divisor channels[SIM_NUMA_MAX];
    uint32_t column_bits;          /* row in the channel = line number in the channel >> column_bits */
    uint32_t rank_shift;           /* left shift of a row's number so that its rank bits begin at bit DRAM_BANK_BITS */
    uint32_t bank_mask, rank_mask; /* bits of bank and rank in the number of a bank in its channel */
};

/* Bytes of zeroed memory, aligned to 64 bytes, that dram_init() needs for channels and open rows. */
size_t dram_bytes(const struct sim_config *config);
void dram_init(struct dram *dram, void *memory, const struct sim_config *config);

/* Adds totals to `counts`, which are those of NUMA domain 0 and all others. */
void dram_count_in(struct dram *dram, const struct sim_config *config, struct sim_memory_counts *counts);

/* Reads or writes line `number` of a channel, the `index`th of its domain. Inline: called for each line of a stream. */
static inline __attribute__((always_inline)) void dram_move(const struct dram *dram, const struct dram_channel *channel,
                                                            uint32_t index, uint64_t number,
                                                            enum dram_command command) {
    if (!channel->open)
        return;
    uint64_t row = number >> dram->column_bits;
    uint32_t bank = ((uint32_t)row & dram->bank_mask) | ((uint32_t)row << dram->rank_shift & dram->rank_mask);
    uint64_t *open = &channel->open[bank];
    channel->moved[command][bank]++;
    if (*open == row + 1)
        return;
    channel->counts->activates[command][index]++;
    channel->counts->precharges[command][index] += *open != 0;
    *open = row + 1;
}

#endif
