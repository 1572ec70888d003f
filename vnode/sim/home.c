/* home.c - to which socket's memory a page belongs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "home.h"

enum { PAGE_BITS = 3, GROUP_BITS = HOME_GROUP_PAGES * PAGE_BITS, PAGE_VALUES = (1 << PAGE_BITS) - 1 };

size_t home_bytes(uint32_t sockets) {
    return sockets > 1 ? HOME_GROUPS * sizeof(uint64_t) : 0;
}

void home_init(struct home_table *homes, uint64_t *groups, uint32_t sockets) {
    homes->groups = groups;
    homes->used = 0;
    homes->limit = HOME_GROUPS / 8 * 7;
    homes->sockets = sockets;
}

/* The group's entry, or the free entry where it belongs. There always is one: the limit is below the size. */
static uint64_t *find_group(const struct home_table *homes, uint64_t group) {
    /* Fibonacci hashing: neighbours are spread, so that two big arrays cannot pile up in one run of entries. */
    uint64_t index = group * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HOME_GROUPS_SHIFT);
    while (homes->groups[index] && homes->groups[index] >> GROUP_BITS != group + 1)
        index = (index + 1) & (HOME_GROUPS - 1);
    return &homes->groups[index];
}

static unsigned shift_of(uint64_t page) {
    return (unsigned)(page % HOME_GROUP_PAGES) * PAGE_BITS;
}

uint32_t home_of(struct home_table *homes, uint64_t page, uint32_t toucher) {
    if (homes->sockets == 1)
        return 0;
    uint64_t group = page / HOME_GROUP_PAGES;
    uint64_t *entry = find_group(homes, group);
    if (!*entry) {
        if (homes->used == homes->limit)
            return (uint32_t)(page % homes->sockets);
        homes->used++;
        *entry = (group + 1) << GROUP_BITS;
    }
    uint32_t home = (uint32_t)(*entry >> shift_of(page)) & PAGE_VALUES;
    if (home)
        return home - 1;
    *entry |= (uint64_t)(toucher + 1) << shift_of(page);
    return toucher;
}

void home_forget(struct home_table *homes, uint64_t page) {
    if (homes->sockets == 1)
        return;
    uint64_t *entry = find_group(homes, page / HOME_GROUP_PAGES);
    if (*entry)
        *entry &= ~((uint64_t)PAGE_VALUES << shift_of(page));
}
