/* faults.c - fault files. Accepted faults are applied to a counter of every kind, which must still show 48 bits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "node.h"
#include "vnode/pmu/counter.h"
#include "vnode/pmu/fault_file.h"

const char fuzz_name[] = "faults";
const unsigned fuzz_inputs = 60000;

static void use(const struct fault_list *faults, const struct pmu_table *table) {
    static const uint64_t counts[] = {0, 1, 1000, (UINT64_C(1) << 48) - 1, UINT64_MAX};
    FUZZ_CHECK(faults->count <= FAULTS_MAX, "%u faults", faults->count);
    for (uint32_t i = 0; i < faults->count; i++) {
        const struct fault *fault = &faults->fault[i];
        struct programmed at = {.faults = faults,
                                .counter = fault->counter,
                                .event = fault->event,
                                .socket = fault->socket,
                                .bits = fault->target == FAULT_EVENT ? table_width(table, fault->event.unit)
                                                                     : table->core.width};
        if (fault->kind == FAULT_NO_DEVICE) {
            FUZZ_CHECK(fault_removes(faults, table, fault->counter.kind, fault->counter.instance), "box still there");
            continue;
        }
        uint32_t bits = fault_bits(&at);
        FUZZ_CHECK(bits >= 1 && bits <= at.bits, "a counter of %u bits", bits);
        FUZZ_CHECK(fault_origin(&at) >> bits == 0, "starts beyond its bits");
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            uint64_t shown = fault_show(&at, counts[n] & low_bits(bits));
            FUZZ_CHECK((shown & ~low_bits(at.bits)) == 0, "shows %llx", (unsigned long long)shown);
            fault_count(&at, (uint32_t)n, counts[n]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pmu_table *table;
    static struct fuzz_node node;
    static struct fault_list faults;
    char error[512], *text = fuzz_text(data, size);
    if (!table) {
        table = load_events(PMU_EVENTS);
        init_node(&node);
    }
    if (faults_parse(text, "x.faults", table, &node.file.config, &faults, NULL, error, sizeof error))
        fuzz_check_refusal(error, "x.faults");
    else {
        use(&faults, table);
        fuzz_accept();
    }
    free(text);
    return 0;
}
