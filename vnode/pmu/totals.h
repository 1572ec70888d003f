/* totals.h - the totals of vnode/sim/counts.h by name, summed over all processes of a node.
 *
 * A name stands for a quantity of one kind of place (scope.h); the place is chosen when it is read. Names are those
 * of counts.h, with these forms for arrays:
 *     VICTIM_M                       per line state
 *     LOOKUP_RFO                     line states selected by a filter
 *     LOOKUP_RFO_MISS                line absent
 *     OFFCORE_RFO_LOCAL_DRAM         requests that left L2: kind and supplier, any snoop result
 *     OFFCORE_RFO                    any supplier
 *     SLICE_ALL, SLICE_RFO           requests to a slice: all, or one kind
 *     SLICE_OPCODE_MISS_LOCAL        kinds selected by a filter; _MISS, _LOCAL, _REMOTE restrict any SLICE_ name
 *     BANK_READ_RANK0_BANK15         lines of a memory bank
 *     BANK_WRITE_RANK7_GROUP3        of a bank group (four banks)
 *     BANK_READ_RANK2                of a rank
 *     ANSWER_SHARED[_LOCAL]          answers to snoops [of local requests]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_TOTALS_H
#define ASSAY_PMU_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "node_view.h"
#include "scope.h"

/* A box's filter: selected line states (bits of enum sim_line_state) and requests (bits of enum sim_request). */
struct total_filter {
    uint32_t states, requests;
};

enum total_choice { CHOICE_NONE, CHOICE_STATES, CHOICE_REQUESTS };

/* The totals of a name: `sets` sets, `set_step` apart; a filter may choose among them by bit number. A set has
 * `totals` totals, `step` apart. The first is `offset` bytes from the start of its place. If the place's totals are
 * arrays by instance, instances are `place_step` totals apart. */
struct total_name {
    enum scope scope;
    uint32_t offset;
    enum total_choice choice;
    uint32_t sets, set_step, totals, step, place_step;
};

/* 0 and fills `out`, or -1: no such total. */
int total_find(const char *name, struct total_name *out);

/* Offset of the first total in struct sim_counts; `place` must have the total's scope. */
uint32_t total_offset(const struct total_name *total, const struct place *place);

/* Offset of a core's count of offcore responses in struct sim_counts. */
uint32_t offcore_offset(uint32_t core, enum sim_request request, enum sim_supplier supplier, enum sim_snoop snoop);

/* Names of the requests, suppliers, answers and memory commands of counts.h. */
extern const char *const request_names[SIM_REQUESTS], *const supplier_names[SIM_SUPPLIERS];
extern const char *const answer_names[SIM_ANSWERS], *const dram_names[DRAM_COMMANDS];

/* The name of an enum sim_core_count, NULL if it has none. */
const char *core_count_name(int count);

/* Makes the node's processes count the total if they count it only on request (`follows` in vnode/node_file.h). */
void node_ask(struct node_file *node, const struct total_name *total);

/* The node's sum at `offset` in struct sim_counts. Call with the node locked. */
uint64_t node_total(const struct node_view *view, uint32_t offset);

/* A socket's uncore cycles: the node's time. Call with the node locked. */
static inline uint64_t uncore_cycles(const struct node_view *view, uint32_t socket) {
    return node_total(view, (uint32_t)(offsetof(struct sim_counts, socket[0].uncore_cycles) +
                                       socket * sizeof(struct sim_socket_counts)));
}

/* The value of a name at a place of its scope. Call with the node locked. */
uint64_t node_sum(const struct node_view *view, const struct total_name *total, const struct place *place,
                  const struct total_filter *filter);

#endif
