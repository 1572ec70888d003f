/* sim_reference_memory.h - part of sim_reference.h: homes of pages, home agents, channels, and links between sockets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_REFERENCE_MEMORY_H
#define ASSAY_TESTS_SIM_REFERENCE_MEMORY_H

#include "sim_reference_node.h"

/* The socket of a memory: those of all NUMA domains, then a second one of each. */
static inline uint32_t ref_socket_of(const struct reference *node, uint32_t memory) {
    return memory / node->config.numa_per_socket % node->config.sockets;
}

static inline int ref_is_hbm(const struct reference *node, uint32_t memory) {
    return memory / node->config.numa_per_socket >= node->config.sockets;
}

/* The page's entry; NULL if no core has touched it. */
static inline struct ref_home *ref_home_known(struct reference *node, uint64_t page) {
    for (uint32_t i = 0; i < node->pages; i++)
        if (node->home[i].page == page)
            return &node->home[i];
    return NULL;
}

static inline void ref_home_set(struct reference *node, uint64_t page, uint32_t numa) {
    struct ref_home *home = ref_home_known(node, page);
    if (!home && node->pages == REF_PAGES)
        abort();
    *(home ? home : &node->home[node->pages++]) = (struct ref_home){page, numa};
}

static inline void ref_home_forget(struct reference *node, uint64_t page) {
    struct ref_home *home = ref_home_known(node, page);
    if (home)
        *home = node->home[--node->pages];
}

/* The page's NUMA domain: that of the first core that touches it, if it has memory. */
static inline uint32_t ref_home_of(struct ref_core *core, uint64_t page) {
    uint32_t own = sim_numa_of(&core->node->config, core->number);
    if (!ref_home_known(core->node, page))
        ref_home_set(core->node, page, own < sim_memories(&core->node->config) ? own : 0);
    return ref_home_known(core->node, page)->numa;
}

static inline uint32_t ref_home_of_line(struct ref_core *core, uint64_t line) {
    return ref_home_of(core, line * core->node->config.line / core->node->config.page);
}

/* Sends a line of data from socket to socket. */
static inline void ref_send(struct reference *node, uint32_t from, uint32_t to, uint64_t line) {
    if (from != to) {
        node->counts->socket[from].link_data_lines_out[line % node->config.links]++;
        node->counts->socket[to].link_data_lines_in[line % node->config.links]++;
    }
}

/* A socket snoops another one. */
static inline void ref_send_snoop(struct reference *node, uint32_t from, uint32_t to, uint64_t line) {
    if (from != to) {
        node->counts->socket[from].link_snoops_out[line % node->config.links]++;
        node->counts->socket[to].link_snoops_in[line % node->config.links]++;
    }
}

/* A socket requests a line from another one's memory. */
static inline void ref_send_read(struct reference *node, uint32_t from, uint32_t to, uint64_t line) {
    if (from != to) {
        node->counts->socket[from].link_reads_out[line % node->config.links]++;
        node->counts->socket[to].link_reads_in[line % node->config.links]++;
    }
}

/* A channel of the home transfers a line for a socket; its bank's row is opened if needed. */
static inline void ref_dram(struct reference *node, uint32_t home, uint64_t line, uint32_t socket,
                            enum dram_command command) {
    const struct sim_config *config = &node->config;
    if (ref_is_hbm(node, home)) {
        uint32_t numa = home - config->sockets * config->numa_per_socket;
        node->counts->hbm[numa].cas[command][line % config->hbm_channels]++;
        return;
    }
    struct sim_memory_counts *counts = &node->counts->memory[home];
    uint32_t channels = sim_channels(config, ref_socket_of(node, home));
    uint64_t channel = line % channels, number = line / channels;
    *(command == DRAM_READ ? &counts->cas_read[channel] : &counts->cas_write[channel]) += 1;
    if (ref_socket_of(node, home) != socket)
        counts->cas_remote[command][channel]++;
    if (number % 2 == 1)
        counts->cas_second[command][channel]++;
    if (config->ranks == 0)
        return;
    uint64_t rows_before = number / (config->dram_row / config->line);
    uint64_t bank = rows_before % config->banks, rank = rows_before / config->banks % config->ranks;
    uint64_t row = rows_before / config->banks / config->ranks + 1;
    uint64_t *open = &node->open_row[home][channel][rank][bank];
    counts->banks[command][channel][rank][bank]++;
    if (*open != row) {
        counts->activates[command][channel]++;
        if (*open)
            counts->precharges[command][channel]++;
    }
    *open = row;
}

/* The home agent of the line, NULL if the node or the memory has none. */
static inline struct sim_agent_counts *ref_agent(struct reference *node, uint32_t home, uint64_t line) {
    uint64_t channel = line % sim_channels(&node->config, ref_socket_of(node, home));
    if (node->config.agents == 0 || ref_is_hbm(node, home))
        return NULL;
    return &node->counts->memory[home].agent[channel / (node->config.channels / node->config.agents)];
}

/* A socket requests a line from its home; memory is read if no cache supplies the line. */
static inline void ref_memory_read(struct reference *node, uint32_t home, uint64_t line, uint32_t socket, int needed) {
    int local = ref_socket_of(node, home) == socket;
    struct sim_agent_counts *agent = ref_agent(node, home, line);
    if (agent) {
        *(local ? &agent->requests_local_read : &agent->requests_remote_read) += 1;
        agent->reads += needed;
    }
    ref_send_read(node, socket, ref_socket_of(node, home), line);
    if (needed)
        ref_dram(node, home, line, socket, DRAM_READ);
    if (needed)
        ref_send(node, ref_socket_of(node, home), socket, line);
}

/* A socket sends a line, or a part of one, to its home. */
static inline void ref_memory_write(struct reference *node, uint32_t home, uint64_t line, uint32_t socket,
                                    int partial) {
    int local = ref_socket_of(node, home) == socket;
    struct sim_agent_counts *agent = ref_agent(node, home, line);
    if (agent) {
        *(local ? &agent->requests_local_write : &agent->requests_remote_write) += 1;
        agent->writes++;
        agent->writes_partial += partial;
    }
    ref_dram(node, home, line, socket, DRAM_WRITE);
    ref_send(node, socket, ref_socket_of(node, home), line);
}

#endif
