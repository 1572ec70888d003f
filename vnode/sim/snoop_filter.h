/* snoop_filter.h - a directory that is a set-associative array (directory.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_SNOOP_FILTER_H
#define ASSAY_SIM_SNOOP_FILTER_H

#include <stddef.h>

#include "config.h"
#include "directory_entry.h"

enum { SNOOP_FILTER_WAYS_MAX = 64 };

/* Entries, and bytes for their tags and order, both multiples of 16. */
size_t snoop_filter_entries(const struct sim_config *config);
size_t snoop_filter_bytes(const struct sim_config *config);
void snoop_filter_init(struct directory *directory, void *memory, const struct sim_config *config);

/* The number of the line's entry, -1 if it has none. */
int64_t snoop_filter_find(const struct directory *directory, uint64_t line);

/* The number of the entry in a way of the line's set. */
size_t snoop_filter_entry_in(const struct directory *directory, uint64_t line, uint32_t way);

/* Makes the entry the most recent of its set. */
void snoop_filter_touch(const struct directory *directory, size_t entry);

/* The entry to use for the line: a free one of its set, else the least recent. It becomes the line's and the most
 * recent. */
size_t snoop_filter_take(const struct directory *directory, uint64_t line);

/* Makes the entry free. */
void snoop_filter_release(const struct directory *directory, size_t entry);

#endif
