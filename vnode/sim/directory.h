/* directory.h - which cores of a victim domain hold a line: one entry for each line that any core holds.
 *
 * Two kinds. A snoop filter is a set-associative array, sliced like the last level, with exact LRU of demand
 * requests: a new entry in a full set displaces another. Shadow tags copy all tags of the cores' caches and are never
 * full. They are a hash table here, because their arrangement is not visible from outside. victim.c applies changes
 * of entries to the caches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DIRECTORY_H
#define ASSAY_SIM_DIRECTORY_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "directory_entry.h"

/* A displaced entry. The directory no longer has its line; its cores must drop it. */
struct displaced {
    int any;
    uint64_t line;
    struct directory_entry entry;
};

/* Bytes of zeroed memory for the directory of a domain with `cores` cores. */
size_t directory_bytes(const struct sim_config *config, uint32_t cores);
void directory_init(struct directory *directory, void *memory, const struct sim_config *config, uint32_t cores);

/* The line's entry, or NULL. */
struct directory_entry *directory_find(const struct directory *directory, uint64_t line);

/* A number that finds the line's entry again as long as it has one; 0: there is none. At most DIRECTORY_PLACES. */
enum { DIRECTORY_PLACES = 31 };
uint32_t directory_place(const struct directory *directory, const struct directory_entry *entry);

/* The entry of a line that has one, by this number; 0: it is looked up. */
struct directory_entry *directory_find_in(const struct directory *directory, uint64_t line, uint32_t place);

/* A core has requested the entry's line. */
void directory_touch(const struct directory *directory, const struct directory_entry *entry);

/* Makes an entry, touched and without sharers, for a line that has none. */
struct directory_entry *directory_make(struct directory *directory, uint64_t line, struct displaced *displaced);

void directory_free(struct directory *directory, struct directory_entry *entry);

#endif
