/* uncore.c - the boxes of a socket's uncore. Bits: "Intel Xeon Processor E5 v3 Uncore Performance Monitoring".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "uncore.h"

#include <stdio.h>
#include <string.h>

#include "counter.h"

enum { CONTROL_RESET_SELECTS = 1 << 0, CONTROL_RESET_COUNTERS = 1 << 1, CONTROL_FREEZE = 1 << 8 };
enum {
    SELECT_RESET = 1 << 17,
    SELECT_EDGE = 1 << 18,
    SELECT_THREAD = 1 << 19, /* only the core named in filter 0 */
    SELECT_EXTENSION = 1 << 21,
    SELECT_ENABLE = 1 << 22,
    SELECT_INVERT = 1 << 23,
};

enum part { PART_CONTROL, PART_STATUS, PART_FILTER, PART_SELECT, PART_COUNTER };

/* A register: of box `instance` of kind `kind`. */
struct where {
    uint32_t kind, instance, index;
    enum part part;
    int high; /* upper half of a counter in PCI space */
};

/* The first instance of a kind of box that may own a register, -1: none. MSRs: by address; PCI: by device. */
static int instance_of(const struct pmu *pmu, const struct box_layout *box, int32_t device, uint32_t reg,
                       uint32_t *local) {
    uint32_t count = box_instances(box, &pmu->view.node->config), index = 0;
    *local = reg;
    if (box->pci != (device != 0))
        return -1;
    if (box->pci) {
        int first = table_device(pmu->table, box->device, pmu->view.node->likwid_version);
        if (first < 0 || device < first)
            return -1;
        index = (uint32_t)(device - first);
    } else {
        if (reg < box->base)
            return -1;
        index = box->step ? (reg - box->base) / box->step : 0;
        *local = reg - box->base - index * box->step;
    }
    int is_gone = fault_removes(pmu->faults, pmu->table, (int32_t)(box - pmu->table->box), index);
    return index < count && !is_gone ? (int)index : -1;
}

static int find_part(const struct box_layout *box, uint32_t reg, struct where *out) {
    if (box->has_control && reg == box->control) {
        out->part = PART_CONTROL;
        return 1;
    }
    if (box->has_status && reg == box->status) {
        out->part = PART_STATUS;
        return 1;
    }
    for (uint32_t i = 0; i < box->filters; i++)
        if (reg == box->filter[i]) {
            out->part = PART_FILTER;
            out->index = i;
            return 1;
        }
    for (uint32_t i = 0; i < box->counters; i++) {
        int high = box->pci && reg == box->counter[i] + 4;
        if (reg == box->select[i] || reg == box->counter[i] || high) {
            out->part = reg == box->select[i] ? PART_SELECT : PART_COUNTER;
            out->index = i;
            out->high = high;
            return 1;
        }
    }
    return 0;
}

static int locate(const struct pmu *pmu, int32_t device, uint32_t reg, struct where *out) {
    for (uint32_t kind = 0; kind < pmu->table->boxes; kind++) {
        const struct box_layout *box = &pmu->table->box[kind];
        uint32_t local;
        int instance = instance_of(pmu, box, device, reg, &local);
        *out = (struct where){.kind = kind, .instance = (uint32_t)instance};
        if (instance >= 0 && find_part(box, local, out))
            return 1;
    }
    return 0;
}

int uncore_has_device(const struct pmu *pmu, int32_t device) {
    uint32_t local;
    for (uint32_t kind = 0; device > 0 && kind < pmu->table->boxes; kind++)
        if (instance_of(pmu, &pmu->table->box[kind], device, 0, &local) >= 0)
            return 1;
    return 0;
}

static uint32_t selected_states(const struct box_layout *box, const struct box_state *state) {
    uint32_t states = 0;
    for (uint32_t i = 0; box->states_filter >= 0 && i < box->states; i++)
        if (state->filter[box->states_filter] >> (box->states_bit + i) & 1)
            states |= 1u << box->state_order[i];
    return states;
}

static uint32_t select_code(uint64_t select) {
    return (uint32_t)(select & 0xff) | (select & SELECT_EXTENSION ? 0x100 : 0);
}

