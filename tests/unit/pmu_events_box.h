/* pmu_events_box.h - part of pmu_events.c: expected counts of Haswell-EP's box events, by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_PMU_EVENTS_BOX_H
#define ASSAY_TESTS_PMU_EVENTS_BOX_H

#include <stdio.h>
#include <string.h>

#include "vnode/sim/counts.h"

/* Whether the event's whole name matches `format`; stores its numbers. */
static inline int is_named(const char *event, const char *format, unsigned *first, unsigned *second) {
    char end[80];
    int numbers = sscanf(event, format, first, second);
    if (numbers < 0)
        return 0;
    *second = numbers > 1 ? *second : 0;
    snprintf(end, sizeof end, format, *first, *second);
    return strcmp(event, end) == 0;
}

static inline int is_one_of(const char *event, const char *const *names, size_t count, int *which) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(event, names[i]) == 0) {
            *which = (int)i;
            return 1;
        }
    return 0;
}
#define IS_ONE_OF(event, names, which) is_one_of(event, names, sizeof(names) / sizeof *(names), which)

/* ---- channels ---- */

static inline uint64_t banks_truth(const struct sim_memory_counts *memory, uint32_t channel, enum dram_command command,
                                   unsigned rank, unsigned first, unsigned banks) {
    uint64_t sum = 0;
    for (unsigned bank = first; bank < first + banks; bank++)
        sum += memory->banks[command][channel][rank][bank];
    return sum;
}

static inline int banks_named(const char *event, const struct sim_memory_counts *memory, uint32_t channel,
                              uint64_t *out) {
    static const char *const formats[][3] = {
        [DRAM_READ] = {"RD_CAS_RANK%u_BANK%u", "RD_CAS_RANK%u_BANKG%u", "RD_CAS_RANK%u_ALLBANKS"},
        [DRAM_WRITE] = {"WR_CAS_RANK%u_BANK%u", "WR_CAS_RANK%u_BANKG%u", "WR_CAS_RANK%u_ALLBANKS"}};
    unsigned rank = 0, of = 0;
    for (int command = 0; command < DRAM_COMMANDS; command++) {
        enum dram_command which = (enum dram_command)command;
        if (is_named(event, formats[command][0], &rank, &of))
            *out = banks_truth(memory, channel, which, rank, of, 1);
        else if (is_named(event, formats[command][1], &rank, &of))
            *out = banks_truth(memory, channel, which, rank, 4 * of, 4);
        else if (is_named(event, formats[command][2], &rank, &of))
            *out = banks_truth(memory, channel, which, rank, 0, SIM_BANKS_MAX);
        else
            continue;
        return 1;
    }
    return 0;
}

static inline int channel_truth(const char *event, const struct sim_memory_counts *memory, uint32_t channel,
                                uint64_t *out) {
    static const char *const never[] = {"CAS_COUNT_RD_UNDERFILL", "ACT_COUNT_BYP",         "PRE_COUNT_PAGE_CLOSE",
                                        "PRE_COUNT_BYP",          "BYP_CMDS_ACT",          "BYP_CMDS_CAS",
                                        "BYP_CMDS_PRE",           "ECC_CORRECTABLE_ERRORS"};
    static const char *const names[] = {"CAS_COUNT_RD", "CAS_COUNT_WR", "CAS_COUNT_ALL",      "CAS_COUNT_RD_REG",
                                        "RPQ_INSERTS",  "WPQ_INSERTS",  "ACT_COUNT_RD",       "ACT_COUNT_WR",
                                        "PRE_COUNT_RD", "PRE_COUNT_WR", "PRE_COUNT_PAGE_MISS"};
    const uint64_t reads = memory->cas_read[channel], writes = memory->cas_write[channel];
    const uint64_t closed_r = memory->precharges[DRAM_READ][channel],
                   closed_w = memory->precharges[DRAM_WRITE][channel];
    const uint64_t values[] = {reads,
                               writes,
                               reads + writes,
                               reads,
                               reads,
                               writes,
                               memory->activates[DRAM_READ][channel],
                               memory->activates[DRAM_WRITE][channel],
                               closed_r,
                               closed_w,
                               closed_r + closed_w};
    int which;
    *out = 0;
    if (IS_ONE_OF(event, never, &which))
        return 1;
    if (IS_ONE_OF(event, names, &which))
        *out = values[which];
    else
        return banks_named(event, memory, channel, out);
    return 1;
}

/* ---- slices ---- */

