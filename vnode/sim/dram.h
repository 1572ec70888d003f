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

enum { DRAM_NO_SHIFT = 64, DRAM_BANK_BITS = 4, DRAM_CHANNEL_BANKS = SIM_RANKS_MAX * SIM_BANKS_MAX };
_Static_assert(1 << DRAM_BANK_BITS == SIM_BANKS_MAX, "DRAM_BANK_BITS is log2 of SIM_BANKS_MAX");

struct dram {
    uint64_t *open;         /* open row + 1 of each bank, 0: none; NULL: banks are not modelled */
    uint32_t channels;      /* per NUMA domain, the most */
    uint32_t channel_shift; /* log2 of channels, DRAM_NO_SHIFT: not a power of two, or not the same for all */
    uint8_t channels_of[SIM_NUMA_MAX];
    uint32_t column_bits; /* bits of the line number in its channel that are the column */
    uint32_t banks;       /* banks per rank */
    uint32_t rank_shift;  /* left shift of a row's number so that its rank bits begin at bit DRAM_BANK_BITS */
    uint32_t ranks;       /* ranks per channel, times SIM_BANKS_MAX */
    uint32_t row_bits;    /* row = line number in the channel >> (column_bits + row_bits) */
};

/* Bytes of zeroed memory for the open rows; 0: banks are not modelled. */
size_t dram_bytes(const struct sim_config *config);
void dram_init(struct dram *dram, uint64_t *open, const struct sim_config *config);

/* The channel of NUMA domain `home` that has the line; `number`: line number within the channel. */
static inline uint32_t dram_channel(const struct dram *dram, uint32_t home, uint64_t line, uint64_t *number) {
    if (dram->channel_shift != DRAM_NO_SHIFT) { /* avoids the division */
        *number = line >> dram->channel_shift;
        return (uint32_t)line & (dram->channels - 1);
    }
    *number = line / dram->channels_of[home];
    return (uint32_t)(line % dram->channels_of[home]);
}

/* Reads or writes a line on a channel of NUMA domain `home`. */
void dram_move(const struct dram *dram, struct sim_memory_counts *counts, uint32_t home, uint32_t channel,
               uint64_t number, enum dram_command command);

#endif
