/* points.h - the points that the stream program runs, each a kernel, a size and a number of sweeps. */
#ifndef ASSAY_STREAM_POINTS_H
#define ASSAY_STREAM_POINTS_H

#include <stddef.h>

#include "validate/host/error.h"
#include "validate/kernel/object.h"

struct point {
    char *region;    /* Marker API region: letters, digits, '_', '.', '-' */
    size_t elements; /* per stream and thread */
    size_t sweeps;   /* over the streams, inside the region */
    size_t reads;    /* of all counters, of a region without a kernel; 0: an empty region */
    void *library;   /* NULL: no kernel */
    kernel_run *run;
    const struct kernel_object *object;
};

struct points {
    struct point *point;
    size_t count;
};

/* Appends a point from the four words REGION KERNEL ELEMENTS SWEEPS and opens its kernel. `where` stands in front of
 * messages. Returns 0, or -1 with the reason. */
int points_add(struct points *points, char *const word[4], const char *where, struct error *error);

/* Appends an empty region: nothing but the barriers between its start and its stop. */
int points_add_empty(struct points *points, const char *region, struct error *error);

/* Appends a region in which each thread reads its counters a number of times: "REGION=TIMES". */
int points_add_reads(struct points *points, const char *text, struct error *error);

/* Appends the points of a file, one a line; blank lines and lines that begin with '#' are skipped. */
int points_read(struct points *points, const char *path, struct error *error);

/* Bytes that one stream of the point takes: whole cache lines, so that the next stream begins with a line. */
size_t point_stream_bytes(const struct point *point);

/* Bytes that all streams of the point take in one thread's block, with `stagger` bytes between two streams. */
size_t point_block_bytes(const struct point *point, size_t stagger);

void points_free(struct points *points);

#endif
