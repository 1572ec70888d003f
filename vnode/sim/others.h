/* others.h - what is between the domains: snoops of all others, and where a line comes from that a domain does not
 * know.
 *
 * MESIF: a modified line that is read is written to memory, the last reader forwards it (F). MOESI: its owner keeps it,
 * and goes on owing it to memory (O). For ownership a modified line moves on without being written. docs/simulator.md
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_OTHERS_H
#define ASSAY_SIM_OTHERS_H

#include "hardware.h"

/* What the other domains had of a line. */
struct others {
    enum sim_snoop snoop; /* NONE: there is no other domain */
    int forwards;         /* one of them supplies the data */
    uint32_t forwarder;   /* number of that domain */
    uint32_t home;        /* HITM: where the modified line came from, and belongs */
};

/* Why others are snooped. For a read owners and forwarders become sharers; for all else all copies go. */
enum snoop_purpose {
    SNOOP_FOR_READ,
    SNOOP_FOR_OWNERSHIP,       /* of a line that has to come */
    SNOOP_FOR_OWNERSHIP_ALONE, /* of a line that is there */
    SNOOP_FOR_MEMORY           /* it is written past the caches, or flushed */
};

/* Asks the domains besides `from`. `home`: whose line it is, -1: nobody's yet. */
struct others others_snoop(struct sim *sim, uint32_t from, uint64_t line, enum snoop_purpose purpose, int home);

/* A line that comes to a domain. */
struct arrival {
    enum sim_line_state state; /* of the domain from now on */
    enum source source;
    enum sim_snoop snoop;
    uint32_t home;
};

/* Fetches a line that the core's domain does not know from another one or from memory. */
struct arrival others_fetch(struct sim_core *core, uint64_t line, int ownership);

/* The home of a line that the core touches. */
uint32_t home_for(struct sim_core *core, uint64_t line);

#endif
