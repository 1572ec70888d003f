/* victim.h - what happens inside a domain whose last level is filled by the victims of its cores' L2s, and whose
 * directory knows exactly which cores hold what (docs/simulator.md).
 *
 * Where the last level has a line it keeps the line's state and home, else the line's entry of the directory does.
 * State M or O means that the last level's copy is newer than memory; so neither is the state of a line that it does
 * not have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_VICTIM_H
#define ASSAY_SIM_VICTIM_H

#include "domain.h"

/* What the domain knows of a line. */
struct holding {
    struct l3_place data;          /* way < 0: the last level does not have it */
    struct directory_entry *entry; /* NULL: no core has it */
};

/* What a core's request came upon inside of the domain. */
struct victim_found {
    enum sim_snoop snoop;     /* the other cores' answer */
    int modified;             /* ownership: the last level's copy was newer than memory */
    enum private_state grant; /* a read: what the core may take the line as */
    enum sim_line_state left; /* the line's state from now on, if the last level does not have it */
    uint32_t home;
};

struct holding victim_find(const struct domain *domain, uint64_t line);
enum sim_line_state victim_state(const struct holding *holding);

/* Where a line that the domain knows came from. */
uint32_t victim_home(const struct holding *holding);
void victim_count_lookup(const struct domain *domain, const struct holding *holding, enum sim_lookup kind);

/* The core reads a line that the domain knows. */
struct victim_found victim_read(struct sim_core *core, struct holding *holding, uint64_t line);

/* The core takes a line that the domain knows for its own: all other copies in the domain go. */
struct victim_found victim_own(struct sim_core *core, struct holding *holding, uint64_t line);

/* From now on the core holds the line, with `state` and `home` if the last level does not have it. */
void victim_add_sharer(struct sim_core *core, struct holding *holding, uint64_t line, enum sim_line_state state,
                       uint32_t home);

/* A modified line leaves the core's L2; a clean one does: nonzero if the last level takes it; a clean line leaves the
 * last of the core's caches. */
void victim_writeback(struct sim_core *core, uint64_t line);
int victim_clean(struct sim_core *core, uint64_t line);
void victim_left(struct sim_core *core, uint64_t line);

/* See snoop.h. */
struct domain_answer victim_snoop_read(struct domain *domain, uint64_t line);
struct domain_answer victim_drop(struct domain *domain, uint64_t line, int snooped);

#endif