/* The formula that a select counts (NULL in `out`: nothing ever), or why it cannot. */
static const char *select_use(const struct pmu *pmu, const struct box_layout *box, uint64_t select,
                              const struct formula **out) {
    uint32_t threshold = select >> 24 & 0xff;
    const struct table_event *event = table_event(pmu->table, box->unit, select_code(select), select >> 8 & 0xff);
    *out = NULL;
    if (!event)
        return "event is not modelled";
    if (select & SELECT_THREAD)
        return "filtering by core is not modelled";
    if ((select & SELECT_EDGE) || (threshold && !event->cycles))
        return "threshold, edge and invert are modelled for cycles only";
    if (cycle_condition(threshold, (select & SELECT_INVERT) != 0))
        *out = &event->formula;
    return NULL;
}

static void overflow(const struct box_layout *box, struct socket_state *owner, struct box_state *state,
                     uint32_t instance, uint32_t counter) {
    state->status |= UINT64_C(1) << (box->status_bit + counter);
    if (box->overflow_bit >= 0)
        owner->freeze_status |= UINT64_C(1) << ((uint32_t)box->overflow_bit + instance / box->overflow_group);
}

static struct counter_id counter_at(const struct where *at) {
    return (struct counter_id){(int32_t)at->kind, at->instance, at->index};
}

/* How a counter is programmed. One that counts nothing is not hit by faults: its register must read zero. */
static struct programmed programmed(const struct pmu *pmu, uint32_t socket, const struct where *where) {
    const struct box_layout *box = &pmu->table->box[where->kind];
    uint64_t select = pmu->state->socket[socket].box[where->kind][where->instance].select[where->index];
    struct programmed at = {.faults = select & SELECT_ENABLE ? pmu->faults : NULL,
                            .counter = counter_at(where),
                            .event = {.code = select_code(select), .umask = (uint32_t)(select >> 8 & 0xff)},
                            .place = socket};
    memcpy(at.event.unit, box->unit, sizeof at.event.unit);
    return at;
}

/* Brings the counters of a box up to date; then, if `restart`, lets those run that the registers now enable. */
static void synchronise(struct pmu *pmu, uint32_t socket, uint32_t kind, uint32_t instance, int restart) {
    const struct box_layout *box = &pmu->table->box[kind];
    struct socket_state *owner = &pmu->state->socket[socket];
    struct box_state *state = &owner->box[kind][instance];
    struct place place = {.socket = socket, .instance = instance};
    int frozen = owner->frozen || (state->control & CONTROL_FREEZE);
    node_lock(pmu->view.node);
    for (uint32_t i = 0; i < box->counters; i++) {
        int enabled = !frozen && (state->select[i] & SELECT_ENABLE);
        const struct formula *formula;
        if (!state->counter[i].running && !(restart && enabled))
            continue;
        struct programmed at = programmed(pmu, socket, &(struct where){.kind = kind, .instance = instance, .index = i});
        int counts = select_use(pmu, box, state->select[i], &formula) == NULL;
        const struct formula *other = fault_swap(&at);
        formula = other ? other : formula;
        uint64_t now = formula ? formula_value(formula, &pmu->view, &place, selected_states(box, state)) : 0;
        if (restart)
            counter_run(&state->counter[i], &at, enabled && counts, now);
        else if (counter_update(&state->counter[i], &at, now))
            overflow(box, owner, state, instance, i);
    }
    node_unlock(pmu->view.node);
}

static void synchronise_socket(struct pmu *pmu, uint32_t socket, int restart) {
    for (uint32_t kind = 0; kind < pmu->table->boxes; kind++)
        for (uint32_t i = 0; i < box_instances(&pmu->table->box[kind], &pmu->view.node->config); i++)
            synchronise(pmu, socket, kind, i, restart);
}

static enum pmu_answer write_freeze(struct pmu *pmu, uint32_t socket, uint64_t data) {
    struct socket_state *state = &pmu->state->socket[socket];
    synchronise_socket(pmu, socket, 0);
    state->freeze_control = data;
    if (data >> pmu->table->freeze_bit & 1)
        state->frozen = 1;
    else if (data >> pmu->table->unfreeze_bit & 1)
        state->frozen = 0;
    synchronise_socket(pmu, socket, 1);
    return PMU_OK;
}

static void write_counter(struct counter *counter, const struct programmed *at, int pci, int high, uint64_t data) {
    uint64_t low_half = UINT64_C(0xffffffff), old = counter_value(counter, at);
    if (!pci)
        counter_write(counter, data);
    else if (high)
        counter_write(counter, (old & low_half) | data << 32);
    else
        counter_write(counter, (old & ~low_half) | (data & low_half));
}

