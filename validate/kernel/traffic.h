/* traffic.h - which bytes and cache lines of each stream the passes of a loop touch.
 *
 * Pass k touches bytes k*window + offset. Over all passes of a long loop, therefore, an access touches all bytes that
 * are congruent to its own modulo the window, and the distinct bytes per pass are those of the accesses modulo the
 * window. */
#ifndef ASSAY_KERNEL_TRAFFIC_H
#define ASSAY_KERNEL_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "validate/kernel/object.h"
#include "validate/kernel/part.h"

enum traffic_mark { TRAFFIC_LOADED = 1, TRAFFIC_STORED = 2, TRAFFIC_STORED_NT = 4 };

struct traffic {
    unsigned char *marks[KERNEL_STREAMS_MAX]; /* enum traffic_mark, per byte of `span` */
    size_t window;                            /* bytes that the loop moves on in one pass */
    size_t span;                              /* the fewest whole passes that are whole cache lines */
};

/* Largest window: more than any loop that fits an instruction cache. */
enum { TRAFFIC_WINDOW_MAX = 1 << 20 };

/* Returns 0, or -1 if memory is short. Free with traffic_free(). */
int traffic_start(struct traffic *traffic, size_t window);

/* One access of `bytes` at `offset` (may be negative) from the stream's element that the pass begins with. */
void traffic_mark(struct traffic *traffic, unsigned stream, int64_t offset, size_t bytes, unsigned marks);

/* Fills bytes_* and lines_* of one stream. */
void traffic_sum(const struct traffic *traffic, unsigned stream, struct kernel_stream *sums);

void traffic_free(struct traffic *traffic);

#endif
