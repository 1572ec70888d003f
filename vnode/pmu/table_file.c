/* table_file.c - reads the description of a performance monitoring unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "table_file.h"

#include "generic.h"
#include "repeat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = REPEAT_BYTES };
#define BLANK " \t\r\n"

struct line {
    char *rest; /* unread part */
    char *error;
    size_t error_size;
    int failed;
};

static void fail(struct line *line, const char *what, const char *word) {
    if (!line->failed)
        snprintf(line->error, line->error_size, "%s '%s'", what, word);
    line->failed = 1;
}

/* The next word, "" at the end. */
static char *word(struct line *line) {
    char *start = line->rest + strspn(line->rest, BLANK);
    char *end = start + strcspn(start, BLANK);
    line->rest = *end ? end + 1 : end;
    *end = '\0';
    return start;
}

static uint64_t wide_of(struct line *line, const char *text) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end || errno)
        fail(line, "expected a number, not", text);
    return value;
}

/* The unread rest of the line. */
static const char *left(const struct line *line) {
    return line->rest + strspn(line->rest, BLANK);
}

static uint64_t wide(struct line *line) {
    return wide_of(line, word(line));
}

/* A number, or the sum of two ("0xb0+3", with an expanded range). */
static uint32_t number_of(struct line *line, char *text) {
    char *plus = strchr(text, '+');
    if (plus)
        *plus = '\0';
    uint64_t value = wide_of(line, text) + (plus ? number_of(line, plus + 1) : 0);
    if (value > UINT32_MAX)
        fail(line, "more than 32 bits:", text);
    return (uint32_t)value;
}

static uint32_t number(struct line *line) {
    return number_of(line, word(line));
}

/* A number from `low` to `high`. */
static uint32_t within(struct line *line, uint32_t low, uint32_t high, const char *what) {
    uint32_t value = number(line);
    if (value < low || value > high)
        fail(line, "out of range:", what);
    return value;
}

static void text(struct line *line, char *out, size_t size) {
    const char *value = word(line);
    if (*value == '\0' || strlen(value) >= size)
        fail(line, "missing or too long:", value);
    else
        strcpy(out, value);
}

static int lookup(struct line *line, const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    fail(line, "unknown word", name);
    return 0;
}

/* ---- the core ---- */

/* Required keys of a kind of core must have a value. */
static void require(struct line *line, uint32_t value, const char *key) {
    if (value == 0)
        fail(line, "missing in core:", key);
}

static void read_core(struct line *line, struct core_layout *core) {
    static const char *const kinds[] = {"intel", "amd"};
    static const char *const keys[] = {"select", "counter",        "step",        "counters",      "width",
                                       "fixed",  "fixed_counters", "fixed_width", "fixed_control", "control",
                                       "status", "clear",          "set"};
    uint32_t *const values[] = {
        &core->select, &core->counter,        &core->step,        &core->counters,      &core->width,
        &core->fixed,  &core->fixed_counters, &core->fixed_width, &core->fixed_control, &core->control,
        &core->status, &core->clear,          &core->set};
    if (core->counters)
        fail(line, "described twice:", "core");
    *core = (struct core_layout){.kind = (uint32_t)lookup(line, word(line), kinds, 2), .step = 1};
    int intel = core->kind == CORE_INTEL;
    if (intel)
        core->version = within(line, 3, 5, "version");
    for (char *key = word(line); *key && !line->failed; key = word(line)) {
        int index = lookup(line, key, keys, 13);
        int intel_only = index == 5 || index == 6 || index == 8 || index >= 10;
        if (intel ? index == 2 : intel_only)
            fail(line, "not of this kind of core:", key);
        *values[index] = number(line);
    }
    for (int i = 0; i < 13; i++)
        if (i != 12 && (intel ? i != 2 : i < 5))
            require(line, *values[i], keys[i]);
    if (intel && (core->set != 0) != (core->version >= 4))
        fail(line, "of version 4 and later, and these need it:", "set");
    if (core->counters > CORE_COUNTERS || core->fixed_counters > CORE_FIXED)
        fail(line, "too many counters in", "core");
    if (core->width > 64 || core->fixed_width > 64)
        fail(line, "a counter has at most 64 bits:", "width");
}

