/* dram.h - where a line lies in the memory of a NUMA domain, and which rows are open.
 *
 * Channel of a line: its number modulo the channels. Of a channel's lines so many lie in a row, one after the other;
 * the next row is in the next bank, behind the last bank comes the next rank, and behind the last rank the next row of
 * the first bank. A bank has one row open, the one that was used last: another one closes it. Commands come in the
 * order of the requests; nothing is refreshed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DRAM_H
#define ASSAY_SIM_DRAM_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "counts.h"

enum { DRAM_NO_SHIFT = 64, DRAM_BANK_BITS = 4, DRAM_CHANNEL_BANKS = SIM_RANKS_MAX * SIM_BANKS_MAX };
_Static_assert(1 << DRAM_BANK_BITS == SIM_BANKS_MAX, "a rank's banks, as totals have them");

struct dram {
    uint64_t *open;         /* of each bank its open row + 1, 0: none; NULL: banks are not told apart */
    uint32_t channels;      /* of a NUMA domain */
    uint32_t channel_shift; /* log2 of it, DRAM_NO_SHIFT: not a power of two */
    uint32_t column_bits;   /* of a line's number in its channel, upwards: its place in the row, */
    uint32_t banks;         /* its bank (of a rank that many), */
    uint32_t rank_shift;    /* its rank, so much to the left, */
    uint32_t ranks;         /* of which a channel has that many, times SIM_BANKS_MAX; */
    uint32_t row_bits;      /* and, behind so many bits more than the column's, the row */
};

/* Bytes of zeroed memory for the open rows; 0: the node does not tell banks apart. */
size_t dram_bytes(const struct sim_config *config);
void dram_init(struct dram *dram, uint64_t *open, const struct sim_config *config);

/* The line's channel; `number`: its number among those of the channel. */
static inline uint32_t dram_channel(const struct dram *dram, uint64_t line, uint64_t *number) {
    if (dram->channel_shift != DRAM_NO_SHIFT) { /* spares the division where it can be spared */
        *number = line >> dram->channel_shift;
        return (uint32_t)line & (dram->channels - 1);
    }
    *number = line / dram->channels;
    return (uint32_t)(line % dram->channels);
}

/* A channel of NUMA domain `home` moves a line. */
void dram_move(const struct dram *dram, struct sim_memory_counts *counts, uint32_t home, uint32_t channel,
               uint64_t number, enum dram_command command);

#endif
