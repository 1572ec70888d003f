/* plain.c - core registers that LIKWID reads that are no counters, and counters not modelled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plain.h"

#include "counter.h"

static int find(const uint32_t *list, uint32_t count, uint32_t reg) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == reg)
            return (int)i;
    return -1;
}

/* Reports an unmodelled counter once reads exceed LIKWID's probes. */
static void report_lacking(struct pmu *pmu, uint32_t core, uint32_t reg) {
    for (uint32_t i = 0; i < pmu->table->unmodelled; i++)
        if (pmu->table->lacking[i].address == reg && ++pmu->state->core[core].asked[i] > pmu->table->lacking[i].probes)
            report_not_counted(pmu, pmu->table->lacking[i].counter, 0, "counter is not modelled");
}

enum pmu_answer plain_read(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t *data) {
    const struct pmu_table *table = pmu->table;
    int stored = find(table->stored_register, table->registers, reg);
    for (uint32_t i = 0; i < table->constants; i++)
        if (table->constant[i].address == reg) {
            *data = table->constant[i].value;
            return PMU_OK;
        }
    if (table->prefetch_control && table->prefetch_control == reg) {
        *data = SIM_PREFETCHERS & ~pmu->view.node->config.prefetchers;
        return PMU_OK;
    }
    for (uint32_t i = 0; i < table->clock_registers; i++)
        if (table->clock[i].address == reg) {
            uint64_t steps = pmu->view.node->config.clock_hz / table->clock[i].hz & 0xff;
            *data = steps * UINT64_C(0x0101010101010101) & table->clock[i].mask;
            return PMU_OK;
        }
    if (stored >= 0) {
        *data = pmu->state->core[core].stored[stored];
    } else {
        report_lacking(pmu, core, reg);
        return PMU_NO_REGISTER;
    }
    return PMU_OK;
}

enum pmu_answer plain_write(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t data) {
    int stored = find(pmu->table->stored_register, pmu->table->registers, reg);
    if (stored < 0)
        return PMU_NO_REGISTER;
    pmu->state->core[core].stored[stored] = data;
    return PMU_OK;
}
