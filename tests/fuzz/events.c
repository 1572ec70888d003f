/* events.c - tables of events. All counters of an accepted table are programmed and read. Whatever the table says about
 * registers and boxes, the PMU only accesses its own state and the node's totals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "node.h"

const char fuzz_name[] = "events";
const unsigned fuzz_inputs = 3000;

enum { ENABLE = 1 << 22, ENABLE_ALL = 0x43 << 16 };

static void access_register(struct pmu *pmu, int32_t device, uint32_t cpu, uint32_t reg, uint64_t data) {
    uint64_t value;
    pmu_write(pmu, device, cpu, reg, data);
    pmu_read(pmu, device, cpu, reg, &value);
}

static void use_event(struct pmu *pmu, const struct table_event *event) {
    const struct pmu_table *table = pmu->table;
    uint64_t select = ENABLE_ALL | (event->code & 0xff) | event->umask << 8;
    for (uint32_t i = 0; i < table->core.counters; i++) {
        access_register(pmu, 0, NODE_CORES - 1, table->core.select + table->core.step * i, select);
        access_register(pmu, 0, NODE_CORES - 1, table->core.counter + table->core.step * i, 7);
    }
    for (uint32_t b = 0; b < table->boxes; b++) {
        const struct box_layout *box = &table->box[b];
        int is_msr = box->space == SPACE_MSR;
        int device = is_msr ? 0 : table_device(table, box->device, pmu->view.node->likwid_version, 0);
        uint32_t base = is_msr ? box->base : 0;
        for (uint32_t i = 0; strcmp(box->unit, event->unit) == 0 && i < box->counters; i++) {
            access_register(pmu, device, NODE_SOCKETS - 1, base + box->select[i], select | ENABLE);
            access_register(pmu, device, NODE_SOCKETS - 1, base + box->counter[i], 7);
        }
    }
}

static void use(const struct pmu_table *table) {
    static struct fuzz_node node;
    init_node(&node);
    struct pmu pmu = make_pmu(&node, table);
    access_register(&pmu, 0, NODE_CORES - 1, table->core.control, ~UINT64_C(0));
    access_register(&pmu, 0, NODE_CORES - 1, table->core.fixed_control, 0x333);
    for (uint32_t i = 0; i < table->events; i += 1 + table->events / 32) {
        count_all(&node, UINT64_C(1) << 47);
        use_event(&pmu, &table->event[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pmu_table table;
    char error[512];
    const char *file = fuzz_file(data, size);
    if (table_load(file, &table, error, sizeof error))
        fuzz_check_refusal(error, file);
    else {
        use(&table);
        fuzz_accept();
    }
    return 0;
}
