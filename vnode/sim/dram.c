/* dram.c - ranks, banks and rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "dram.h"

static uint32_t bits_of(uint32_t power_of_two) {
    return (uint32_t)__builtin_ctz(power_of_two);
}

size_t dram_bytes(const struct sim_config *config) {
    size_t channels = config->ranks ? (size_t)sim_numas(config) * config->channels : 0;
    return channels * DRAM_CHANNEL_BANKS * sizeof(uint64_t);
}

void dram_init(struct dram *dram, uint64_t *open, const struct sim_config *config) {
    uint32_t channels = config->channels;
    int is_shift = (channels & (channels - 1)) == 0 && sim_channels(config, config->sockets - 1) == channels;
    *dram = (struct dram){.channels = channels, .channel_shift = is_shift ? bits_of(channels) : DRAM_NO_SHIFT};
    for (uint32_t i = 0; i < sim_numas(config); i++)
        dram->channels_of[i] = (uint8_t)sim_channels(config, i / config->numa_per_socket);
    if (config->ranks == 0)
        return;
    dram->open = open;
    dram->column_bits = bits_of(config->dram_row / config->line);
    dram->banks = config->banks;
    dram->ranks = config->ranks * SIM_BANKS_MAX;
    dram->rank_shift = DRAM_BANK_BITS - bits_of(config->banks);
    dram->row_bits = bits_of(config->banks) + bits_of(config->ranks);
}

void dram_move(const struct dram *dram, struct sim_memory_counts *counts, uint32_t home, uint32_t channel,
               uint64_t number, enum dram_command command) {
    if (!dram->open)
        return;
    uint64_t block = number >> dram->column_bits, row = (block >> dram->row_bits) + 1;
    uint32_t rank = (uint32_t)(block << dram->rank_shift) & (dram->ranks - SIM_BANKS_MAX);
    uint32_t bank = rank | ((uint32_t)block & (dram->banks - 1));
    uint64_t *open = &dram->open[((size_t)home * dram->channels + channel) * DRAM_CHANNEL_BANKS + bank];
    counts->banks[command][channel][bank / SIM_BANKS_MAX][bank % SIM_BANKS_MAX]++;
    if (*open == row)
        return;
    counts->activates[command][channel]++;
    counts->precharges[command][channel] += *open != 0;
    *open = row;
}
