/* victim.c - a domain whose last level is filled by L2 victims.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "victim.h"

#include "memory.h"
#include "private.h"

inline struct holding victim_find(const struct domain *domain, uint64_t line) {
    return (struct holding){l3_find(&domain->l3, line), directory_find(&domain->directory, line)};
}

/* The same for a line that L2 had in this word. */
static inline struct holding find_victim(const struct domain *domain, uint64_t word) {
    uint64_t line = cache_key(word);
    return (struct holding){l3_find(&domain->l3, line), directory_find_in(&domain->directory, line, cache_place(word))};
}

static inline int in_last_level(const struct holding *holding) {
    return holding->data.way >= 0;
}

static inline uint64_t sharers_of(const struct holding *holding) {
    return holding->entry ? holding->entry->sharers : 0;
}

static inline uint8_t *data_state(const struct holding *holding) {
    return &holding->data.set->state[holding->data.way];
}

inline enum sim_line_state victim_state(const struct holding *holding) {
    if (in_last_level(holding))
        return (enum sim_line_state) * data_state(holding);
    return holding->entry ? (enum sim_line_state)holding->entry->state : LINE_I;
}

static void set_state(const struct holding *holding, enum sim_line_state state) {
    *(in_last_level(holding) ? data_state(holding) : &holding->entry->state) = (uint8_t)state;
}

inline uint32_t victim_home(const struct holding *holding) {
    return in_last_level(holding) ? holding->data.set->home[holding->data.way] : holding->entry->home;
}

inline void victim_count_lookup(const struct domain *domain, const struct holding *holding, enum sim_lookup kind) {
    struct sim_slice_counts *slice = &domain->slices[holding->data.set->slice];
    slice->lookups[kind][victim_state(holding)]++;
    slice->lookups_directory[kind] += !in_last_level(holding) && holding->entry;
}

/* ---- the last level ---- */

/* The state of a line after its copy was written back to memory. */
static enum sim_line_state settled(enum sim_line_state state) {
    if (state == LINE_M)
        return LINE_E;
    return state == LINE_O ? LINE_S : state;
}

/* Of a line in the last level: the directory may have an entry. The directory knows which cores are meant. */
enum { NO_CORE, ANY_CORE };

/* Evicts the line of `place`, if any. The cores keep their copies. */
static inline void evict(struct domain *domain, const struct l3_place *place) {
    enum sim_line_state state = (enum sim_line_state)place->set->state[place->way];
    if (state == LINE_I)
        return;
    uint64_t line = l3_line(&domain->l3, place);
    struct directory_entry *entry = place->set->sharers[place->way] ? directory_find(&domain->directory, line) : NULL;
    if (entry)
        entry->state = (uint8_t)settled(state);
    domain->slices[place->set->slice].victims[state]++;
    if (line_modified(state))
        memory_write(domain->sim, place->set->home[place->way], line, domain->socket, 0);
}

/* Inserts a line that a core of the domain holds into the last level. */
static inline void enter(struct domain *domain, struct holding *holding, enum sim_line_state state) {
    uint32_t home = victim_home(holding);
    holding->data.way = l3_victim(&holding->data);
    evict(domain, &holding->data);
    l3_fill(&holding->data, state, home, ANY_CORE);
}

/* The last level takes modified data. */
static void take_modified(struct domain *domain, struct holding *holding) {
    if (in_last_level(holding))
        set_state(holding, LINE_M);
    else
        enter(domain, holding, LINE_M);
}

/* Removes the line from the last level; its state becomes `left`. */
static inline void give_up(struct holding *holding, enum sim_line_state left) {
    if (holding->entry) {
        holding->entry->state = (uint8_t)left;
        holding->entry->home = holding->data.set->home[holding->data.way];
    }
    l3_remove(&holding->data);
    holding->data.way = -1;
}

/* ---- the cores ---- */

