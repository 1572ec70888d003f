/* repeat.h - expands a line with a range into several lines: "{B:0-15}" takes each number in turn, "{B}" elsewhere in
 * the line repeats it. Several ranges give all combinations, the first range changing slowest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_REPEAT_H
#define ASSAY_PMU_REPEAT_H

enum { REPEAT_BYTES = 2048 }; /* of a line, before and after expansion */

/* Calls `use` with each expanded line, which it may change, until it returns nonzero. Returns NULL, or what is wrong
 * with the line. */
const char *repeat_line(const char *line, int (*use)(void *context, char *line), void *context);

#endif
