/* names.c - LIKWID's names of counters and boxes on a node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "names.h"

#include <stdio.h>
#include <string.h>

#include "box_use.h"

/* Expands the first `length` characters of a label. */
static void fill_label(const char *label, size_t length, const struct counter_id *id, char *out, size_t size) {
    size_t used = 0;
    for (const char *c = label; c < label + length && used + 12 < size; c++) {
        if (*c == '%' || *c == '@')
            used += (size_t)snprintf(out + used, size - used, "%u", *c == '%' ? id->instance : id->index);
        else
            out[used++] = *c;
    }
    out[used] = '\0';
}

/* A box's name is the label's part before the counter: "MBOX%" of "MBOX%C@" and of "MBOX%FIX", "CPMC" of "CPMC@". */
static size_t box_part(const char *label) {
    const char *instance = strchr(label, '%');
    return instance ? (size_t)(instance - label) + 1 : strcspn(label, "@");
}

void counter_name(const struct pmu_table *table, const struct counter_id *id, char *out, size_t size) {
    if (id->kind < 0)
        snprintf(out, size, "%s%u", id->kind == NAME_PMC ? "PMC" : "FIXC", id->index);
    else
        fill_label(table->box[id->kind].label, strlen(table->box[id->kind].label), id, out, size);
}

/* Number of counters of a kind; 0 beyond the last kind. */
static uint32_t counters_of(const struct pmu_table *table, int32_t kind) {
    if (kind == NAME_PMC)
        return table->core.counters;
    if (kind == NAME_FIXED)
        return table->core.fixed_counters;
    return table->box[kind].counters;
}

static uint32_t instances_of(const struct pmu_table *table, const struct sim_config *config, int32_t kind) {
    return kind < 0 ? 1 : box_instances(&table->box[kind], config);
}

int counter_find(const struct pmu_table *table, const struct sim_config *config, const char *name,
                 struct counter_id *out) {
    char own[32];
    for (int32_t kind = NAME_PMC; kind < (int32_t)table->boxes; kind++)
        for (uint32_t i = 0; i < instances_of(table, config, kind) * counters_of(table, kind); i++) {
            *out = (struct counter_id){kind, i / counters_of(table, kind), i % counters_of(table, kind)};
            counter_name(table, out, own, sizeof own);
            if (strcmp(own, name) == 0)
                return 0;
        }
    return -1;
}

int box_find(const struct pmu_table *table, const struct sim_config *config, const char *name, struct counter_id *out) {
    char own[32];
    for (int32_t kind = 0; kind < (int32_t)table->boxes; kind++)
        for (uint32_t i = 0; i < box_instances(&table->box[kind], config); i++) {
            const char *label = table->box[kind].label;
            *out = (struct counter_id){kind, i, 0};
            fill_label(label, box_part(label), out, own, sizeof own);
            if (strcmp(own, name) == 0)
                return 0;
        }
    return -1;
}
