/* others.c - what is between the domains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "others.h"

#include "domain.h"
#include "memory.h"
#include "private.h"

struct others others_snoop(struct sim *sim, uint32_t from, uint64_t line, int ownership) {
    struct others others = {SNOOP_NONE, 0, 0, 0};
    for (uint32_t i = 0; i < sim->domains; i++) {
        if (i == from)
            continue;
        struct domain *domain = &sim->domain[i];
        struct domain_answer answer = ownership ? domain_drop(domain, line, 1) : domain_snoop_read(domain, line);
        others.snoop = stronger_snoop(others.snoop, answer.snoop);
        if (answer.snoop == SNOOP_HITM)
            others.home = answer.home;
        if (answer.forwards) {
            others.forwards = 1;
            others.forwarder = i;
        }
    }
    return others;
}

uint32_t home_for(struct sim_core *core, uint64_t line) {
    struct sim *sim = core->sim;
    return home_of(&sim->homes, line >> (sim->page_shift - sim->line_shift), core->numa);
}

static enum sim_line_state state_of_arrival(const struct sim *sim, const struct others *others, int ownership) {
    if (ownership)
        return others->snoop == SNOOP_HITM ? LINE_M : LINE_E;
    if (others->snoop < SNOOP_HIT)
        return LINE_E;
    return sim->config.protocol == SIM_MESIF ? LINE_F : LINE_S;
}

/* Another domain supplies the line. */
static enum source forward(struct sim_core *core, const struct others *others, uint64_t line, int ownership) {
    struct sim *sim = core->sim;
    uint32_t from = sim->domain[others->forwarder].socket, to = core->socket->number;
    int modified = others->snoop == SNOOP_HITM;
    memory_send(sim, from, to, line);
    if (modified && !ownership && sim->config.protocol == SIM_MESIF)
        memory_write(sim, others->home, line, from, 0);
    if (from == to)
        return modified ? SOURCE_SOCKET_HITM : SOURCE_SOCKET_FORWARD;
    return modified ? SOURCE_REMOTE_HITM : SOURCE_REMOTE_FORWARD;
}

/* With other domains: they are asked first. Apart, so that a node of one domain does not pay for what this needs. */
static __attribute__((noinline)) struct arrival fetch_among_domains(struct sim_core *core, uint64_t line, uint32_t home,
                                                                    int ownership) {
    struct sim *sim = core->sim;
    uint32_t from = core->socket->number;
    struct others others = others_snoop(sim, core->domain->number, line, ownership);
    memory_read(sim, home, line, from, !others.forwards);
    enum source source = sim->socket_of_numa[home] == from ? SOURCE_LOCAL_DRAM : SOURCE_REMOTE_DRAM;
    if (others.forwards)
        source = forward(core, &others, line, ownership);
    return (struct arrival){state_of_arrival(sim, &others, ownership), source, others.snoop, home};
}

struct arrival others_fetch(struct sim_core *core, uint64_t line, int ownership) {
    struct sim *sim = core->sim;
    uint32_t home = home_for(core, line);
    if (sim->domains > 1)
        return fetch_among_domains(core, line, home, ownership);
    memory_read(sim, home, line, 0, 1); /* one domain: one socket */
    return (struct arrival){LINE_E, SOURCE_LOCAL_DRAM, SNOOP_NONE, home};
}
