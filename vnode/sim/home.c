/* home.c - the memory that a page belongs to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "home.h"

enum { PAGE_BITS = 6, GROUP_BITS = HOME_GROUP_PAGES * PAGE_BITS, PAGE_VALUES = (1 << PAGE_BITS) - 1 };

size_t home_bytes(uint32_t memories) {
    return memories > 1 ? HOME_GROUPS * sizeof(uint64_t) : 0;
}

void home_init(struct home_table *homes, uint64_t *groups, uint32_t domains, uint32_t memories) {
    homes->groups = groups;
    homes->used = 0;
    homes->limit = HOME_GROUPS / 8 * 7;
    homes->domains = domains;
    homes->memories = memories;
    homes->decide = NULL;
}

/* The group's entry, or the free entry for it. One always exists: the limit is below the size. */
static uint64_t *find_group(const struct home_table *homes, uint64_t group) {
    /* Fibonacci hashing spreads neighbours, so two large arrays do not collide in one run of entries */
    uint64_t index = group * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HOME_GROUPS_SHIFT);
    while (homes->groups[index] && homes->groups[index] >> GROUP_BITS != group + 1)
        index = (index + 1) & (HOME_GROUPS - 1);
    return &homes->groups[index];
}

static unsigned shift_of(uint64_t page) {
    return (unsigned)(page % HOME_GROUP_PAGES) * PAGE_BITS;
}

static uint32_t interleaved(const struct home_table *homes, uint64_t page) {
    return (uint32_t)(page % homes->domains);
}

/* The page's entry, made if there is none; NULL: the table is full. */
static uint64_t *make_group(struct home_table *homes, uint64_t page) {
    uint64_t group = page / HOME_GROUP_PAGES;
    uint64_t *entry = find_group(homes, group);
    if (*entry)
        return entry;
    if (homes->used == homes->limit)
        return NULL;
    homes->used++;
    *entry = (group + 1) << GROUP_BITS;
    return entry;
}

/* Home + 1, 0: none. */
static uint32_t value_of(uint64_t entry, unsigned shift) {
    return (uint32_t)(entry >> shift) & PAGE_VALUES;
}

static void set_value(uint64_t *entry, unsigned shift, uint32_t value) {
    *entry = (*entry & ~((uint64_t)PAGE_VALUES << shift)) | (uint64_t)value << shift;
}

uint32_t home_of(struct home_table *homes, uint64_t page, uint32_t toucher) {
    if (homes->memories == 1)
        return 0;
    uint64_t *entry = make_group(homes, page);
    if (!entry)
        return interleaved(homes, page);
    uint32_t value = value_of(*entry, shift_of(page));
    if (value)
        return value - 1;
    toucher = toucher < homes->domains ? toucher : 0;
    uint32_t home = homes->decide ? homes->decide(homes->context, page, toucher) : toucher;
    set_value(entry, shift_of(page), home + 1);
    return home;
}

int home_known(const struct home_table *homes, uint64_t page) {
    if (homes->memories == 1)
        return 0;
    const uint64_t *entry = find_group(homes, page / HOME_GROUP_PAGES);
    if (!*entry && homes->used == homes->limit)
        return (int)interleaved(homes, page);
    return (int)value_of(*entry, shift_of(page)) - 1;
}

void home_set(struct home_table *homes, uint64_t page, uint32_t home) {
    uint64_t *entry = homes->memories > 1 ? make_group(homes, page) : NULL;
    if (entry)
        set_value(entry, shift_of(page), home + 1);
}

/* Number of entries; empty ones have no homes. */
static uint64_t table_entries(const struct home_table *homes) {
    return homes->memories > 1 ? HOME_GROUPS : 0;
}

void home_move(struct home_table *homes, const uint32_t *to) {
    for (uint64_t i = 0; i < table_entries(homes); i++)
        for (unsigned shift = 0; shift < GROUP_BITS; shift += PAGE_BITS) {
            uint32_t value = value_of(homes->groups[i], shift);
            if (value)
                set_value(&homes->groups[i], shift, to[value - 1] + 1);
        }
}

static void forget_page(uint64_t *entry, uint64_t page, home_forgotten *forgotten, void *context) {
    if (value_of(*entry, shift_of(page)) == 0)
        return;
    forgotten(context, page);
    set_value(entry, shift_of(page), 0);
}

/* Scans the whole table: for ranges of more pages than it has entries. */
static void forget_many(struct home_table *homes, uint64_t first, uint64_t count, home_forgotten *forgotten,
                        void *context) {
    for (uint64_t i = 0; i < table_entries(homes); i++) {
        uint64_t page = (homes->groups[i] >> GROUP_BITS) * HOME_GROUP_PAGES - HOME_GROUP_PAGES;
        for (unsigned k = 0; homes->groups[i] && k < HOME_GROUP_PAGES; k++)
            if (page + k - first < count)
                forget_page(&homes->groups[i], page + k, forgotten, context);
    }
}

void home_forget(struct home_table *homes, uint64_t first, uint64_t count, home_forgotten *forgotten, void *context) {
    if (homes->memories == 1)
        return;
    if (count > HOME_GROUPS) {
        forget_many(homes, first, count, forgotten, context);
        return;
    }
    for (uint64_t page = first; page < first + count; page++)
        forget_page(find_group(homes, page / HOME_GROUP_PAGES), page, forgotten, context);
}