/* Invalidates the line in the cores `sharers`. Returns their strongest answer. */
static __attribute__((noinline)) enum sim_snoop invalidate_in(const struct domain *domain, uint64_t sharers,
                                                              uint64_t line) {
    enum sim_snoop snoop = SNOOP_NONE;
    for (; sharers; sharers &= sharers - 1)
        snoop = stronger_snoop(snoop, snoop_answer(private_drop(core_of_bit(domain, sharers), line, 1)));
    return snoop;
}

static inline enum sim_snoop invalidate(const struct domain *domain, uint64_t sharers, uint64_t line) {
    return sharers ? invalidate_in(domain, sharers, line) : SNOOP_NONE;
}

/* Before a read by the core with bit `reader` (0: by another domain): snoops the one core that may hold more than a
 * shared copy. Modified data go to the last level. */
static enum sim_snoop ask_owner(struct domain *domain, struct holding *holding, uint64_t line, uint64_t reader) {
    if (!line_owned(victim_state(holding)) || !one_other(sharers_of(holding), reader))
        return SNOOP_NONE;
    return snoop_answer(private_share(core_of_bit(domain, sharers_of(holding)), line, 1));
}

/* The snoop filter reuses an entry: the cores drop its line. Modified data go to the last level if it has the line,
 * else to memory: the last level holds L2 victims, and would have to evict another line. */
static __attribute__((noinline)) void displace(struct domain *domain, const struct displaced *displaced) {
    struct l3_place place = l3_find(&domain->l3, displaced->line);
    if (invalidate(domain, displaced->entry.sharers, displaced->line) != SNOOP_HITM)
        return;
    if (place.way >= 0)
        place.set->state[place.way] = LINE_M;
    else
        memory_write(domain->sim, displaced->entry.home, displaced->line, domain->socket, 0);
}

uint32_t victim_add_sharer(struct sim_core *core, struct holding *holding, uint64_t line, enum sim_line_state state,
                           uint32_t home) {
    struct domain *domain = core->domain;
    struct displaced displaced = {0};
    if (holding->entry) {
        directory_touch(&domain->directory, holding->entry);
    } else {
        holding->entry = directory_make(&domain->directory, line, &displaced);
        holding->entry->state = (uint8_t)state;
        holding->entry->home = (uint8_t)home;
    }
    holding->entry->sharers |= core->bit;
    if (in_last_level(holding))
        holding->data.set->sharers[holding->data.way] = ANY_CORE;
    if (displaced.any)
        displace(domain, &displaced);
    return directory_place(&domain->directory, holding->entry);
}

static inline void remove_sharer(struct sim_core *core, struct holding *holding) {
    holding->entry->sharers &= ~core->bit;
    if (holding->entry->sharers)
        return;
    directory_free(&core->domain->directory, holding->entry);
    if (in_last_level(holding))
        holding->data.set->sharers[holding->data.way] = NO_CORE;
}

/* ---- requests ---- */

static enum private_state grant_in(enum sim_line_state state) {
    if (state == LINE_M)
        return PRIVATE_M;
    return state == LINE_E ? PRIVATE_E : PRIVATE_S;
}

/* No other core has the line. The last level's copy moves to the core together with the duty to write it back. A core
 * cannot have that duty for a line that other domains have too. */
static inline void read_alone(struct holding *holding, struct victim_found *found) {
    enum sim_line_state state = victim_state(holding);
    found->grant = grant_in(state);
    found->left = state == LINE_M ? LINE_E : state;
    if (!in_last_level(holding))
        return;
    if (state == LINE_O)
        l3_touch(&holding->data);
    else
        give_up(holding, found->left);
}

/* Other cores have the line. */
static __attribute__((noinline)) void read_shared(struct sim_core *core, struct holding *holding, uint64_t line,
                                                  struct victim_found *found) {
    found->grant = PRIVATE_S;
    found->left = victim_state(holding);
    found->snoop = ask_owner(core->domain, holding, line, core->bit);
    if (found->snoop == SNOOP_HITM)
        take_modified(core->domain, holding);
    else if (!in_last_level(holding))
        found->snoop = SNOOP_HIT; /* another core supplies the line */
    if (in_last_level(holding))
        l3_touch(&holding->data);
}

