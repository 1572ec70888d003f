/* shadow_tags.h - a directory with an entry for every line that the cores hold: a chained hash table (directory.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_SHADOW_TAGS_H
#define ASSAY_SIM_SHADOW_TAGS_H

#include <stddef.h>

#include "directory_entry.h"

/* Makes all `entries` free. */
void shadow_tags_init(struct directory *directory, size_t entries);

/* The number of the line's entry, -1 if it has none. */
int64_t shadow_tags_find(const struct directory *directory, uint64_t line);

/* Moves a free entry into the line's chain, and back. */
size_t shadow_tags_take(struct directory *directory, uint64_t line);
void shadow_tags_release(struct directory *directory, uint64_t line, size_t entry);

#endif
