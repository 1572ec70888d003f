/* protocol.h - the records that LIKWID and its access daemon exchange, versions 5.2 to 5.5.
 *
 * The daemon is started without arguments and with an empty environment. It listens on a socket named by its process
 * id, serves one client, answers each record with the same record filled in, and ends with the connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_PROTOCOL_H
#define ASSAY_PMU_PROTOCOL_H

#include <stdint.h>

/* Where LIKWID expects the daemon to listen. The name can be foreseen, so anybody could put a socket or a link there:
 * the daemons of the node listen in its folder instead, which others cannot enter, and its processes connect there. */
#define PROTOCOL_SOCKET_PREFIX "/tmp/likwid-"
#define NODE_SOCKET_PREFIX "socket."

/* The folder is named by an open descriptor: its own name may be longer than that of a socket. */
#define NODE_SOCKET_FOLDER "/proc/self/fd/"
#define NODE_SOCKET NODE_SOCKET_FOLDER "%d/" NODE_SOCKET_PREFIX

/* Our own: a pipe in the node's folder that becomes readable when the daemon of that process id listens. LIKWID would
 * try to connect again and again, and how often that takes is chance, which simulated processes must not depend on. */
#define READY_PIPE_PREFIX "%s/ready."
#define READY_PIPE READY_PIPE_PREFIX "%d"

enum protocol_type { PROTOCOL_READ, PROTOCOL_WRITE, PROTOCOL_CHECK, PROTOCOL_EXIT };

struct protocol_record {
    uint32_t cpu; /* the socket's number when `device` is not 0 */
    uint32_t reg;
    uint64_t data;
    int32_t device, type, error; /* error: enum pmu_answer */
    int32_t padding;
};

_Static_assert(sizeof(struct protocol_record) == 32, "the record's size is part of the protocol");

#endif
