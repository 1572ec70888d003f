/* uncore.c - the boxes of the uncore. Bits: "Intel Xeon Processor E5 v3 Uncore Performance Monitoring".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "uncore.h"

#include <string.h>

#include "box_use.h"
#include "counter.h"

/* Bits of a box's control. */
struct control {
    uint64_t freeze, reset_selects, reset_counters;
};

enum { SELECT_RESET = 1 << 17 }; /* Intel's boxes */
#define LOW_HALF UINT64_C(0xffffffff)

enum part { PART_CONTROL, PART_STATUS, PART_FILTER, PART_SELECT, PART_COUNTER };

/* A box: `index` among its kind on a socket. */
struct box {
    uint32_t kind, socket, index;
};

/* A register of a box; `number`: of the filter, select or counter. */
struct where {
    struct box box;
    enum part part;
    uint32_t number;
    int high; /* upper half of a counter in PCI space */
};

static const struct sim_config *config_of(const struct pmu *pmu) {
    return &pmu->view.node->config;
}

static const struct box_layout *layout_of(const struct pmu *pmu, const struct box *box) {
    return &pmu->table->box[box->kind];
}

static struct place place_of(const struct pmu *pmu, const struct box *box) {
    struct place socket = {.socket = box->socket};
    return scope_part(config_of(pmu), SCOPE_SOCKET, &socket, (enum scope)layout_of(pmu, box)->scope, box->index);
}

static const struct control *control_of(const struct box_layout *box) {
    static const struct control early = {1 << 8, 1 << 0, 1 << 1}, found = {1 << 0, 1 << 8, 1 << 9};
    return box->layout == SELECT_BOX_FOUND ? &found : &early;
}

/* Boxes of all kinds before number `kind`. */
static uint32_t boxes_before(const struct pmu_table *table, const struct sim_config *config, uint32_t kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < kind; i++)
        count += config->sockets * box_places(&table->box[i], config);
    return count;
}

uint32_t uncore_boxes(const struct pmu_table *table, const struct sim_config *config) {
    return boxes_before(table, config, table->boxes);
}

static struct box_state *state_of(const struct pmu *pmu, const struct box *box) {
    uint32_t places = box_places(layout_of(pmu, box), config_of(pmu));
    return &pmu->state->box[boxes_before(pmu->table, config_of(pmu), box->kind) + box->socket * places + box->index];
}

/* ---- which register an address is ---- */

/* Whether the socket has instance `index` of a kind of box: not one that a fault removes, nor the box of a channel that
 * only other sockets have, unless such boxes are ghosts. */
static int has_instance(const struct pmu *pmu, const struct box_layout *layout, uint32_t socket, uint32_t index) {
    struct box box = {(uint32_t)(layout - pmu->table->box), socket, index};
    if (fault_removes(pmu->faults, pmu->table, (int32_t)box.kind, index))
        return 0;
    return layout->scope != SCOPE_CHANNEL || pmu->view.node->ghost_boxes ||
           place_of(pmu, &box).instance < sim_channels(config_of(pmu), socket);
}

/* The instance of a kind of box with that device on the socket, -1: none. */
static int instance_of_device(const struct pmu *pmu, const struct box_layout *box, uint32_t socket, int32_t device) {
    uint32_t count = box_instances(box, config_of(pmu));
    for (uint32_t i = 0; box->space != SPACE_MSR && i < count; i++)
        if (table_device(pmu->table, box->device, pmu->view.node->likwid_version, i) == device)
            return has_instance(pmu, box, socket, i) ? (int)i : -1;
    return -1;
}

/* The instance of a kind of box on the socket that may have a model specific register, -1: none. `local`: its address
 * within the instance. */
static int instance_of_msr(const struct pmu *pmu, const struct box_layout *box, uint32_t socket, uint32_t reg,
                           uint32_t *local) {
    uint32_t first = 0, base = box->base, instances = box_instances(box, config_of(pmu));
    for (uint32_t i = 0; box->space == SPACE_MSR && i <= box->gaps; i++) {
        uint32_t end = i < box->gaps ? box->gap[i].first : instances; /* of those that begin at `base` */
        uint32_t index = first + (box->step && reg >= base ? (reg - base) / box->step : 0);
        if (reg >= base && index < end && index < instances) {
            *local = reg - base - (index - first) * box->step;
            return has_instance(pmu, box, socket, index) ? (int)index : -1;
        }
        if (i < box->gaps) {
            first = end;
            base = box->gap[i].base;
        }
    }
    return -1;
}

