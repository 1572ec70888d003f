/* table.c - reads the description of a performance monitoring unit (see table.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    static const char blank[] = " \t\n";
    char *start = line->rest + strspn(line->rest, blank);
    char *end = start + strcspn(start, blank);
    line->rest = *end ? end + 1 : end;
    *end = '\0';
    return start;
}

static uint64_t number_of(struct line *line, const char *text) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 0);
    if (end == text || *end || errno)
        fail(line, "expected a number, not", text);
    return value;
}

static uint64_t number(struct line *line) {
    return number_of(line, word(line));
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

static void read_core(struct line *line, struct core_layout *core) {
    static const char *const keys[] = {"select",        "counter", "counters", "fixed", "fixed_counters",
                                       "fixed_control", "control", "status",   "clear"};
    uint32_t *const values[] = {&core->select,  &core->counter,        &core->counters,
                                &core->fixed,   &core->fixed_counters, &core->fixed_control,
                                &core->control, &core->status,         &core->clear};
    for (char *key = word(line); *key && !line->failed; key = word(line))
        *values[lookup(line, key, keys, 9)] = (uint32_t)number(line);
    if (core->counters > CORE_COUNTERS || core->fixed_counters > CORE_FIXED)
        fail(line, "too many counters in", "core");
}

static void append(struct line *line, uint32_t *list, uint32_t *count, uint32_t limit, uint32_t value) {
    if (*count == limit)
        fail(line, "too many of this kind in this", "line");
    else
        list[(*count)++] = value;
}

static void read_states(struct line *line, struct box_layout *box) {
    static const char *const names[] = {"I", "S", "E", "F", "M"}; /* as enum sim_line_state */
    box->states_filter = (int)number(line);
    box->states_bit = (uint32_t)number(line);
    if (box->states_filter < 0 || box->states_filter >= BOX_FILTERS || box->states_bit > 56)
        fail(line, "no such filter or bit in", "states");
    for (char *key = word(line); *key && !line->failed; key = word(line))
        append(line, box->state_order, &box->states, 8, (uint32_t)lookup(line, key, names, SIM_LINE_STATES));
}

/* box UNIT LABEL per PLACE (msr BASE STEP | pci DEVICE) and any of the keys below; states
 * comes last */
static void read_box(struct line *line, struct box_layout *box) {
    static const char *const places[] = {"core", "slice", "channel", "agent", "link", "socket"};
    static const char *const keys[] = {"msr",    "pci",     "control", "status",     "filter",
                                       "select", "counter", "states",  "status_bit", "overflow"};
    uint32_t selects = 0;
    box->states_filter = box->overflow_bit = -1;
    text(line, box->unit, sizeof box->unit);
    text(line, box->label, sizeof box->label);
    box->scope = (enum scope)lookup(line, word(line), places, 6);
    int list = -1;
    for (char *key = word(line); *key && !line->failed; key = word(line)) {
        if (key[0] < '0' || key[0] > '9') {
            list = lookup(line, key, keys, 10);
            if (list == 0) {
                box->base = (uint32_t)number(line);
                box->step = (uint32_t)number(line);
            } else if (list == 1) {
                box->pci = 1;
                text(line, box->device, sizeof box->device);
            } else if (list == 7) {
                read_states(line, box);
            } else if (list == 8) {
                box->status_bit = (uint32_t)number(line) & 31;
            } else if (list == 9) {
                box->overflow_bit = (int)(number(line) & 63);
                box->overflow_group = (uint32_t)number(line);
                if (box->overflow_group == 0)
                    fail(line, "at least one instance has a bit in", "overflow");
            }
            continue;
        }
        uint32_t value = (uint32_t)number_of(line, key);
        if (list == 2) {
            box->control = value;
            box->has_control = 1;
        } else if (list == 3) {
            box->status = value;
            box->has_status = 1;
        } else if (list == 4) {
            append(line, box->filter, &box->filters, BOX_FILTERS, value);
        } else if (list == 5) {
            append(line, box->select, &selects, BOX_COUNTERS, value);
        } else if (list == 6) {
            append(line, box->counter, &box->counters, BOX_COUNTERS, value);
        } else {
            fail(line, "a number without a word before it:", key);
        }
    }
    if (selects != box->counters)
        fail(line, "as many selects as counters are needed in", box->unit);
}

/* event UNIT CODE UMASK NAME [states] [cycles] = FORMULA */
static void read_event(struct line *line, struct table_event *event) {
    text(line, event->unit, sizeof event->unit);
    event->code = (uint32_t)number(line);
    event->umask = (uint32_t)number(line);
    text(line, event->name, sizeof event->name);
    char *key = word(line);
    for (; *key && strcmp(key, "=") != 0 && !line->failed; key = word(line)) {
        static const char *const keys[] = {"states", "cycles"};
        *(lookup(line, key, keys, 2) == 0 ? &event->by_state : &event->cycles) = 1;
    }
    if (!line->failed && formula_parse(line->rest, &event->formula, line->error, line->error_size))
        line->failed = 1;
    line->rest += strlen(line->rest);
}

