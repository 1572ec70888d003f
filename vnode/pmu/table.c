/* table.c - looks things up in the description of a performance monitoring unit. No libc but strcmp(): the engine links
 * it, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "table.h"

#include <string.h>

const struct table_event *table_event(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask) {
    for (uint32_t i = 0; i < table->events; i++) {
        const struct table_event *event = &table->event[i];
        if (event->code == code && event->umask == umask && strcmp(event->unit, unit) == 0)
            return event;
    }
    return NULL;
}

int table_decode(const struct pmu_table *table, const char *unit, uint32_t code, uint32_t umask,
                 struct table_event *out) {
    const struct table_event *named = table_event(table, unit, code, umask);
    if (named) {
        *out = *named;
        return 0;
    }
    *out = (struct table_event){.code = code, .umask = umask};
    for (size_t i = 0; unit[i] && i + 1 < sizeof out->unit; i++)
        out->unit[i] = unit[i];
    if (fields_decode(table->field, table->fields, unit, code, umask, &out->formula) != 0)
        return -1;
    out->by_filter = formula_chooses(&out->formula, CHOICE_STATES) || formula_chooses(&out->formula, CHOICE_REQUESTS);
    return 0;
}

const char *table_condition_error(const struct table_event *event, const struct selection *selection) {
    int never = event->formula.terms == 0 && !event->cycles && !selection->invert;
    if (event->once && !selection->invert && !selection->edge)
        return NULL;
    if (!never && (selection->edge || (selection->threshold && !event->cycles)))
        return "threshold, edge and invert are modelled for cycles only";
    return NULL;
}

uint32_t table_opcode(const struct pmu_table *table, const char *unit, uint32_t opcode) {
    for (uint32_t i = 0; i < table->opcodes; i++)
        if (table->opcode[i].opcode == opcode && strcmp(table->opcode[i].unit, unit) == 0)
            return table->opcode[i].requests;
    return 0;
}

int table_device(const struct pmu_table *table, const char *name, uint32_t likwid_version, uint32_t instance) {
    const struct table_device *found = NULL;
    for (uint32_t i = 0; i < table->devices; i++) {
        const struct table_device *device = &table->device[i];
        if (strcmp(device->name, name) == 0 && device->likwid_version <= likwid_version &&
            (!found || device->likwid_version >= found->likwid_version))
            found = device;
    }
    if (!found)
        return -1;
    if (instance < found->numbers)
        return (int)found->number[instance];
    return (int)(found->number[found->numbers - 1] + instance - (found->numbers - 1)); /* continue the last number */
}

uint32_t table_width(const struct pmu_table *table, const char *unit) {
    for (uint32_t i = 0; i < table->boxes; i++)
        if (strcmp(table->box[i].unit, unit) == 0)
            return table->box[i].width;
    return strcmp(unit, UNIT_FIXED) == 0 ? table->core.fixed_width : table->core.width;
}