/* Index in the socket of the domain's or core's box, as seen by core `cpu`. */
static uint32_t own_index(const struct pmu *pmu, enum scope scope, uint32_t cpu) {
    const struct sim_config *config = config_of(pmu);
    if (scope == SCOPE_CORE) /* second hardware threads follow the first ones of all cores */
        return cpu % config->cores_per_socket + cpu / sim_cores(config) * config->cores_per_socket;
    return sim_domain_of(config, cpu) % config->domains_per_socket;
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
            out->number = i;
            return 1;
        }
    for (uint32_t i = 0; i < box->counters; i++) {
        int high = box->space == SPACE_PCI && reg == box->counter[i] + 4,
            select = !box->always && reg == box->select[i];
        if (select || reg == box->counter[i] || high) {
            out->part = select ? PART_SELECT : PART_COUNTER;
            out->number = i;
            out->high = high;
            return 1;
        }
    }
    return 0;
}

/* `cpu`: a socket's number if there is a device. */
static uint32_t socket_of(const struct pmu *pmu, int32_t device, uint32_t cpu) {
    return device ? cpu : sim_socket_of(config_of(pmu), cpu);
}

static int locate(const struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, struct where *out) {
    uint32_t socket = socket_of(pmu, device, cpu);
    for (uint32_t kind = 0; kind < pmu->table->boxes; kind++) {
        const struct box_layout *box = &pmu->table->box[kind];
        uint32_t local = reg;
        int instance =
            device ? instance_of_device(pmu, box, socket, device) : instance_of_msr(pmu, box, socket, reg, &local);
        if (instance < 0)
            continue;
        int is_own = box->scope == SCOPE_CORE || box->scope == SCOPE_DOMAIN;
        uint32_t index = is_own ? own_index(pmu, (enum scope)box->scope, cpu) : (uint32_t)instance;
        *out = (struct where){.box = {.kind = kind, .socket = socket, .index = index}};
        if (find_part(box, local, out))
            return boxes_before(pmu->table, config_of(pmu), kind + 1) <= PMU_BOXES;
    }
    return 0;
}

/* The device of the registers that freeze a socket's boxes, 0: none, they are model specific. */
static int32_t freeze_device(const struct pmu *pmu) {
    const char *name = pmu->table->freeze_device;
    return *name ? table_device(pmu->table, name, pmu->view.node->likwid_version, 0) : 0;
}

int uncore_has_device(const struct pmu *pmu, uint32_t socket, int32_t device) {
    if (device > 0 && device == freeze_device(pmu))
        return 1;
    for (uint32_t kind = 0; device > 0 && kind < pmu->table->boxes; kind++)
        if (instance_of_device(pmu, &pmu->table->box[kind], socket, device) >= 0)
            return 1;
    return 0;
}

/* ---- counting ---- */

static uint64_t select_value(const struct box_layout *box, const struct box_state *state, uint32_t number) {
    return box->always ? box->select[number] : state->select[number];
}

static void overflow(struct pmu *pmu, const struct box *box, uint32_t counter) {
    const struct box_layout *layout = layout_of(pmu, box);
    state_of(pmu, box)->status |= UINT64_C(1) << (layout->status_bit + counter);
    if (layout->overflow_bit < 0)
        return;
    uint32_t bit = (uint32_t)layout->overflow_bit + box->index / layout->overflow_group;
    if (bit < 64)
        pmu->state->socket[box->socket].freeze_status |= UINT64_C(1) << bit;
}

/* Names and faults do not distinguish boxes of the same kind in different domains or cores. */
static struct counter_id counter_at(const struct pmu *pmu, const struct box *box, uint32_t number) {
    int is_named = box_instances(layout_of(pmu, box), config_of(pmu)) > 1;
    return (struct counter_id){(int32_t)box->kind, is_named ? box->index : 0, number};
}

