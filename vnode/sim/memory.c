/* memory.c - home agents and memory channels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory.h"

/* Place of a line in memory; in high-bandwidth memory `channel` is NULL. */
struct memory_place {
    const struct dram_channel *channel;
    uint32_t index;  /* of the channel in its home */
    uint64_t number; /* of the line in its channel */
};

/* Inline like dram_access(): called for each line of a stream. */
static inline __attribute__((always_inline)) struct memory_place place_of(const struct sim *sim, uint32_t home,
                                                                          uint64_t line) {
    struct memory_place place = {0};
    if (home >= sim->numas) {
        place.index = (uint32_t)(line % sim->config.hbm_channels);
        return place;
    }
    place.number = divisor_divide(&sim->dram.channels[home], line, &place.index);
    place.channel = &sim->dram.channel[home * DRAM_CHANNELS + place.index];
    return place;
}

/* NULL: no agents, or high-bandwidth memory, which has none. */
static inline struct sim_agent_counts *agent_of(const struct memory_place *place) {
    return place->channel ? place->channel->agent : NULL;
}

static inline __attribute__((always_inline)) void dram_access(struct sim *sim, uint32_t home,
                                                              const struct memory_place *place,
                                                              enum dram_command command, int is_remote) {
    if (!place->channel) {
        sim->hbm[home - sim->numas].cas[command][place->index]++;
        return;
    }
    struct sim_memory_counts *counts = place->channel->counts;
    uint64_t *cas = command == DRAM_READ ? counts->cas_read : counts->cas_write;
    cas[place->index]++;
    counts->cas_second[command][place->index] += place->number & 1;
    if (is_remote)
        counts->cas_remote[command][place->index]++;
    dram_move(&sim->dram, place->channel, place->index, place->number, command);
}

void memory_send(struct sim *sim, uint32_t from, uint32_t to, uint64_t line) {
    if (from == to)
        return;
    uint64_t link = line % sim->config.links;
    sim->socket[from].counts->link_data_lines_out[link]++;
    sim->socket[to].counts->link_data_lines_in[link]++;
}

void memory_send_snoop(struct sim *sim, uint32_t from, uint32_t to, uint64_t line) {
    if (from == to)
        return;
    uint64_t link = line % sim->config.links;
    sim->socket[from].counts->link_snoops_out[link]++;
    sim->socket[to].counts->link_snoops_in[link]++;
}

void memory_answer(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, enum sim_answer answer) {
    struct memory_place place = place_of(sim, home, line);
    struct sim_agent_counts *agent = agent_of(&place);
    enum sim_distance distance = from == sim->socket_of_memory[home] ? DISTANCE_LOCAL : DISTANCE_REMOTE;
    if (agent)
        agent->answers[distance][answer]++;
}

static void send_read(struct sim *sim, uint32_t from, uint32_t to, uint64_t line) {
    if (from == to)
        return;
    uint64_t link = line % sim->config.links;
    sim->socket[from].counts->link_reads_out[link]++;
    sim->socket[to].counts->link_reads_in[link]++;
}

void memory_read(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int needs_memory) {
    struct memory_place place = place_of(sim, home, line);
    struct sim_agent_counts *agent = agent_of(&place);
    uint32_t at = sim->socket_of_memory[home];
    if (agent) {
        if (from == at)
            agent->requests_local_read++;
        else
            agent->requests_remote_read++;
        agent->reads += needs_memory != 0;
    }
    send_read(sim, from, at, line);
    if (!needs_memory)
        return;
    dram_access(sim, home, &place, DRAM_READ, from != at);
    memory_send(sim, at, from, line);
}

void memory_write(struct sim *sim, uint32_t home, uint64_t line, uint32_t from, int partial) {
    struct memory_place place = place_of(sim, home, line);
    struct sim_agent_counts *agent = agent_of(&place);
    uint32_t at = sim->socket_of_memory[home];
    if (agent) {
        if (from == at)
            agent->requests_local_write++;
        else
            agent->requests_remote_write++;
        agent->writes++;
        agent->writes_partial += partial != 0;
    }
    memory_send(sim, from, at, line);
    dram_access(sim, home, &place, DRAM_WRITE, from != at);
}