void victim_read(struct sim_core *core, struct holding *holding, uint64_t line, struct victim_found *found) {
    *found = (struct victim_found){.home = victim_home(holding)};
    if (sharers_of(holding) & ~core->bit)
        read_shared(core, holding, line, found);
    else
        read_alone(holding, found);
}

struct victim_found victim_own(struct sim_core *core, struct holding *holding, uint64_t line) {
    struct victim_found found = {.left = LINE_E, .home = victim_home(holding)};
    found.modified = line_modified(victim_state(holding));
    found.snoop = invalidate(core->domain, sharers_of(holding) & ~core->bit, line);
    if (holding->entry)
        holding->entry->sharers &= core->bit;
    if (in_last_level(holding))
        give_up(holding, LINE_E);
    else
        holding->entry->state = LINE_E;
    return found;
}

/* ---- victims of the cores ---- */

static inline void leave_l2(struct sim_core *core, struct holding *holding, uint64_t word) {
    if (!private_keeps(core, word, 1))
        remove_sharer(core, holding);
}

__attribute__((flatten)) void victim_writeback(struct sim_core *core, uint64_t word) {
    struct domain *domain = core->domain;
    struct holding holding = find_victim(domain, word);
    victim_count_lookup(domain, &holding, LOOKUP_WRITE);
    domain->slices[holding.data.set->slice].victims_in_modified++;
    domain_count_request(domain, holding.data.set->slice, REQUEST_WRITEBACK, LINE_KNOWN, victim_home(&holding));
    take_modified(domain, &holding);
    leave_l2(core, &holding, word);
}

__attribute__((flatten)) int victim_clean(struct sim_core *core, uint64_t word) {
    struct domain *domain = core->domain;
    struct holding holding = find_victim(domain, word);
    int taken = !in_last_level(&holding) && (holding.entry->sharers & ~core->bit) == 0;
    if (taken) {
        domain->slices[holding.data.set->slice].victims_in_clean++;
        enter(domain, &holding, (enum sim_line_state)holding.entry->state);
    }
    leave_l2(core, &holding, word);
    return taken;
}

void victim_left(struct sim_core *core, uint64_t line) {
    struct holding holding = {.data = {.way = -1}, .entry = directory_find(&core->domain->directory, line)};
    remove_sharer(core, &holding);
}

/* ---- other domains ---- */

struct domain_answer victim_snoop_read(struct domain *domain, uint64_t line) {
    struct holding holding = victim_find(domain, line);
    victim_count_lookup(domain, &holding, LOOKUP_REMOTE_SNOOP);
    enum sim_line_state state = victim_state(&holding);
    if (state == LINE_I)
        return (struct domain_answer){SNOOP_MISS, 0, 0, 0};
    uint32_t home = victim_home(&holding);
    if (ask_owner(domain, &holding, line, 0) == SNOOP_HITM)
        state = LINE_M;
    enum sim_line_state after = line_after_read(domain->sim, state);
    if (after == LINE_O && !in_last_level(&holding))
        enter(domain, &holding, after);
    else
        set_state(&holding, after);
    return answer_of(state, home);
}

struct domain_answer victim_drop(struct domain *domain, uint64_t line, int snooped) {
    struct holding holding = victim_find(domain, line);
    if (snooped)
        victim_count_lookup(domain, &holding, LOOKUP_REMOTE_SNOOP);
    enum sim_line_state state = victim_state(&holding);
    if (state == LINE_I)
        return (struct domain_answer){SNOOP_MISS, 0, 0, 0};
    struct domain_answer answer = answer_of(state, victim_home(&holding));
    answer.sharers = sharers_of(&holding);
    if (invalidate(domain, answer.sharers, line) == SNOOP_HITM)
        answer.snoop = SNOOP_HITM;
    domain->slices[holding.data.set->slice].clean_given_up += snooped && answer.snoop != SNOOP_HITM;
    if (in_last_level(&holding))
        l3_remove(&holding.data);
    if (holding.entry)
        directory_free(&domain->directory, holding.entry);
    return answer;
}