/* How a counter is programmed. Faults do not apply to a counter without event: its register must read zero. */
static struct programmed programmed(const struct pmu *pmu, const struct box *box, uint32_t number) {
    const struct box_layout *layout = layout_of(pmu, box);
    struct selection s =
        select_decode((enum select_layout)layout->layout, select_value(layout, state_of(pmu, box), number));
    struct place place = place_of(pmu, box);
    struct programmed at = {.faults = s.enabled ? pmu->faults : NULL,
                            .counter = counter_at(pmu, box, number),
                            .event = {.code = s.code, .umask = s.umask},
                            .place = layout->scope == SCOPE_DOMAIN ? place.domain
                                     : layout->scope == SCOPE_CORE ? place.core
                                                                   : box->socket,
                            .socket = box->socket,
                            .bits = layout->width,
                            .hz = (double)config_of(pmu)->uncore_hz};
    memcpy(at.event.unit, layout->unit, sizeof at.event.unit);
    return at;
}

static int box_is_frozen(const struct pmu *pmu, const struct box *box) {
    const struct pmu_table *table = pmu->table;
    const struct socket_state *socket = &pmu->state->socket[box->socket];
    if (layout_of(pmu, box)->always)
        return 0;
    if (table->freeze_register && table->freeze_bit == table->unfreeze_bit)
        return !(socket->freeze_control >> table->freeze_bit & 1);
    return socket->frozen || (state_of(pmu, box)->control & control_of(layout_of(pmu, box))->freeze);
}

/* Whether a counter of the box runs, or the registers enable one. */
static int is_counting(const struct pmu *pmu, const struct box *box) {
    const struct box_layout *layout = layout_of(pmu, box);
    const struct box_state *state = state_of(pmu, box);
    for (uint32_t i = 0; i < layout->counters; i++)
        if (state->counter[i].running ||
            (!box_is_frozen(pmu, box) &&
             select_decode((enum select_layout)layout->layout, select_value(layout, state, i)).enabled))
            return 1;
    return 0;
}

/* What a counter counts with its faults; NULL, or why it cannot count. */
static const char *fault_use(const struct pmu *pmu, const struct programmed *at, const struct box_layout *box,
                             const struct box_state *state, uint64_t select, struct box_use *use) {
    int ignores = fault_unfilters(at), other = fault_swap(at);
    uint64_t heeded = ignores ? select_unconditional((enum select_layout)box->layout, select) : select;
    const char *wrong = box_use_of(pmu->table, box, heeded, state->filter, use);
    if (ignores)
        use->filter = (struct total_filter){UINT32_MAX, UINT32_MAX};
    if (other >= 0)
        use->formula = pmu->table->event[other].formula;
    return wrong;
}

/* The place whose events a counter of the box shows: with a fault, another box's or socket's. */
static struct place counted_place(const struct pmu *pmu, const struct programmed *at, const struct box *box) {
    const struct fault *mirror = fault_mirror(at);
    struct box shown = *box;
    if (mirror && mirror->target == FAULT_SOCKET)
        shown.socket = mirror->other;
    else if (mirror)
        shown.index = mirror->other;
    return place_of(pmu, &shown);
}

/* Updates the counters of a box; then, if `restart`, starts those that the registers now enable. */
static void synchronise(struct pmu *pmu, const struct box *box, int restart) {
    const struct box_layout *layout = layout_of(pmu, box);
    struct box_state *state = state_of(pmu, box);
    int frozen = box_is_frozen(pmu, box);
    if (!is_counting(pmu, box))
        return;
    moment_take(&pmu->view);
    node_lock(pmu->view.node);
    for (uint32_t i = 0; i < layout->counters; i++) {
        uint64_t select = select_value(layout, state, i);
        int enabled = !frozen && select_decode((enum select_layout)layout->layout, select).enabled;
        struct box_use use;
        if (!state->counter[i].running && !(restart && enabled))
            continue;
        struct programmed at = programmed(pmu, box, i);
        if (at.faults && at.faults->noise) /* nothing else needs the time */
            at.now = uncore_cycles(&pmu->view, box->socket);
        int counts = fault_use(pmu, &at, layout, state, select, &use) == NULL;
        struct place place = counted_place(pmu, &at, box);
        uint64_t now = formula_value(&use.formula, &pmu->view, (enum scope)layout->scope, &place, &use.filter);
        if (restart && !state->counter[i].running)
            moment_uses(pmu->view.moment, counter_key(pmu, &state->counter[i], 0));
        if (restart)
            counter_run(&state->counter[i], &at, enabled && counts, now);
        else if (counter_update(&state->counter[i], &at, now))
            overflow(pmu, box, i);
    }
    node_unlock(pmu->view.node);
}

