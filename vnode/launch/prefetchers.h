/* prefetchers.h - the field `prefetchers` of a node file: true (all of them), false (none, the default), or a list of
 * names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_PREFETCHERS_H
#define ASSAY_LAUNCH_PREFETCHERS_H

#include <stddef.h>

#include "lua_file.h"

/* Reads the field of the table on top of the stack into `out`, a set of enum sim_prefetcher; without the field `out`
 * stays. NULL, or file->error. */
const char *prefetchers_read(const struct lua_file *file, const struct lua_place *place, uint32_t *out);

/* The set as likwid-features names it: "HW_PREFETCHER on, CL_PREFETCHER off, ..". Returns `text`, which `size` ends. */
const char *prefetchers_text(uint32_t set, char *text, size_t size);

#endif
