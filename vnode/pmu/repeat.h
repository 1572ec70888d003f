/* repeat.h - a line that stands for several: "{B:0-15}" is one number after the other, "{B}" elsewhere in the line the
 * same one. Of several such, all combinations, the first one slowest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_REPEAT_H
#define ASSAY_PMU_REPEAT_H

enum { REPEAT_BYTES = 2048 }; /* of a line, before and after */

/* Calls `use` with each line that `line` stands for, which it may change, until it returns nonzero. NULL, or what is
 * wrong with the line. */
const char *repeat_line(const char *line, int (*use)(void *context, char *line), void *context);

#endif