/* response_bit BIT (request NAME | supplier NAME | snoop NAME [forwarded|unforwarded] | any); NAME "none": never */
static void read_response_bit(struct line *line, struct response_bit *bit) {
    static const char *const kinds[] = {"request", "supplier", "snoop", "any"};
    static const char *const names[3][6] = {
        {"DATA_READ", "RFO", "CODE_READ", "WRITEBACK", "STREAMING_STORE", "none"},
        {"L3", "LOCAL_DRAM", "REMOTE_DRAM", "REMOTE_CACHE", "NONE", "none"},
        {"NONE", "MISS", "HIT", "HITM", "none", "none"},
    };
    bit->bit = (uint32_t)number(line);
    bit->kind = (enum response_kind)lookup(line, word(line), kinds, 4);
    bit->forwarded = -1;
    if (bit->bit > 63)
        fail(line, "bits are 0 to 63 in", "response_bit");
    for (char *key = word(line); *key && !line->failed && bit->kind != RESPONSE_ANY; key = word(line)) {
        if (strcmp(key, "forwarded") == 0 || strcmp(key, "unforwarded") == 0)
            bit->forwarded = key[0] == 'f';
        else if (strcmp(key, "none") != 0)
            bit->bits |= 1u << lookup(line, key, names[bit->kind], 5);
    }
}

/* The next free element of a list, or its first one after an error. */
#define NEXT(line, list, count, limit)                                                                                 \
    ((count) < (limit) ? &(list)[(count)++] : (fail((line), "too many lines of this kind:", #list), &(list)[0]))

static void read_line(struct line *line, const char *kind, struct pmu_table *out) {
    if (strcmp(kind, "core") == 0) {
        read_core(line, &out->core);
    } else if (strcmp(kind, "freeze") == 0) {
        out->freeze_register = (uint32_t)number(line);
        out->freeze_bit = (uint32_t)number(line) & 63;
        out->unfreeze_bit = (uint32_t)number(line) & 63;
        out->freeze_status = (uint32_t)number(line);
    } else if (strcmp(kind, "stored") == 0) {
        *NEXT(line, out->stored_register, out->registers, TABLE_REGISTERS) = (uint32_t)number(line);
    } else if (strcmp(kind, "ratio") == 0) {
        uint32_t index = out->clock_registers;
        *NEXT(line, out->clock_register, out->clock_registers, TABLE_REGISTERS) = (uint32_t)number(line);
        uint64_t mask = number(line);
        if (!line->failed)
            out->clock_mask[index] = mask;
    } else if (strcmp(kind, "constant") == 0) {
        uint32_t index = out->constants;
        uint32_t address = (uint32_t)number(line);
        if (index == TABLE_REGISTERS) {
            fail(line, "too many lines of this kind:", kind);
            return;
        }
        out->constant[index].address = address;
        out->constant[index].value = number(line);
        out->constants++;
    } else if (strcmp(kind, "unmodelled") == 0) {
        uint32_t index = out->unmodelled;
        if (index == TABLE_UNMODELLED) {
            fail(line, "too many lines of this kind:", kind);
            return;
        }
        out->lacking[index].address = (uint32_t)number(line);
        text(line, out->lacking[index].counter, sizeof out->lacking[index].counter);
        out->lacking[index].probes = (uint32_t)number(line);
        out->unmodelled++;
    } else if (strcmp(kind, "device") == 0) {
        struct table_device *device = NEXT(line, out->device, out->devices, TABLE_DEVICES);
        text(line, device->name, sizeof device->name);
        device->likwid_version = (uint32_t)number(line);
        device->number = (uint32_t)number(line);
    } else if (strcmp(kind, "box") == 0) {
        read_box(line, NEXT(line, out->box, out->boxes, TABLE_BOXES));
    } else if (strcmp(kind, "response") == 0) {
        uint32_t index = out->responses;
        if (index == TABLE_RESPONSES) {
            fail(line, "too many lines of this kind:", kind);
            return;
        }
        out->response[index].code = (uint32_t)number(line);
        out->response[index].umask = (uint32_t)number(line);
        out->response[index].address = (uint32_t)number(line);
        text(line, out->response[index].name, sizeof out->response[index].name);
        out->responses++;
    } else if (strcmp(kind, "response_bit") == 0) {
        read_response_bit(line, NEXT(line, out->response_bit, out->response_bits, TABLE_RESPONSE_BITS));
    } else if (strcmp(kind, "memory_snoop") == 0) {
        static const char *const names[] = {"NONE", "MISS", "HIT", "HITM"};
        out->memory_snoop = lookup(line, word(line), names, SIM_SNOOPS);
    } else if (strcmp(kind, "event") == 0) {
        read_event(line, NEXT(line, out->event, out->events, TABLE_EVENTS));
    } else {
        fail(line, "unknown kind of line", kind);
    }
    char *extra = word(line);
    if (*extra)
        fail(line, "unexpected", extra);
}

const char *table_load(const char *path, struct pmu_table *out, char *error, size_t error_size) {
    char buffer[512], wrong[256];
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
        buffer[strcspn(buffer, "#\n")] = '\0';
        line.rest = buffer;
        char *kind = word(&line);
        if (*kind)
            read_line(&line, kind, out);
    }
    fclose(file);
    if (!line.failed)
        return NULL;
    snprintf(error, error_size, "%s:%d: %s", path, row, wrong);
    return error;
}

const struct table_event *table_event(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask) {
    for (uint32_t i = 0; i < table->events; i++) {
        const struct table_event *event = &table->event[i];
        if (event->code == code && event->umask == umask && strcmp(event->unit, unit) == 0)
            return event;
    }
    return NULL;
}

int table_device(const struct pmu_table *table, const char *name, uint32_t likwid_version) {
    int found = -1;
    uint32_t since = 0;
    for (uint32_t i = 0; i < table->devices; i++) {
        const struct table_device *device = &table->device[i];
        if (strcmp(device->name, name) == 0 && device->likwid_version <= likwid_version &&
            device->likwid_version >= since) {
            found = (int)device->number;
            since = device->likwid_version;
        }
    }
    return found;
}