static void write_box_control(struct box_state *state, uint64_t data) {
    state->control = data & ~(uint64_t)(CONTROL_RESET_SELECTS | CONTROL_RESET_COUNTERS);
    if (data & CONTROL_RESET_SELECTS)
        memset(state->select, 0, sizeof state->select);
    for (int i = 0; (data & CONTROL_RESET_COUNTERS) && i < BOX_COUNTERS; i++)
        counter_write(&state->counter[i], 0);
}

static int denied(const struct pmu *pmu, const struct where *at) {
    char name[32];
    struct counter_id id = counter_at(at);
    if (at->part != PART_SELECT && at->part != PART_COUNTER)
        return 0;
    counter_name(pmu->table, &id, name, sizeof name);
    return fault_denies(pmu->faults, &id) || (at->part == PART_SELECT && is_denied(pmu->denied, name));
}

enum pmu_answer uncore_read(struct pmu *pmu, int32_t device, uint32_t socket, uint32_t reg, uint64_t *data) {
    struct where at;
    if (device != 0 && !uncore_has_device(pmu, device))
        return PMU_NO_DEVICE;
    if (device == 0 && reg == pmu->table->freeze_register) {
        *data = pmu->state->socket[socket].freeze_control;
        return PMU_OK;
    }
    if (device == 0 && reg == pmu->table->freeze_status) {
        *data = pmu->state->socket[socket].freeze_status;
        return PMU_OK;
    }
    if (!locate(pmu, device, reg, &at))
        return PMU_NO_REGISTER;
    if (denied(pmu, &at))
        return PMU_RESTRICTED;
    struct box_state *state = &pmu->state->socket[socket].box[at.kind][at.instance];
    if (at.part == PART_COUNTER || at.part == PART_STATUS)
        synchronise(pmu, socket, at.kind, at.instance, 0);
    struct programmed programming = programmed(pmu, socket, &at);
    uint64_t value = counter_value(&state->counter[at.index], &programming);
    const uint64_t parts[] = {state->control, state->status, state->filter[at.index], state->select[at.index],
                              value >> (at.high ? 32 : 0)};
    *data = device ? parts[at.part] & 0xffffffff : parts[at.part];
    return PMU_OK;
}

enum pmu_answer uncore_write(struct pmu *pmu, int32_t device, uint32_t socket, uint32_t reg, uint64_t data) {
    struct where at;
    if (device != 0 && !uncore_has_device(pmu, device))
        return PMU_NO_DEVICE;
    if (device == 0 && reg == pmu->table->freeze_register)
        return write_freeze(pmu, socket, data);
    if (device == 0 && reg == pmu->table->freeze_status) {
        pmu->state->socket[socket].freeze_status &= ~data;
        return PMU_OK;
    }
    if (!locate(pmu, device, reg, &at))
        return PMU_NO_REGISTER;
    if (denied(pmu, &at))
        return PMU_RESTRICTED;
    const struct box_layout *box = &pmu->table->box[at.kind];
    struct box_state *state = &pmu->state->socket[socket].box[at.kind][at.instance];
    synchronise(pmu, socket, at.kind, at.instance, 0);
    if (at.part == PART_CONTROL) {
        write_box_control(state, data);
    } else if (at.part == PART_STATUS) {
        state->status &= ~data;
    } else if (at.part == PART_FILTER) {
        state->filter[at.index] = data;
    } else if (at.part == PART_COUNTER) {
        struct programmed programming = programmed(pmu, socket, &at);
        write_counter(&state->counter[at.index], &programming, box->pci, at.high, data);
    } else {
        struct programmed programming = programmed(pmu, socket, &at);
        counter_run(&state->counter[at.index], &programming, 0, 0); /* what it counted was another event's */
        state->select[at.index] = data & ~(uint64_t)SELECT_RESET;
        if (data & SELECT_RESET)
            counter_write(&state->counter[at.index], 0);
    }
    synchronise(pmu, socket, at.kind, at.instance, 1);
    const struct formula *formula;
    const char *reason = at.part == PART_SELECT && (data & SELECT_ENABLE) ? select_use(pmu, box, data, &formula) : NULL;
    if (reason) {
        char name[32];
        struct counter_id id = counter_at(&at);
        counter_name(pmu->table, &id, name, sizeof name);
        report_not_counted(pmu, name, data, reason);
    }
    return PMU_OK;
}
