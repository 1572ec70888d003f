/* snoop_filter.h - a directory that is a set-associative array (directory.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_SNOOP_FILTER_H
#define ASSAY_SIM_SNOOP_FILTER_H

#include <stddef.h>

#include "directory_entry.h"

/* The number of the line's entry, -1 if it has none. */
int64_t snoop_filter_find(const struct directory *directory, uint64_t line);

/* The entry to use for the line: a free one of its set, else the least recent. */
size_t snoop_filter_choose(const struct directory *directory, uint64_t line);

#endif