static void read_fixed(struct line *line, struct core_layout *core) {
    static const char *const keys[] = {"writable", "enable"};
    uint32_t index = number(line);
    if (core->kind != CORE_AMD || !core->fixed_width || index != core->fixed_counters || index >= CORE_FIXED) {
        fail(line, "fixed counters come one after the other behind an AMD core with fixed_width, not", "fixed");
        return;
    }
    core->own[index].address = number(line);
    core->own[index].enable_bit = -1;
    for (char *key = word(line); *key && !line->failed; key = word(line))
        if (lookup(line, key, keys, 2) == 0)
            core->own[index].writable = number(line);
        else
            core->own[index].enable_bit = (int)within(line, 0, 63, "enable");
    if (core->own[index].enable_bit >= 0)
        require(line, core->control, "control");
    core->fixed_counters++;
}

/* ---- boxes ---- */

static void append(struct line *line, uint32_t *list, uint32_t *count, uint32_t limit, uint32_t value) {
    if (*count == limit)
        fail(line, "too many of this kind in this", "line");
    else
        list[(*count)++] = value;
}

static void read_states(struct line *line, struct box_layout *box) {
    static const char *const names[] = {"I", "S", "E", "F", "M", "O", "-"}; /* as enum sim_line_state */
    int in_select = strncmp(left(line), "select ", 7) == 0;
    box->states_filter = in_select ? BOX_FILTERS : (int)within(line, 0, BOX_FILTERS - 1, "filter");
    if (in_select)
        word(line);
    box->states_bit = within(line, 0, 63 - TABLE_STATES, "bit");
    for (char *key = word(line); *key && !line->failed; key = word(line)) {
        int state = lookup(line, key, names, SIM_LINE_STATES + 1);
        if (box->states == TABLE_STATES)
            fail(line, "too many", "states");
        else
            box->state_order[box->states++] = state < SIM_LINE_STATES ? state : -1;
    }
}

/* The index of the next element of a list; 0 and a failure if it is full. */
static uint32_t next(struct line *line, const char *kind, uint32_t *count, uint32_t limit) {
    if (*count < limit)
        return (*count)++;
    fail(line, "too many lines of this kind:", kind);
    return 0;
}

static enum scope read_scope(struct line *line) {
    const char *names[SCOPES];
    for (int i = 0; i < SCOPES; i++)
        names[i] = scope_name(i);
    return (enum scope)lookup(line, word(line), names, SCOPES);
}

static void read_device_name(struct line *line, char name[DEVICE_NAME], const struct pmu_table *table) {
    text(line, name, DEVICE_NAME);
    if (!line->failed && table_device(table, name, UINT32_MAX, 0) < 0)
        fail(line, "no device is called", name);
}

static void read_space(struct line *line, struct box_layout *box, const struct pmu_table *table) {
    static const char *const spaces[] = {"msr", "pci", "pci64", "mmio"};
    box->space = (uint32_t)lookup(line, word(line), spaces, 4);
    if (box->space == SPACE_MSR) {
        box->base = number(line);
        box->step = number(line);
        return;
    }
    read_device_name(line, box->device, table);
    if (box->scope == SCOPE_DOMAIN || box->scope == SCOPE_CORE)
        fail(line, "boxes of domains and cores need msr, not", spaces[box->space]);
}

static void read_gap(struct line *line, struct box_layout *box) {
    uint32_t i = next(line, "gap", &box->gaps, BOX_GAPS), first = i ? box->gap[i - 1].first : 0;
    box->gap[i].first = within(line, first + 1, UINT32_MAX, "instance");
    box->gap[i].base = number(line);
    if (box->space != SPACE_MSR)
        fail(line, "only boxes of msr have a", "gap");
}

