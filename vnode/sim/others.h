/* others.h - between domains: snoops of all other domains, and fetches of lines that a domain does not have.
 *
 * MESIF: a modified line that is read is written to memory, and the last reader forwards it (F). MOESI: its owner
 * keeps it and must write it back later (O). A request for ownership transfers modified data without writing it to
 * memory. docs/simulator.md
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_OTHERS_H
#define ASSAY_SIM_OTHERS_H

#include "hardware.h"

/* What the other domains have of a line. */
struct others {
    enum sim_snoop snoop; /* NONE: there is no other domain */
    int forwards;         /* one of them supplies the data */
    uint32_t forwarder;   /* number of that domain */
    uint32_t home;        /* HITM: home of the modified line */
};

/* Purpose of a snoop. For a read, owners and forwarders become sharers; otherwise all copies are invalidated. */
enum snoop_purpose {
    SNOOP_FOR_READ,
    SNOOP_FOR_OWNERSHIP,       /* of a line that must be fetched */
    SNOOP_FOR_OWNERSHIP_ALONE, /* of a line that the requester has */
    SNOOP_FOR_MEMORY           /* for a cache-bypassing write or a flush */
};

/* Snoops all domains but `from`. `home`: the line's home, -1: none yet. */
struct others others_snoop(struct sim *sim, uint32_t from, uint64_t line, enum snoop_purpose purpose, int home);

/* A line that arrives in a domain. */
struct arrival {
    enum sim_line_state state; /* its state in the domain */
    enum source source;
    enum sim_snoop snoop;
    uint32_t home;
};

/* Fetches a line that the core's domain does not have, from another domain or memory. */
struct arrival others_fetch(struct sim_core *core, uint64_t line, int ownership);

/* The same in a node of a single domain. */
struct arrival others_fetch_alone(struct sim_core *core, uint64_t line, int ownership);

/* The home of a line; the core's touch assigns one if there is none. */
uint32_t home_for(struct sim_core *core, uint64_t line);

#endif
