/* protocol.h - the records that LIKWID and its access daemon exchange, versions 5.2 to 5.5.
 *
 * The daemon starts without arguments and with an empty environment. It listens on a socket named by its process id,
 * serves one client, answers each record with the same record completed, and ends with the connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PROTOCOL_H
#define ASSAY_PMU_PROTOCOL_H

#include <stdint.h>

/* Where LIKWID expects the daemon's socket. That name is predictable, so anybody could create a socket or link there.
 * The node's daemons listen in the node's private folder instead, and its processes connect there. */
#define PROTOCOL_SOCKET_PREFIX "/tmp/likwid-"
#define NODE_SOCKET_PREFIX "socket."

/* The folder is addressed by an open descriptor, because its path may exceed the limit of socket names. */
#define NODE_SOCKET_FOLDER "/proc/self/fd/"
#define NODE_SOCKET NODE_SOCKET_FOLDER "%d/" NODE_SOCKET_PREFIX

/* Not part of LIKWID: a pipe in the node's folder that becomes readable when the daemon with that process id listens.
 * LIKWID would retry connecting a random number of times, on which simulated processes must not depend. */
#define READY_PIPE_PREFIX "%s/ready."
#define READY_PIPE READY_PIPE_PREFIX "%d"

enum protocol_type { PROTOCOL_READ, PROTOCOL_WRITE, PROTOCOL_CHECK, PROTOCOL_EXIT };

struct protocol_record {
    uint32_t cpu; /* socket number if `device` is not 0 */
    uint32_t reg;
    uint64_t data;
    int32_t device, type, error; /* error: enum pmu_answer */
    int32_t padding;
};

_Static_assert(sizeof(struct protocol_record) == 32, "the record's size is part of the protocol");

#endif