/* A box's key that is not a list of addresses. */
static void read_key(struct line *line, struct box_layout *box, const char *key) {
    static const char *const layouts[] = {"intel", "l3", "fabric", "fabric12", "umc", "wide", "found"};
    if (strcmp(key, "width") == 0) {
        box->width = within(line, 1, 64, key);
    } else if (strcmp(key, "layout") == 0) {
        box->layout = SELECT_BOX_INTEL + (uint32_t)lookup(line, word(line), layouts, 7);
    } else if (strcmp(key, "gap") == 0) {
        read_gap(line, box);
    } else if (strcmp(key, "status_bit") == 0) {
        box->status_bit = within(line, 0, 63 - BOX_COUNTERS, key);
    } else if (strcmp(key, "overflow") == 0) {
        box->overflow_bit = (int)within(line, 0, 63, key);
        box->overflow_group = within(line, 1, UINT32_MAX, key);
    } else if (strcmp(key, "opcodes") == 0) {
        box->opcode_filter = (int)within(line, 0, BOX_FILTERS - 1, "filter");
        box->opcode_bit = within(line, 0, 63, "bit");
        box->opcode_bits = within(line, 1, 16, "bits");
    } else {
        read_states(line, box);
    }
}

/* Adds an address to one of the lists. */
static void read_address(struct line *line, struct box_layout *box, int list, uint32_t address, uint32_t *selects) {
    if (list == 0) {
        box->control = address;
        box->has_control = 1;
    } else if (list == 1) {
        box->status = address;
        box->has_status = 1;
    } else if (list == 2) {
        append(line, box->filter, &box->filters, BOX_FILTERS, address);
    } else if (list == 3 || list == 4) {
        box->always = list == 4;
        append(line, box->select, selects, BOX_COUNTERS, address);
    } else {
        append(line, box->counter, &box->counters, BOX_COUNTERS, address);
    }
}

static void read_box(struct line *line, struct box_layout *box, const struct pmu_table *table) {
    enum { LISTS = 6 };
    static const char *const keys[] = {"control", "status", "filter",     "select",   "always",  "counter", "width",
                                       "layout",  "gap",    "status_bit", "overflow", "opcodes", "states"};
    uint32_t selects = 0;
    int list = -1;
    *box =
        (struct box_layout){.layout = SELECT_BOX_INTEL, .states_filter = -1, .overflow_bit = -1, .opcode_filter = -1};
    text(line, box->unit, sizeof box->unit);
    text(line, box->label, sizeof box->label);
    for (const struct box_layout *other = table->box; other < box; other++)
        if (strcmp(other->unit, box->unit) == 0)
            fail(line, "described twice:", box->unit);
    box->scope = read_scope(line);
    read_space(line, box, table);
    for (char *key = word(line); *key && !line->failed; key = word(line)) {
        if (key[0] < '0' || key[0] > '9') {
            list = lookup(line, key, keys, 13);
            if (list >= LISTS) {
                read_key(line, box, key);
                list = -1;
            }
        } else if (list < 0) {
            fail(line, "a number without a word before it:", key);
        } else {
            read_address(line, box, list, number_of(line, key), &selects);
        }
    }
    if (selects != box->counters || selects == 0)
        fail(line, "as many selects as counters are needed in", box->unit);
    if (box->width == 0)
        fail(line, "no width in", box->unit);
    int has_states = box->states_filter < (int)box->filters || box->states_filter == BOX_FILTERS;
    if (!has_states || box->opcode_filter >= (int)box->filters)
        fail(line, "no such filter in", box->unit);
}

/* ---- events ---- */

/* The scope of a unit's counters, -1: no such unit. */
static int scope_of(const struct pmu_table *table, const char *unit) {
    if ((strcmp(unit, UNIT_PMC) == 0 && table->core.counters) ||
        (strcmp(unit, UNIT_FIXED) == 0 && table->core.fixed_counters))
        return SCOPE_CORE;
    for (uint32_t i = 0; i < table->boxes; i++)
        if (strcmp(table->box[i].unit, unit) == 0)
            return (int)table->box[i].scope;
    return -1;
}

/* Parses the rest of the line as formula for a counter of the unit. */
static void read_formula(struct line *line, struct formula *formula, const char *unit, const struct pmu_table *table) {
    int scope = scope_of(table, unit);
    if (scope < 0)
        fail(line, "no counters are called", unit);
    if (!line->failed && formula_parse(line->rest, formula, line->error, line->error_size))
        line->failed = 1;
    line->rest += strlen(line->rest);
    if (!line->failed && !formula_fits(formula, (enum scope)scope))
        fail(line, "totals of other places than those of", unit);
}

