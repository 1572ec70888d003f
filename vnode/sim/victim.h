/* victim.h - a domain whose last level is filled by L2 victims, and whose directory knows exactly which cores hold a
 * line (docs/simulator.md).
 *
 * The last level keeps state and home of its lines; for other lines the directory entry does. State M or O means that
 * the last level's copy is newer than memory, so lines outside of the last level have neither state.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_VICTIM_H
#define ASSAY_SIM_VICTIM_H

#include "domain.h"

/* Where the domain has a line. */
struct holding {
    struct l3_place data;          /* way < 0: the last level does not have it */
    struct directory_entry *entry; /* NULL: no core has it */
};

/* Result of a core's request inside the domain. */
struct victim_found {
    enum sim_snoop snoop;     /* the other cores' answer */
    int modified;             /* for ownership: the last level's copy was newer than memory */
    enum private_state grant; /* for a read: state that the core may take */
    enum sim_line_state left; /* new state of the line, if it is not in the last level */
    uint32_t home;
};

struct holding victim_find(const struct domain *domain, uint64_t line);
enum sim_line_state victim_state(const struct holding *holding);

/* Home of a line that the domain has. */
uint32_t victim_home(const struct holding *holding);
void victim_count_lookup(const struct domain *domain, const struct holding *holding, enum sim_lookup kind);

/* The core reads a line that the domain has; stores what it found. */
void victim_read(struct sim_core *core, struct holding *holding, uint64_t line, struct victim_found *found);

/* The core takes ownership of a line that the domain has: all other copies in the domain are invalidated. */
struct victim_found victim_own(struct sim_core *core, struct holding *holding, uint64_t line);

/* Adds the core as a holder; `state` and `home` are stored if the last level does not have the line. Returns
 * directory_place() of its entry. */
uint32_t victim_add_sharer(struct sim_core *core, struct holding *holding, uint64_t line, enum sim_line_state state,
                           uint32_t home);

/* writeback: a modified line leaves the core's L2, which had this word for it. clean: a clean one does; nonzero if the
 * last level takes it. left: a clean line leaves the last of the core's caches. */
void victim_writeback(struct sim_core *core, uint64_t word);
int victim_clean(struct sim_core *core, uint64_t word);
void victim_left(struct sim_core *core, uint64_t line);

/* See snoop.h. */
struct domain_answer victim_snoop_read(struct domain *domain, uint64_t line);
struct domain_answer victim_drop(struct domain *domain, uint64_t line, int snooped);

#endif
