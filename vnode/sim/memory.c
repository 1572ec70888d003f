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

/* NULL: there are no agents. Inline like dram_access(): each line of a stream comes here. */
static inline __attribute__((always_inline)) struct sim_agent_counts *agent_of(struct sim *sim, uint32_t home,
                                                                               uint64_t line) {
    if (sim->config.agents == 0)
        return NULL;
    return &sim->memory[home].agent[sim->agent_of_channel[channel_of(sim, line)]];
}

static inline __attribute__((always_inline)) void dram_access(struct sim *sim, uint32_t home, uint64_t line,
                                                              enum dram_command command) {
    struct sim_memory_counts *counts = &sim->memory[home];
    uint64_t *cas = command == DRAM_READ ? counts->cas_read : counts->cas_write;
    cas[channel_of(sim, line)]++;
}

void memory_send(struct sim *sim, uint32_t from, uint32_t to, uint64_t line) {
    if (from != to)
        sim->socket[from].counts->link_data_lines_out[line % sim->config.links]++;
}

void memory_read(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int needs_memory) {
    struct sim_agent_counts *agent = agent_of(sim, home, line);
    uint32_t at = sim->socket_of_numa[home];
    if (agent) {
        if (from == at)
            agent->requests_local_read++;
        else
            agent->requests_remote_read++;
        agent->reads += needs_memory != 0;
    }
    if (!needs_memory)
        return;
    dram_access(sim, home, line, DRAM_READ);
    memory_send(sim, at, from, line);
}

void memory_write(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int partial) {
    struct sim_agent_counts *agent = agent_of(sim, home, line);
    uint32_t at = sim->socket_of_numa[home];
    if (agent) {
        if (from == at)
            agent->requests_local_write++;
        else
            agent->requests_remote_write++;
        agent->writes++;
        agent->writes_partial += partial != 0;
    }
    memory_send(sim, from, at, line);
    dram_access(sim, home, line, DRAM_WRITE);
}
