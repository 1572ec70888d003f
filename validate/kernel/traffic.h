/* traffic.h - bytes and cache lines of each stream that the passes of a loop touch.
 *
 * Pass k touches bytes k*window + offset. So over all passes of a long loop an access touches all bytes congruent to
 * its own modulo the window, and the distinct bytes per pass are the accessed bytes modulo the window. */
#ifndef ASSAY_KERNEL_TRAFFIC_H
#define ASSAY_KERNEL_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "validate/kernel/object.h"
#include "validate/kernel/part.h"

enum traffic_mark { TRAFFIC_LOADED = 1, TRAFFIC_STORED = 2, TRAFFIC_STORED_NT = 4 };

struct traffic {
    unsigned char *marks[KERNEL_STREAMS_MAX]; /* enum traffic_mark, per byte of `span` */
    size_t window;                            /* bytes by which the loop advances in one pass */
    size_t span;                              /* bytes: least common multiple of window and cache line */
};

/* Largest window, above that of any loop that fits in an instruction cache. */
enum { TRAFFIC_WINDOW_MAX = 1 << 20 };

/* Returns 0, or -1 if out of memory. Free with traffic_free(). */
int traffic_start(struct traffic *traffic, size_t window);

/* Marks an access to `bytes` bytes at `offset` (may be negative) from the pass's first element of the stream. */
void traffic_mark(struct traffic *traffic, unsigned stream, int64_t offset, size_t bytes, unsigned marks);

/* Fills bytes_* and lines_* of one stream. */
void traffic_sum(const struct traffic *traffic, unsigned stream, struct kernel_stream *sums);

void traffic_free(struct traffic *traffic);

#endif