/* The count of an event without a formula, from the fields before it. */
static void read_fields(struct line *line, struct table_event *event, const struct pmu_table *table) {
    if (!fields_know(table->field, table->fields, event->unit, event->code))
        fail(line, "no formula for", event->name);
    else if (fields_decode(table->field, table->fields, event->unit, event->code, event->umask, &event->formula) != 0)
        fail(line, "its fields do not say what it counts:", event->name);
}

static void read_event(struct line *line, struct table_event *event, const struct pmu_table *table) {
    static const char *const keys[] = {"cycles", "once", "merge"};
    int *const flags[] = {&event->cycles, &event->once, &event->merges};
    text(line, event->unit, sizeof event->unit);
    event->code = number(line);
    event->umask = number(line);
    text(line, event->name, sizeof event->name);
    if (scope_of(table, event->unit) < 0)
        fail(line, "no counters are called", event->unit);
    char *key = word(line);
    for (; *key && strcmp(key, "=") != 0 && !line->failed; key = word(line))
        *flags[lookup(line, key, keys, 3)] = 1;
    if (*key)
        read_formula(line, &event->formula, event->unit, table);
    else if (!line->failed)
        read_fields(line, event, table);
    event->by_filter =
        formula_chooses(&event->formula, CHOICE_STATES) || formula_chooses(&event->formula, CHOICE_REQUESTS);
    if (table_event(table, event->unit, event->code, event->umask) != event)
        fail(line, "the same unit, code and unit mask as another event:", event->name);
}

/* field UNIT CODE MASK[&MASK..][!MASK] = FORMULA | ? */
static void read_field(struct line *line, struct table_field *field, const struct pmu_table *table) {
    text(line, field->unit, sizeof field->unit);
    field->code = number(line);
    char *masks = word(line), *without = strchr(masks, '!'), *rest = masks;
    if (without)
        *without++ = '\0';
    while (rest && !line->failed) {
        char *mask = rest;
        rest = strchr(mask, '&');
        if (rest)
            *rest++ = '\0';
        append(line, field->mask, &field->masks, FIELD_MASKS, number_of(line, mask));
    }
    field->without = without ? number_of(line, without) : 0;
    char *equals = word(line);
    if (strcmp(equals, "=") != 0)
        fail(line, "expected = behind a field's masks, not", equals);
    field->unknown = *left(line) == '?';
    if (field->unknown)
        word(line);
    else
        read_formula(line, &field->formula, field->unit, table);
}

/* opcode UNIT OPCODE REQUEST.. */
static void read_opcode(struct line *line, struct pmu_table *table) {
    uint32_t i = next(line, "opcode", &table->opcodes, TABLE_OPCODES);
    text(line, table->opcode[i].unit, sizeof table->opcode[i].unit);
    table->opcode[i].opcode = number(line);
    for (char *request = word(line); *request && !line->failed; request = word(line))
        table->opcode[i].requests |= 1u << lookup(line, request, request_names, SIM_REQUESTS);
}

/* response_bit BIT (request NAME | supplier NAME | snoop NAME [forwarded|unforwarded] | any); NAME "none": never */
static void read_response_bit(struct line *line, struct response_bit *bit) {
    static const char *const kinds[] = {"request", "supplier", "snoop", "any"};
    static const char *const snoop_names[SIM_SNOOPS] = {"NONE", "MISS", "HIT", "HITM"};
    static const char *const *const names[3] = {request_names, supplier_names, snoop_names};
    static const int sizes[3] = {SIM_REQUESTS, SIM_SUPPLIERS, SIM_SNOOPS};
    bit->bit = within(line, 0, 63, "bit");
    bit->kind = (enum response_kind)lookup(line, word(line), kinds, 4);
    bit->forwarded = -1;
    for (char *key = word(line); *key && !line->failed && bit->kind != RESPONSE_ANY; key = word(line)) {
        if (strcmp(key, "forwarded") == 0 || strcmp(key, "unforwarded") == 0)
            bit->forwarded = key[0] == 'f';
        else if (strcmp(key, "none") != 0)
            bit->bits |= 1u << lookup(line, key, names[bit->kind], sizes[bit->kind]);
    }
}