/* Lookups of these kinds (bits of enum sim_lookup) in these states (bits of enum sim_line_state). */
static inline uint64_t lookups_truth(const struct sim_slice_counts *slice, unsigned kinds, unsigned states) {
    uint64_t sum = 0;
    for (int kind = 0; kind < SIM_LOOKUPS; kind++)
        for (int state = 0; state < SIM_LINE_STATES; state++)
            if ((kinds >> kind & 1) && (states >> state & 1))
                sum += slice->lookups[kind][state];
    return sum;
}

/* Requests of these kinds (bits of enum sim_request). `misses`: only misses; `distance` -1: local and remote. */
static inline uint64_t requests_truth(const struct sim_slice_counts *slice, unsigned kinds, int misses, int distance) {
    uint64_t sum = 0;
    for (int kind = 0; kind < SIM_REQUESTS; kind++)
        for (int far = 0; far < SIM_DISTANCES; far++)
            if ((kinds >> kind & 1) && (distance < 0 || distance == far))
                sum += slice->requests[kind][LINE_UNKNOWN][far] + (misses ? 0 : slice->requests[kind][LINE_KNOWN][far]);
    return sum;
}

/* The selection of the box's filters. */
struct truth_filter {
    unsigned states, requests;
};

static inline int slice_truth(const char *event, const struct sim_slice_counts *slice, struct truth_filter filter,
                              uint64_t *out) {
    enum { ALL = ~0, READS = 1 << LOOKUP_DATA_READ | 1 << LOOKUP_RFO | 1 << LOOKUP_CODE_READ };
    static const char *const names[] = {"LLC_LOOKUP_DATA_READ",
                                        "LLC_LOOKUP_WRITE",
                                        "LLC_LOOKUP_REMOTE_SNOOP",
                                        "LLC_LOOKUP_ANY",
                                        "LLC_LOOKUP_READ",
                                        "LLC_VICTIMS_M",
                                        "LLC_VICTIMS_E",
                                        "LLC_VICTIMS_I",
                                        "LLC_VICTIMS_F",
                                        "LLC_VICTIMS_MEIF",
                                        "TOR_INSERTS_WB",
                                        "TOR_INSERTS_LOCAL_OPCODE",
                                        "TOR_INSERTS_MISS_LOCAL_OPCODE",
                                        "TOR_INSERTS_REMOTE_OPCODE",
                                        "TOR_INSERTS_MISS_REMOTE_OPCODE",
                                        "RXR_INSERTS_IRQ",
                                        "RXR_INSERTS_IPQ",
                                        "RXR_INSERTS_PRQ",
                                        "MISC_RSPI_WAS_FSE",
                                        "MISC_WC_ALIASING",
                                        "MISC_RFO_HIT_S",
                                        "MISC_CVZERO_PREFETCH_VICTIM",
                                        "MISC_CVZERO_PREFETCH_MISS"};
    const uint64_t *victims = slice->victims;
    const unsigned writes = 1u << REQUEST_WRITEBACK | 1u << REQUEST_STREAMING_STORE;
    const uint64_t values[] = {lookups_truth(slice, 1 << LOOKUP_DATA_READ, filter.states),
                               lookups_truth(slice, 1 << LOOKUP_WRITE, filter.states),
                               lookups_truth(slice, 1 << LOOKUP_REMOTE_SNOOP, filter.states),
                               lookups_truth(slice, (unsigned)ALL, filter.states),
                               lookups_truth(slice, READS, filter.states),
                               victims[LINE_M],
                               victims[LINE_E],
                               victims[LINE_S],
                               victims[LINE_F],
                               victims[LINE_M] + victims[LINE_E] + victims[LINE_S] + victims[LINE_F],
                               requests_truth(slice, writes, 0, -1),
                               requests_truth(slice, filter.requests, 0, DISTANCE_LOCAL),
                               requests_truth(slice, filter.requests, 1, DISTANCE_LOCAL),
                               requests_truth(slice, filter.requests, 0, DISTANCE_REMOTE),
                               requests_truth(slice, filter.requests, 1, DISTANCE_REMOTE),
                               requests_truth(slice, (unsigned)ALL, 0, -1),
                               lookups_truth(slice, 1 << LOOKUP_REMOTE_SNOOP, (unsigned)ALL),
                               0,
                               slice->clean_given_up,
                               slice->streams_over_modified,
                               slice->lookups[LOOKUP_RFO][LINE_S],
                               0,
                               0};
    int which;
    if (!IS_ONE_OF(event, names, &which))
        return 0;
    *out = values[which];
    return 1;
}

/* ---- home agents ---- */

