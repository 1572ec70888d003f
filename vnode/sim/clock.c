/* clock.c - the node's nominal clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cycles.h"
#include "sim.h"

/* Advances the uncore of the core's socket to the core's time. */
static void uncore_follow(const struct sim_core *core) {
    struct socket *socket = core->socket;
    if (core->clock.cycles <= socket->cycles)
        return;
    /* 128 bits: a core may idle for hours */
    unsigned __int128 passed = (unsigned __int128)(core->clock.cycles - socket->cycles) * socket->uncore_step;
    passed += socket->uncore_rest;
    socket->cycles = core->clock.cycles;
    socket->uncore_rest = (uint32_t)passed;
    socket->counts->uncore_cycles += (uint64_t)(passed >> 32);
}

void sim_retire(struct sim_core *core, uint32_t n) {
    struct clock *clock = &core->clock;
    core->total[CORE_INSTRUCTIONS] += n;
    if (core->pipeline) {
        uncore_follow(core);
        return;
    }
    uint64_t issue = clock->issue + (uint64_t)n * 4;
    if (issue < clock->per_cycle_x4) {
        clock->issue = (uint32_t)issue;
        return;
    }
    uint64_t cycles = issue / clock->per_cycle_x4;
    clock->issue = (uint32_t)(issue - cycles * clock->per_cycle_x4);
    clock_add(core, cycles);
    uncore_follow(core);
}

uint64_t sim_time(const struct sim *sim, uint32_t cpu) {
    const struct sim_core *core = &sim->cores[sim_core_of(&sim->config, cpu)];
    return core->cpu == cpu ? core->clock.cycles : sim->threads[cpu].clock.cycles;
}

void sim_idle(struct sim_core *core, uint64_t cycles) {
    core->clock.cycles += cycles;
    uncore_follow(core);
}