/* ---- lines ---- */

static void read_device(struct line *line, struct table_device *device) {
    text(line, device->name, sizeof device->name);
    device->likwid_version = number(line);
    for (char *key = word(line); *key && !line->failed; key = word(line))
        append(line, device->number, &device->numbers, TABLE_DEVICE_NUMBERS, number_of(line, key));
    if (device->numbers == 0)
        fail(line, "no number of", device->name);
}

static void read_freeze(struct line *line, struct pmu_table *out) {
    out->freeze_register = number(line);
    out->freeze_bit = within(line, 0, 63, "bit");
    int is_set = strncmp(left(line), "- ", 2) == 0;
    if (is_set)
        word(line);
    out->unfreeze_bit = is_set ? WHILE_SET : within(line, 0, 63, "bit");
    out->freeze_status = number(line);
    if (*left(line))
        read_device_name(line, out->freeze_device, out);
}

/* Lines of registers that do not count. 0: not such a line. */
static int read_plain(struct line *line, const char *kind, struct pmu_table *out) {
    if (strcmp(kind, "stored") == 0) {
        out->stored_register[next(line, kind, &out->registers, TABLE_REGISTERS)] = number(line);
    } else if (strcmp(kind, "ratio") == 0) {
        uint32_t i = next(line, kind, &out->clock_registers, TABLE_REGISTERS);
        out->clock[i].address = number(line);
        out->clock[i].mask = wide(line);
        out->clock[i].hz = within(line, 1, UINT32_MAX, "hertz");
    } else if (strcmp(kind, "constant") == 0) {
        uint32_t i = next(line, kind, &out->constants, TABLE_REGISTERS);
        out->constant[i].address = number(line);
        out->constant[i].value = wide(line);
    } else if (strcmp(kind, "prefetchers") == 0) {
        out->prefetch_control = number(line);
    } else if (strcmp(kind, "unmodelled") == 0) {
        uint32_t i = next(line, kind, &out->unmodelled, TABLE_UNMODELLED);
        out->lacking[i].address = number(line);
        text(line, out->lacking[i].counter, sizeof out->lacking[i].counter);
        out->lacking[i].probes = number(line);
    } else {
        return 0;
    }
    return 1;
}

static void read_generic(struct line *line, struct table_generic *generic) {
    text(line, generic->name, sizeof generic->name);
    generic->select = number(line);
    if (generic_find(generic->name, &generic->type, &generic->config) != 0)
        fail(line, "perf_event has no event", generic->name);
}

static void read_driver(struct line *line, struct table_driver *driver, const struct pmu_table *table) {
    const char *unit = word(line);
    while (driver->box < table->boxes && strcmp(table->box[driver->box].unit, unit) != 0)
        driver->box++;
    if (driver->box == table->boxes)
        fail(line, "no counters are called", unit);
    text(line, driver->name, sizeof driver->name);
    while (*left(line) && !line->failed) {
        uint32_t i = next(line, "alias", &driver->aliases, TABLE_ALIASES);
        text(line, driver->alias[i].name, sizeof driver->alias[i].name);
        driver->alias[i].select = number(line);
    }
}