/* Before a write that may stop counter number `only` of a box (-1: all). */
static void prepare_stop(struct pmu *pmu, const struct box *box, int only) {
    const struct box_state *state = state_of(pmu, box);
    for (uint32_t i = 0; i < layout_of(pmu, box)->counters; i++)
        if (state->counter[i].running && (only < 0 || only == (int)i))
            moment_stops(pmu->view.moment, counter_key(pmu, &state->counter[i], 0));
}

static void for_each_box(struct pmu *pmu, uint32_t socket, void (*act)(struct pmu *, const struct box *, int),
                         int how) {
    uint32_t kinds = pmu->table->boxes;
    for (uint32_t kind = 0; kind < kinds && boxes_before(pmu->table, config_of(pmu), kind + 1) <= PMU_BOXES; kind++)
        for (uint32_t i = 0; i < box_places(&pmu->table->box[kind], config_of(pmu)); i++)
            act(pmu, &(struct box){.kind = kind, .socket = socket, .index = i}, how);
}

static enum pmu_answer write_freeze(struct pmu *pmu, uint32_t socket, uint64_t data) {
    struct socket_state *state = &pmu->state->socket[socket];
    for_each_box(pmu, socket, prepare_stop, -1);
    for_each_box(pmu, socket, synchronise, 0);
    state->freeze_control = data;
    if (data >> pmu->table->freeze_bit & 1)
        state->frozen = 1;
    else if (pmu->table->unfreeze_bit == WHILE_SET || (data >> pmu->table->unfreeze_bit & 1))
        state->frozen = 0;
    for_each_box(pmu, socket, synchronise, 1);
    return PMU_OK;
}

/* ---- access ---- */

static void write_counter(struct counter *counter, const struct programmed *at, int halves, int high, uint64_t data) {
    uint64_t old = counter_value(counter, at);
    if (!halves)
        counter_write(counter, data, at->bits);
    else if (high)
        counter_write(counter, (old & LOW_HALF) | data << 32, at->bits);
    else
        counter_write(counter, (old & ~LOW_HALF) | (data & LOW_HALF), at->bits);
}

static void write_box_control(const struct box_layout *layout, struct box_state *state, uint64_t data) {
    const struct control *bits = control_of(layout);
    state->control = data & ~(bits->reset_selects | bits->reset_counters);
    if (data & bits->reset_selects)
        memset(state->select, 0, sizeof state->select);
    for (int i = 0; (data & bits->reset_counters) && i < BOX_COUNTERS; i++)
        counter_write(&state->counter[i], 0, layout->width);
}

static void write_select(struct pmu *pmu, const struct where *at, uint64_t data) {
    struct box_state *state = state_of(pmu, &at->box);
    const struct box_layout *layout = layout_of(pmu, &at->box);
    struct programmed programming = programmed(pmu, &at->box, at->number);
    int resets = layout->layout == SELECT_BOX_INTEL && (data & SELECT_RESET);
    counter_run(&state->counter[at->number], &programming, 0, 0); /* the old count belonged to another event */
    state->select[at->number] = resets ? data & ~(uint64_t)SELECT_RESET : data;
    if (resets)
        counter_write(&state->counter[at->number], 0, layout->width);
}

static void write_part(struct pmu *pmu, const struct where *at, uint64_t data) {
    struct box_state *state = state_of(pmu, &at->box);
    const struct box_layout *layout = layout_of(pmu, &at->box);
    if (at->part == PART_CONTROL) {
        write_box_control(layout, state, data);
    } else if (at->part == PART_STATUS) {
        state->status &= ~data;
    } else if (at->part == PART_FILTER) {
        state->filter[at->number] = data;
    } else if (at->part == PART_SELECT) {
        write_select(pmu, at, data);
    } else {
        struct programmed programming = programmed(pmu, &at->box, at->number);
        write_counter(&state->counter[at->number], &programming, layout->space == SPACE_PCI, at->high, data);
    }
}

