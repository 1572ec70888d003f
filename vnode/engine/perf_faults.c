/* perf_faults.c - faults of the node's counters (vnode/pmu/fault.h) in perf events.
 *
 * An event has one counter for its whole life: a fixed one if Linux would use it, or else the first one that its
 * thread, CPU or box has left. A counting interval lasts from the moment when the event is enabled to the moment when
 * it is disabled. Linux disables a core's whole PMU, or a box, if one of its counters cannot be accessed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"

#include "perf.h"
#include "vnode/pmu/fault.h"
#include "vnode/pmu/select.h"

void perf_fault_counter(UInt index) {
    const struct perf_file *file = perf_file();
    struct perf_event *event = &perf_file()->event[index];
    ULong taken = 0;
    for (UInt i = 0; i < PERF_EVENTS; i++) {
        const struct perf_event *one = &file->event[i];
        if (i != index && one->used && one->kind == event->kind && one->fixed < 0 && one->lwp == event->lwp &&
            one->cpu == event->cpu && one->box == event->box && one->instance == event->instance)
            taken |= 1ULL << one->counter;
    }
    UInt counters = event->kind == PERF_BOX ? perf_table()->box[event->box].counters : perf_table()->core.counters;
    for (event->counter = 0; event->counter + 1 < counters && (taken >> event->counter & 1);)
        event->counter++;
}

static void program_core(const struct perf_event *event, struct programmed *at) {
    const struct core_layout *core = &perf_table()->core;
    struct selection s = select_decode(core->kind == CORE_AMD ? SELECT_CORE_AMD : SELECT_CORE_INTEL, event->select);
    Bool fixed = event->fixed >= 0;
    at->counter = (struct counter_id){fixed ? NAME_FIXED : NAME_PMC, 0, fixed ? (UInt)event->fixed : event->counter};
    at->event.code = fixed ? (UInt)event->fixed : s.code;
    at->event.umask = fixed ? 0 : s.umask;
    VG_(strcpy)(at->event.unit, fixed ? UNIT_FIXED : UNIT_PMC);
    at->place = event->cpu < 0 ? 0 : (UInt)event->cpu;
    at->bits = fixed ? core->fixed_width : core->width;
}

static void program_box(const struct perf_event *event, struct programmed *at) {
    const struct box_layout *box = &perf_table()->box[event->box];
    struct selection s = select_decode((enum select_layout)box->layout, event->select);
    at->counter = (struct counter_id){(int32_t)event->box, event->instance, event->counter};
    at->event.code = s.code;
    at->event.umask = s.umask;
    VG_(memcpy)(at->event.unit, box->unit, sizeof at->event.unit);
    at->socket = sim_socket_of(&engine.node->config, (UInt)event->cpu);
    at->place = box->scope == SCOPE_DOMAIN ? sim_domain_of(&engine.node->config, (UInt)event->cpu) : at->socket;
    at->bits = box->width;
}

/* How the event's counter is programmed. False: the node has no faults, or the event has no counter. */
static Bool program(const struct perf_event *event, struct programmed *at) {
    const struct fault_list *faults = perf_faults();
    if (!faults || !faults->count || event->kind > PERF_BOX)
        return False;
    VG_(memset)(at, 0, sizeof *at);
    at->faults = faults;
    if (event->kind == PERF_CORE)
        program_core(event, at);
    else
        program_box(event, at);
    return True;
}

Bool perf_fault_select(const struct perf_event *event, struct perf_event *wrong) {
    struct programmed at;
    *wrong = *event;
    if (!program(event, &at) || !fault_unfilters(&at) || event->fixed >= 0)
        return False;
    enum select_layout layout = event->kind == PERF_BOX ? (enum select_layout)perf_table()->box[event->box].layout
                                : perf_table()->core.kind == CORE_AMD ? SELECT_CORE_AMD
                                                                      : SELECT_CORE_INTEL;
    wrong->select = select_unconditional(layout, event->select);
    if (event->kind == PERF_CORE)
        wrong->extra = ~0ULL;
    return True;
}

const struct formula *perf_fault_formula(const struct perf_event *event) {
    struct programmed at;
    Int other = program(event, &at) ? fault_swap(&at) : -1;
    return other >= 0 ? &perf_table()->event[other].formula : NULL;
}

void perf_fault_place(const struct perf_event *event, UInt *socket, UInt *instance) {
    struct programmed at;
    const struct fault *mirror = program(event, &at) ? fault_mirror(&at) : NULL;
    if (mirror)
        *(mirror->target == FAULT_SOCKET ? socket : instance) = mirror->other;
}

Bool perf_fault_denies(const struct perf_event *event) {
    struct programmed at;
    if (!program(event, &at))
        return False;
    for (UInt i = 0; i < at.faults->count; i++) {
        const struct fault *fault = &at.faults->fault[i];
        Bool same = event->kind == PERF_CORE
                        ? fault->counter.kind < 0
                        : fault->counter.kind == at.counter.kind && fault->counter.instance == at.counter.instance;
        if (fault->kind == FAULT_DENY && same)
            return True;
    }
    return event->kind == PERF_BOX && fault_removes(at.faults, perf_table(), at.counter.kind, at.counter.instance);
}

/* Its count, from all intervals. */
static ULong counted(const struct perf_event *event, const struct programmed *at) {
    ULong now = event->in_interval ? fault_count(at, event->interval, event->value - event->begun) : 0;
    return event->past + now;
}

ULong perf_shown(const struct perf_event *event) {
    struct programmed at;
    if (!program(event, &at))
        return event->value;
    ULong count = counted(event, &at);
    UInt bits = fault_bits(&at);
    if (bits != at.bits)
        count = (fault_origin(&at) + count) & low_bits(bits); /* as LIKWID shows it */
    return fault_show(&at, count);
}

/* It may have been enabled or disabled. */
static void update_interval(struct perf_event *event) {
    struct programmed at;
    Bool now = perf_enabled(event);
    if (now == event->in_interval || !program(event, &at))
        return;
    event->past = counted(event, &at);
    event->begun = event->value;
    event->in_interval = now;
    event->interval += now;
}

void perf_fault_interval(const struct perf_event *event) {
    struct perf_file *file = perf_file();
    for (UInt i = 0; perf_is_faulty() && i < PERF_EVENTS; i++)
        if (file->event[i].used && file->event[i].leader == event->leader)
            update_interval(&file->event[i]);
}

void perf_fault_reset(struct perf_event *event) {
    event->past = event->begun = 0;
}

Bool perf_is_faulty(void) {
    return perf_faults() && perf_faults()->count;
}
