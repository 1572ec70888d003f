/* memory.c - home agents and memory channels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory.h"

enum dram_command { DRAM_READ, DRAM_WRITE };

static uint32_t channel_of(const struct sim *sim, uint64_t line) {
    uint32_t channels = sim->config.channels;
    if ((channels & (channels - 1)) == 0) /* spares the division where it can be spared */
        return (uint32_t)line & (channels - 1);
    return (uint32_t)(line % channels);
}

static struct sim_agent_counts *agent_of(struct sim *sim, uint32_t home, uint64_t line) {
    return &sim->socket[home].counts->agent[sim->agent_of_channel[channel_of(sim, line)]];
}

static void dram_access(struct sim *sim, uint32_t home, uint64_t line, enum dram_command command) {
    struct sim_socket_counts *counts = sim->socket[home].counts;
    uint64_t *cas = command == DRAM_READ ? counts->cas_read : counts->cas_write;
    cas[channel_of(sim, line)]++;
}

void memory_read(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int needs_memory) {
    struct sim_agent_counts *agent = agent_of(sim, home, line);
    if (from == home)
        agent->requests_local_read++;
    else
        agent->requests_remote_read++;
    if (!needs_memory)
        return;
    agent->reads++;
    dram_access(sim, home, line, DRAM_READ);
    if (from != home)
        sim->socket[home].counts->qpi_data_lines_out++;
}

void memory_write(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int partial) {
    struct sim_agent_counts *agent = agent_of(sim, home, line);
    if (from == home) {
        agent->requests_local_write++;
    } else {
        agent->requests_remote_write++;
        sim->socket[from].counts->qpi_data_lines_out++;
    }
    agent->writes++;
    if (partial)
        agent->writes_partial++;
    dram_access(sim, home, line, DRAM_WRITE);
}
