/* dram.c - ranks, banks and rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "dram.h"

static uint32_t bits_of(uint32_t power_of_two) {
    return (uint32_t)__builtin_ctz(power_of_two);
}

size_t dram_bytes(const struct sim_config *config) {
    size_t rows = config->ranks ? DRAM_CHANNEL_BANKS * sizeof(uint64_t) : 0;
    return sim_numas(config) * DRAM_CHANNELS * (sizeof(struct dram_channel) + rows);
}

static void init_domain(struct dram *dram, uint32_t numa, uint64_t *open, const struct sim_config *config) {
    uint32_t channels = sim_channels(config, numa / config->numa_per_socket);
    dram->channels[numa] = divisor_of(channels ? channels : 1);
    for (uint32_t i = 0; i < channels && config->ranks; i++)
        dram->channel[numa * DRAM_CHANNELS + i].open = open + (numa * DRAM_CHANNELS + i) * DRAM_CHANNEL_BANKS;
}

void dram_init(struct dram *dram, void *memory, const struct sim_config *config) {
    dram->channel = memory;
    void *open = dram->channel + sim_numas(config) * DRAM_CHANNELS;
    for (uint32_t numa = 0; numa < sim_numas(config); numa++)
        init_domain(dram, numa, open, config);
    if (config->ranks == 0)
        return;
    dram->column_bits = bits_of(config->dram_row / config->line);
    dram->bank_mask = config->banks - 1;
    dram->rank_mask = (config->ranks - 1) * SIM_BANKS_MAX;
    dram->rank_shift = DRAM_BANK_BITS - bits_of(config->banks);
}

void dram_count_in(struct dram *dram, const struct sim_config *config, struct sim_memory_counts *counts) {
    for (uint32_t numa = 0; numa < sim_numas(config); numa++, counts++)
        for (uint32_t i = 0; i < config->channels; i++) {
            struct dram_channel *channel = &dram->channel[numa * DRAM_CHANNELS + i];
            channel->counts = counts;
            channel->agent = config->agents ? &counts->agent[i / (config->channels / config->agents)] : NULL;
            for (int command = 0; command < DRAM_COMMANDS; command++)
                channel->moved[command] = counts->banks[command][i][0];
        }
}