static void read_counting(struct line *line, const char *kind, struct pmu_table *out) {
    static const char *const snoops[] = {"NONE", "MISS", "HIT", "HITM"};
    if (strcmp(kind, "core") == 0) {
        read_core(line, &out->core);
    } else if (strcmp(kind, "fixed") == 0) {
        read_fixed(line, &out->core);
    } else if (strcmp(kind, "freeze") == 0) {
        read_freeze(line, out);
    } else if (strcmp(kind, "device") == 0) {
        read_device(line, &out->device[next(line, kind, &out->devices, TABLE_DEVICES)]);
    } else if (strcmp(kind, "box") == 0) {
        read_box(line, &out->box[next(line, kind, &out->boxes, TABLE_BOXES)], out);
    } else if (strcmp(kind, "response") == 0) {
        uint32_t i = next(line, kind, &out->responses, TABLE_RESPONSES);
        out->response[i].code = number(line);
        out->response[i].umask = number(line);
        out->response[i].address = number(line);
        text(line, out->response[i].name, sizeof out->response[i].name);
        out->response[i].accepted = *left(line) ? wide(line) : UINT64_MAX;
    } else if (strcmp(kind, "response_bit") == 0) {
        read_response_bit(line, &out->response_bit[next(line, kind, &out->response_bits, TABLE_RESPONSE_BITS)]);
    } else if (strcmp(kind, "memory_snoop") == 0) {
        out->memory_snoop = lookup(line, word(line), snoops, SIM_SNOOPS);
    } else if (strcmp(kind, "driver") == 0) {
        read_driver(line, &out->driver[next(line, kind, &out->drivers, TABLE_DRIVERS)], out);
    } else if (strcmp(kind, "generic") == 0) {
        read_generic(line, &out->generic[next(line, kind, &out->generics, TABLE_GENERICS)]);
    } else if (strcmp(kind, "opcode") == 0) {
        read_opcode(line, out);
    } else if (strcmp(kind, "field") == 0) {
        read_field(line, &out->field[next(line, kind, &out->fields, TABLE_FIELDS)], out);
    } else if (strcmp(kind, "event") == 0) {
        read_event(line, &out->event[next(line, kind, &out->events, TABLE_EVENTS)], out);
    } else {
        fail(line, "unknown kind of line", kind);
    }
}

static void read_line(struct line *line, struct pmu_table *out) {
    char *kind = word(line);
    if (*kind == '\0')
        return;
    if (!read_plain(line, kind, out))
        read_counting(line, kind, out);
    char *extra = word(line);
    if (*extra)
        fail(line, "unexpected", extra);
}

struct reading {
    struct line *line;
    struct pmu_table *out;
};

/* One line after expansion. */
static int read_one(void *context, char *text_of_line) {
    const struct reading *reading = context;
    reading->line->rest = text_of_line;
    read_line(reading->line, reading->out);
    return reading->line->failed;
}

static void read_lines(struct line *line, const char *text_of_lines, struct pmu_table *out) {
    const char *wrong = repeat_line(text_of_lines, read_one, &(struct reading){line, out});
    if (wrong)
        fail(line, wrong, text_of_lines);
}

/* A fixed counter without a select cannot be reported when it is programmed, so each must have an event. */
static void check_fixed(struct line *line, const struct pmu_table *table) {
    for (uint32_t i = 0; table->core.kind == CORE_AMD && i < table->core.fixed_counters; i++)
        if (!table_event(table, UNIT_FIXED, i, 0))
            fail(line, "no event is counted by a counter of", UNIT_FIXED);
}

const char *table_load(const char *path, struct pmu_table *out, char *error, size_t error_size) {
    char buffer[LINE_BYTES], wrong[256];
    memset(out, 0, sizeof *out);
    FILE *file = fopen(path, "re");
    if (!file) {
        snprintf(error, error_size, "%s: cannot read the events of the node: %s", path, strerror(errno));
        return error;
    }
    struct line line = {.error = wrong, .error_size = sizeof wrong};
    int row = 0;
    while (!line.failed && fgets(buffer, sizeof buffer, file)) {
        row++;
        if (strlen(buffer) == sizeof buffer - 1 && buffer[sizeof buffer - 2] != '\n')
            fail(&line, "a line is too long:", "more than 2046 characters");
        buffer[strcspn(buffer, "#\n")] = '\0';
        if (!line.failed)
            read_lines(&line, buffer, out);
    }
    fclose(file);
    if (!line.failed && out->core.counters == 0)
        fail(&line, "nothing describes the", "core");
    check_fixed(&line, out);
    if (!line.failed)
        return NULL;
    snprintf(error, error_size, "%s:%d: %s", path, row > 0 ? row : 1, wrong); /* an empty file is reported at line 1 */
    return error;
}