static void report_select(const struct pmu *pmu, const struct where *at, uint64_t select) {
    char name[32];
    struct box_use use;
    const struct box_layout *layout = layout_of(pmu, &at->box);
    struct counter_id id = counter_at(pmu, &at->box, at->number);
    if (!select_decode((enum select_layout)layout->layout, select).enabled)
        return;
    const char *reason = box_use_of(pmu->table, layout, select, state_of(pmu, &at->box)->filter, &use);
    counter_name(pmu->table, &id, name, sizeof name);
    if (reason)
        report_not_counted(pmu, name, select, reason);
}

static int denied(const struct pmu *pmu, const struct where *at) {
    struct counter_id id = counter_at(pmu, &at->box, at->number);
    if (at->part != PART_SELECT && at->part != PART_COUNTER)
        return 0;
    return fault_denies(pmu->faults, &id);
}

/* The registers that freeze a socket's boxes. */
static int is_freeze(const struct pmu *pmu, int32_t device, uint32_t reg) {
    return pmu->table->freeze_register != 0 && device == freeze_device(pmu) &&
           (reg == pmu->table->freeze_register || reg == pmu->table->freeze_status);
}

enum pmu_answer uncore_read(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t *data) {
    struct where at;
    if (device != 0 && !uncore_has_device(pmu, cpu, device))
        return PMU_NO_DEVICE;
    if (is_freeze(pmu, device, reg)) {
        const struct socket_state *socket = &pmu->state->socket[socket_of(pmu, device, cpu)];
        *data = reg == pmu->table->freeze_register ? socket->freeze_control : socket->freeze_status;
        return PMU_OK;
    }
    if (!locate(pmu, device, cpu, reg, &at))
        return PMU_NO_REGISTER;
    if (denied(pmu, &at))
        return PMU_RESTRICTED;
    const struct box_state *state = state_of(pmu, &at.box);
    uint32_t key = counter_key(pmu, &state->counter[at.number], at.high);
    if (at.part == PART_COUNTER)
        moment_stops(pmu->view.moment, key);
    if (at.part == PART_COUNTER || at.part == PART_STATUS)
        synchronise(pmu, &at.box, 0);
    if (at.part == PART_COUNTER && layout_of(pmu, &at.box)->always)
        synchronise(pmu, &at.box, 1); /* the first reading starts it */
    if (at.part == PART_COUNTER)
        moment_uses(pmu->view.moment, key);
    struct programmed programming = programmed(pmu, &at.box, at.number);
    uint64_t value = at.part == PART_COUNTER ? counter_value(&state->counter[at.number], &programming) : 0;
    if (at.part == PART_COUNTER && !layout_of(pmu, &at.box)->has_control)
        counter_cut(&state_of(pmu, &at.box)->counter[at.number], &programming); /* if it is read while it counts */
    const uint64_t parts[] = {state->control, state->status, at.part == PART_FILTER ? state->filter[at.number] : 0,
                              state->select[at.number], value >> (at.high ? 32 : 0)};
    *data = layout_of(pmu, &at.box)->space == SPACE_PCI ? parts[at.part] & LOW_HALF : parts[at.part];
    return PMU_OK;
}

enum pmu_answer uncore_write(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t data) {
    struct where at;
    if (device != 0 && !uncore_has_device(pmu, cpu, device))
        return PMU_NO_DEVICE;
    if (is_freeze(pmu, device, reg)) {
        uint32_t socket = socket_of(pmu, device, cpu);
        if (reg == pmu->table->freeze_register)
            return write_freeze(pmu, socket, data);
        pmu->state->socket[socket].freeze_status &= ~data;
        return PMU_OK;
    }
    if (!locate(pmu, device, cpu, reg, &at))
        return PMU_NO_REGISTER;
    if (layout_of(pmu, &at.box)->always || denied(pmu, &at))
        return PMU_RESTRICTED;
    if (layout_of(pmu, &at.box)->space == SPACE_PCI)
        data &= LOW_HALF;
    const struct counter *selected = at.part == PART_SELECT ? &state_of(pmu, &at.box)->counter[at.number] : NULL;
    int ran = selected && selected->running;
    if (selected || at.part == PART_CONTROL)
        prepare_stop(pmu, &at.box, selected ? (int)at.number : -1);
    synchronise(pmu, &at.box, 0);
    write_part(pmu, &at, data);
    synchronise(pmu, &at.box, 1);
    if (selected && !ran && !selected->running)
        moment_ends(pmu->view.moment); /* it was programmed */
    if (at.part == PART_SELECT)
        report_select(pmu, &at, data);
    return PMU_OK;
}
