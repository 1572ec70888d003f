/* fault_shuffle.c - swaps that permute the events of each unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault_shuffle.h"

#include <string.h>

static int is_movable(const struct table_event *event) {
    return !event->by_filter && !event->cycles && !event->merges && strcmp(event->unit, UNIT_FIXED) != 0;
}

/* Indices of the unit's movable events, from index `from` on. */
static uint32_t list_unit(const struct pmu_table *table, uint32_t from, uint32_t out[TABLE_EVENTS]) {
    uint32_t count = 0;
    for (uint32_t i = from; i < table->events; i++)
        if (is_movable(&table->event[i]) && strcmp(table->event[i].unit, table->event[from].unit) == 0)
            out[count++] = i;
    return count;
}

static int is_first_of_unit(const struct pmu_table *table, uint32_t number) {
    for (uint32_t i = 0; i < number; i++)
        if (is_movable(&table->event[i]) && strcmp(table->event[i].unit, table->event[number].unit) == 0)
            return 0;
    return is_movable(&table->event[number]);
}

static int add_swap(const struct pmu_table *table, uint32_t number, uint32_t other, struct fault_list *list) {
    const struct table_event *event = &table->event[number];
    struct fault fault = {.kind = FAULT_SWAP, .target = FAULT_EVENT, .other = other};
    if (list->count == FAULTS_MAX)
        return -1;
    memcpy(fault.event.unit, event->unit, sizeof fault.event.unit);
    fault.event.code = event->code;
    fault.event.umask = event->umask;
    list->fault[list->count++] = fault;
    return 0;
}

/* R. A. Fisher, F. Yates: Statistical tables, 1938; algorithm by R. Durstenfeld (CACM 7, 1964, Algorithm 235). */
static void permute(uint32_t *numbers, uint32_t count, uint64_t *state) {
    for (uint32_t left = count; left > 1; left--) {
        *state = fault_mix(*state);
        uint32_t chosen = (uint32_t)(*state % left), last = numbers[left - 1];
        numbers[left - 1] = numbers[chosen];
        numbers[chosen] = last;
    }
}

int faults_shuffle(const struct pmu_table *table, uint64_t seed, struct fault_list *list) {
    uint32_t own[TABLE_EVENTS], other[TABLE_EVENTS];
    uint64_t state = seed;
    for (uint32_t first = 0; first < table->events; first++) {
        if (!is_first_of_unit(table, first))
            continue;
        uint32_t count = list_unit(table, first, own);
        memcpy(other, own, count * sizeof *own);
        permute(other, count, &state);
        for (uint32_t i = 0; i < count; i++)
            if (other[i] != own[i] && add_swap(table, own[i], other[i], list) != 0)
                return -1;
    }
    return 0;
}
