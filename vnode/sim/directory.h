/* directory.h - which cores of a victim domain hold a line: an entry for each line that any of them holds.
 *
 * Two kinds. A snoop filter is a set-associative array, sliced as the last level is, with exact LRU of demand requests:
 * a line that needs an entry of a full set displaces another. Shadow tags copy all tags of the cores' caches, and are
 * never full: a hash table here, because how they are arranged cannot be seen from outside. What an entry's changes do
 * to the caches is victim.c's business.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DIRECTORY_H
#define ASSAY_SIM_DIRECTORY_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "directory_entry.h"

/* A displaced entry: its line is not among the directory's any more, and its cores have to drop it. */
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

/* A core has asked for the line of this entry. */
void directory_touch(struct directory *directory, struct directory_entry *entry);

/* A new entry, touched, without sharers, for a line that has none. */
struct directory_entry *directory_make(struct directory *directory, uint64_t line, struct displaced *displaced);

void directory_free(struct directory *directory, struct directory_entry *entry);

#endif
