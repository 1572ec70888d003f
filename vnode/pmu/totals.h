/* totals.h - the totals of vnode/sim/counts.h by name, and their sums over all processes of a node.
 *
 * A name stands for one quantity of one kind of place (scope.h); where it is read is decided when it is read. Names are
 * those of counts.h, with the state of the line appended where there is one per state (VICTIM_M), or left open
 * (LOOKUP_RFO: the states selected by a filter; LOOKUP_RFO_MISS: not known at all). Requests that left L2 are named
 * OFFCORE_, their kind and their supplier, whatever a snoop said: OFFCORE_RFO_LOCAL_DRAM. Requests to a slice are
 * SLICE_ and ALL, their kind, or OPCODE for the kinds selected by a filter, then _MISS, _LOCAL, _REMOTE for those
 * alone: SLICE_OPCODE_MISS_LOCAL. Lines of a bank, a bank group (of four banks) or a rank of memory are
 * BANK_READ_RANK0_BANK15, BANK_WRITE_RANK7_GROUP3, BANK_READ_RANK2; answers to snoops ANSWER_SHARED, or of local
 * requests ANSWER_SHARED_LOCAL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_TOTALS_H
#define ASSAY_PMU_TOTALS_H

#include <stdint.h>

#include "node_view.h"
#include "scope.h"

/* What a register of a box selects of totals that are kept apart: bits of enum sim_line_state, and of enum sim_request.
 */
struct total_filter {
    uint32_t states, requests;
};

enum total_choice { CHOICE_NONE, CHOICE_STATES, CHOICE_REQUESTS };

/* What a name refers to: `sets` of totals, `set_step` apart, of which a filter may choose (by the bit of the set's
 * number); in a set `totals`, `step` apart. `offset` bytes from the start of its place is the first. Instances of the
 * place are `place_step` totals apart, if its totals are kept in arrays by instance. */
struct total_name {
    enum scope scope;
    uint32_t offset;
    enum total_choice choice;
    uint32_t sets, set_step, totals, step, place_step;
};

/* 0 and fills `out`, or -1: no such total. */
int total_find(const char *name, struct total_name *out);

/* Bytes from the start of struct sim_counts to the first one; `place` is of the total's scope. */
uint32_t total_offset(const struct total_name *total, const struct place *place);

/* The same for requests that left L2 of a core. */
uint32_t offcore_offset(uint32_t core, enum sim_request request, enum sim_supplier supplier, enum sim_snoop snoop);

/* The words for the requests and suppliers of counts.h, for its answers, and for its commands to memory. */
extern const char *const request_names[SIM_REQUESTS], *const supplier_names[SIM_SUPPLIERS];
extern const char *const answer_names[SIM_ANSWERS], *const dram_names[DRAM_COMMANDS];

/* The name of an enum sim_core_count, NULL if it has none. */
const char *core_count_name(int count);

/* From now on the node's processes count what the name refers to, if it is one that they leave out unless asked
 * (vnode/node_file.h). */
void node_ask(struct node_file *node, const struct total_name *total);

/* The node's total at `offset` of struct sim_counts. Call with the node locked. */
uint64_t node_total(const struct node_view *view, uint32_t offset);

/* What the name refers to, at a place of its scope. Call with the node locked. */
uint64_t node_sum(const struct node_view *view, const struct total_name *total, const struct place *place,
                  const struct total_filter *filter);

#endif
