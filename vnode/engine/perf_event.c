/* perf_event.c - the file that all processes of the node share for perf events, and one event's count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"

#include "perf.h"

struct perf_file *perf_file(void) {
    static struct perf_file *file;
    if (!file)
        file = node_share("perf-events", sizeof *file, True);
    return file;
}

static const struct compiled *compiled_file(void) {
    static const struct compiled *compiled;
    if (compiled)
        return compiled;
    const struct compiled *file = node_share(COMPILED_FILE_NAME, sizeof *file, False);
    if (file && !compiled_obstacle(&file->head))
        compiled = file;
    return compiled;
}

const struct pmu_table *perf_table(void) {
    const struct compiled *file = compiled_file();
    return file ? &file->table : NULL;
}

const struct fault_list *perf_faults(void) {
    const struct compiled *file = compiled_file();
    return file ? &file->faults : NULL;
}

Bool perf_enabled(const struct perf_event *event) {
    return event->enabled && perf_file()->event[event->leader].enabled;
}

/* Linux selects fixed counters by unit masks of code 0 for what general counters cannot count. */
static const struct table_event *fixed_event(const struct perf_event *event) {
    Bool pseudo = (event->select & 0xff) == 0 && event->fixed >= 0;
    return pseudo ? table_event(perf_table(), UNIT_FIXED, (UInt)event->fixed, 0) : NULL;
}

static const HChar *core_use_for(const struct perf_event *event, struct core_use *use) {
    const struct pmu_table *table = perf_table();
    const struct table_event *fixed = fixed_event(event);
    uint64_t response[TABLE_RESPONSES];
    for (UInt i = 0; i < TABLE_RESPONSES; i++)
        response[i] = event->extra;
    if (!fixed)
        return core_use_of(table, table->core.kind == CORE_AMD ? SELECT_CORE_AMD : SELECT_CORE_INTEL, event->select,
                           response, use);
    use->formula = fixed->formula;
    return NULL;
}

static const HChar *use_of(const struct perf_event *event, struct perf_use *use) {
    const uint64_t filter[BOX_FILTERS] = {event->extra & 0xffffffff, event->extra >> 32};
    VG_(memset)(use, 0, sizeof *use);
    if (event->kind == PERF_CORE)
        return core_use_for(event, &use->core);
    if (event->kind == PERF_BOX)
        return box_use_of(perf_table(), &perf_table()->box[event->box], event->select, filter, &use->box);
    return NULL;
}

const HChar *perf_use(const struct perf_event *event, struct perf_use *use) {
    struct perf_event selected;
    if (!perf_is_faulty())
        return use_of(event, use);
    Bool unfiltered = perf_fault_select(event, &selected);
    const struct formula *other = perf_fault_formula(event);
    const HChar *wrong = use_of(&selected, use);
    if (unfiltered)
        use->box.filter = (struct total_filter){UINT32_MAX, UINT32_MAX};
    if (other && event->kind == PERF_CORE)
        use->core = (struct core_use){.formula = *other};
    else if (other)
        use->box.formula = *other;
    return wrong;
}

/* The box of the event that is the CPU's: of its last-level domain, or else of its socket. */
static struct place place_of(const struct perf_event *event, enum scope scope, UInt cpu) {
    const struct sim_config *config = &engine.node->config;
    UInt number = sim_socket_of(config, cpu);
    UInt instance = scope == SCOPE_DOMAIN ? sim_domain_of(config, cpu) % config->domains_per_socket : event->instance;
    perf_fault_place(event, &number, &instance);
    const struct place socket = {.socket = number};
    return scope_part(config, SCOPE_SOCKET, &socket, scope, instance);
}

ULong perf_total(const struct perf_event *event, const struct perf_use *use, UInt cpu, const struct sim_counts *own) {
    const struct node_view view = {.node = engine.node, .own = own};
    if (event->kind == PERF_CORE)
        return core_use_value(perf_table(), &view, cpu, &use->core);
    if (event->kind != PERF_BOX)
        return 0;
    enum scope scope = (enum scope)perf_table()->box[event->box].scope;
    struct place place = place_of(event, scope, cpu);
    return formula_value(&use->box.formula, &view, scope, &place, &use->box.filter);
}

void perf_collect(ThreadId tid, struct perf_event *event) {
    struct perf_use use;
    if (event->lwp >= 0 || perf_use(event, &use))
        return;
    node_hold();
    ULong total = perf_total(event, &use, (UInt)event->cpu, NULL), now = time_ns(tid);
    node_release();
    if (perf_enabled(event)) {
        event->value += event->kind == PERF_CLOCK ? now - event->since : total - event->base;
        event->time_enabled += now - event->since;
        event->time_running += now - event->since;
    }
    event->base = total;
    event->since = now;
}

void perf_switch(ThreadId tid, struct perf_event *event, Bool enable) {
    struct perf_file *file = perf_file();
    for (UInt i = 0; i < PERF_EVENTS; i++)
        if (file->event[i].used && file->event[i].leader == event->leader)
            perf_collect(tid, &file->event[i]);
    event->enabled = enable;
    event->failed = event->failed && !enable;
    perf_fault_interval(event);
}
