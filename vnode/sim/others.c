/* others.c - snoops and fetches between domains.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "others.h"

#include "frames.h"
#include "memory.h"
#include "private.h"
#include "snoop.h"

/* The answer reported to the home. A modified line that is read is written back to memory (MESIF), through the
 * requester if there are more than two sockets: then it is transferred twice. */
static enum sim_answer answer_to(const struct sim *sim, const struct domain_answer *answer,
                                 enum snoop_purpose purpose) {
    int modified = answer->snoop == SNOOP_HITM;
    if (answer->snoop == SNOOP_MISS)
        return ANSWER_INVALID;
    if (purpose == SNOOP_FOR_READ && modified && sim->config.protocol == SIM_MESIF)
        return sim->config.sockets > 2 ? ANSWER_FORWARD_WRITEBACK : ANSWER_WRITEBACK;
    if (purpose == SNOOP_FOR_READ)
        return answer->forwards ? ANSWER_SHARED_FORWARD : ANSWER_SHARED;
    if (purpose == SNOOP_FOR_MEMORY)
        return modified ? ANSWER_WRITEBACK : ANSWER_INVALID;
    return purpose == SNOOP_FOR_OWNERSHIP && answer->forwards ? ANSWER_INVALID_FORWARD : ANSWER_INVALID;
}

struct others others_snoop(struct sim *sim, uint32_t from, uint64_t line, enum snoop_purpose purpose, int home) {
    struct others others = {SNOOP_NONE, 0, 0, 0};
    uint32_t asking = sim->domain[from].socket;
    for (uint32_t i = 0; i < sim->domains; i++) {
        if (i == from)
            continue;
        struct domain *domain = &sim->domain[i];
        memory_send_snoop(sim, asking, domain->socket, line);
        struct domain_answer answer =
            purpose == SNOOP_FOR_READ ? domain_snoop_read(domain, line) : domain_drop(domain, line, 1);
        if (home >= 0)
            memory_answer(sim, (uint32_t)home, line, asking, answer_to(sim, &answer, purpose));
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
    uint64_t page = frames_program_line(sim, line) >> (sim->page_shift - sim->line_shift);
    return home_of(&sim->homes, page, core->numa);
}

/* Whether a line that no cache supplies is read from memory. Not if it will be overwritten, as far as stores to the
 * lines before it show: write-allocate evasion. */
static inline int is_read(struct sim_core *core, uint64_t line, int ownership) {
    uint32_t evasion = core->sim->config.evasion;
    if (!ownership || !evasion)
        return 1;
    core->owned_lines = line == core->owned_line + 1 ? core->owned_lines + 1 : 0;
    core->owned_line = line;
    return core->owned_lines < evasion;
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

/* Fetches a line after a snoop of the other domains. Not inline, so that a node of one domain does not pay for it. */
static __attribute__((noinline)) struct arrival fetch_among_domains(struct sim_core *core, uint64_t line, uint32_t home,
                                                                    int ownership) {
    struct sim *sim = core->sim;
    uint32_t from = core->socket->number;
    enum snoop_purpose purpose = ownership ? SNOOP_FOR_OWNERSHIP : SNOOP_FOR_READ;
    struct others others = others_snoop(sim, core->domain->number, line, purpose, (int)home);
    int reads = is_read(core, line, ownership);
    memory_read(sim, home, line, from, reads && !others.forwards);
    enum source source = sim->socket_of_memory[home] == from ? SOURCE_LOCAL_DRAM : SOURCE_REMOTE_DRAM;
    if (others.forwards)
        source = forward(core, &others, line, ownership);
    return (struct arrival){state_of_arrival(sim, &others, ownership), source, others.snoop, home};
}

inline struct arrival others_fetch_alone(struct sim_core *core, uint64_t line, int ownership) {
    uint32_t home = home_for(core, line);
    memory_read(core->sim, home, line, 0, is_read(core, line, ownership)); /* a single domain implies a single socket */
    return (struct arrival){LINE_E, SOURCE_LOCAL_DRAM, SNOOP_NONE, home};
}

struct arrival others_fetch(struct sim_core *core, uint64_t line, int ownership) {
    if (core->sim->domains > 1)
        return fetch_among_domains(core, line, home_for(core, line), ownership);
    return others_fetch_alone(core, line, ownership);
}
