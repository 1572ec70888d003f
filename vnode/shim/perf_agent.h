/* perf_agent.h - the messages between a native LIKWID and its agent, which runs under the engine and makes LIKWID's
 * calls for perf_event (native_perf.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_PERF_AGENT_H
#define ASSAY_SHIM_PERF_AGENT_H

#include <stdint.h>

#define AGENT_FILE "perf-agent" /* in the node's folder: an agent was started */

enum { AGENT_SOCKET = 3, AGENT_ATTRIBUTES = 256, AGENT_READS = 64 };

struct agent_call {
    int32_t number; /* SYS_perf_event_open, SYS_read, SYS_ioctl or SYS_close */
    int32_t fd;     /* the agent's; perf_event_open: of the group's leader, or -1 */
    int64_t arguments[2];
    uint64_t flags;
    uint8_t attributes[AGENT_ATTRIBUTES];
};

struct agent_answer {
    int64_t result; /* or -1 */
    int32_t error;  /* errno then */
    uint8_t bytes[AGENT_READS];
};

#endif