static inline int answers_named(const char *event, const struct sim_agent_counts *agent, uint64_t *out) {
    static const struct {
        const char *all, *local;
        enum sim_answer answer;
    } answers[] = {{"SNOOP_RESP_RSPI", "SNP_RESP_RECV_LOCAL_RSPI", ANSWER_INVALID},
                   {"SNOOP_RESP_RSPS", "SNP_RESP_RECV_LOCAL_RSPS", ANSWER_SHARED},
                   {"SNOOP_RESP_RSPIFWD", "SNP_RESP_RECV_LOCAL_RSPIFWD", ANSWER_INVALID_FORWARD},
                   {"SNOOP_RESP_RSPSFWD", "SNP_RESP_RECV_LOCAL_RSPSFWD", ANSWER_SHARED_FORWARD},
                   {"SNOOP_RESP_RSP_WB", "SNP_RESP_RECV_LOCAL_RSPXWB", ANSWER_WRITEBACK},
                   {"SNOOP_RESP_RSP_FWD_WB", "SNP_RESP_RECV_LOCAL_RSPXFWDXWB", ANSWER_FORWARD_WRITEBACK}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        int all = strcmp(event, answers[i].all) == 0;
        if (!all && strcmp(event, answers[i].local) != 0)
            continue;
        *out = agent->answers[DISTANCE_LOCAL][answers[i].answer];
        *out += all ? agent->answers[DISTANCE_REMOTE][answers[i].answer] : 0;
        return 1;
    }
    return 0;
}

static inline int agent_truth(const char *event, const struct sim_agent_counts *agent, uint64_t clock, uint64_t *out) {
    static const char *const never[] = {"HITME_", "DIRECTORY_"};
    static const char *const names[] = {"BBOX_CLOCKTICKS",
                                        "REQUESTS_READS_LOCAL",
                                        "REQUESTS_READS_REMOTE",
                                        "REQUESTS_READS",
                                        "REQUESTS_WRITES_LOCAL",
                                        "REQUESTS_WRITES_REMOTE",
                                        "REQUESTS_WRITES",
                                        "BYPASS_IMC_TAKEN",
                                        "BYPASS_IMC_NOT_TAKEN",
                                        "IMC_READS_NORMAL",
                                        "IMC_WRITES_FULL",
                                        "IMC_WRITES_PARTIAL",
                                        "IMC_WRITES_FULL_ISOCH",
                                        "IMC_WRITES_PARTIAL_ISOCH",
                                        "IMC_WRITES_ALL",
                                        "SNOOP_RESP_RSPCNFLCT",
                                        "SNP_RESP_RECV_LOCAL_RSPCNFLCT"};
    const uint64_t values[] = {clock,
                               agent->requests_local_read,
                               agent->requests_remote_read,
                               agent->requests_local_read + agent->requests_remote_read,
                               agent->requests_local_write,
                               agent->requests_remote_write,
                               agent->requests_local_write + agent->requests_remote_write,
                               agent->reads_bypass,
                               agent->reads,
                               agent->reads,
                               agent->writes - agent->writes_partial,
                               agent->writes_partial,
                               0,
                               0,
                               agent->writes,
                               0,
                               0};
    int which;
    *out = 0;
    if (strncmp(event, never[0], strlen(never[0])) == 0 || strncmp(event, never[1], strlen(never[1])) == 0)
        return 1;
    if (!IS_ONE_OF(event, names, &which))
        return answers_named(event, agent, out);
    *out = values[which];
    return 1;
}

/* ---- links ---- */

static inline int link_truth(const char *event, const struct sim_socket_counts *socket, uint32_t link, uint64_t *out) {
    static const char *const names[] = {"G0_DATA", "G1_SNP",      "G1_HOM_REQ",     "G1_DRS_DATA", "G1_DRS_NONDATA",
                                        "G1_DRS",  "G2_NCB_DATA", "G2_NCB_NONDATA", "G2_NCB",      "G2_NCS"};
    int sent = strncmp(event, "TXL_FLITS_", 10) == 0;
    if (!sent && strncmp(event, "RXL_FLITS_", 10) != 0)
        return 0;
    uint64_t lines = sent ? socket->link_data_lines_out[link] : socket->link_data_lines_in[link];
    const uint64_t values[] = {8 * lines,
                               sent ? socket->link_snoops_out[link] : socket->link_snoops_in[link],
                               sent ? socket->link_reads_out[link] : socket->link_reads_in[link],
                               8 * lines,
                               lines,
                               9 * lines,
                               0,
                               0,
                               0,
                               0};
    int which;
    if (!IS_ONE_OF(event + 10, names, &which))
        return 0;
    *out = values[which];
    return 1;
}

#endif
