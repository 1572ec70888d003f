/* prefetch.h - hardware prefetchers of a core: which lines they ask for, and when. They see requests that miss L1, so
 * a core without them pays one test in each miss. Rules and their sources: docs/simulator.md, "Prefetchers".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_PREFETCH_H
#define ASSAY_SIM_PREFETCH_H

#include "hardware.h"

enum {
    STREAM_PAGES = 16,   /* pages with streams */
    STREAMS_OF_PAGE = 2, /* at most 32 streams in all */
    STREAM_STEP = 2,     /* largest step within a stream, in lines */
    STREAM_STEPS = 2,    /* steps in one direction that make a stream */
    STREAM_AHEAD = 20,   /* lines that a stream runs ahead of its requests */
    STREAM_NEAR = 16,    /* those that are farther ahead go into an inclusive last level only */
    STREAM_REQUESTS = 2, /* prefetches per request */
    RECENT_LINES = 16,   /* lines that count as recently loaded */
    STRIDES = 64,        /* loads that are remembered */
    STRIDE_BYTES = 2048, /* the largest stride */
    STRIDE_SEEN = 2,     /* equal strides that make a prediction */
    ENTRIES = 64,        /* the largest number of entries of a table */
    BUCKETS_SHIFT = 8,   /* log2 of the number of buckets */
};

/* Finds the entries of a table by a key, and the one used least recently. */
struct index {
    uint64_t bucket[1 << BUCKETS_SHIFT]; /* by hash of the key: a bit for each entry that has such a key */
    uint64_t used[ENTRIES], uses;        /* number of the entry's last use, 0: free; number of uses */
    uint8_t bucket_of[ENTRIES];
};

/* A sequence of requests within a page. Its lines are numbered in its direction: descending, from the page's end. A
 * line's number is then its number in the page with all bits inverted, because pages have 2^n lines. */
struct stream {
    int32_t last;        /* line of its last request */
    int32_t next;        /* line to prefetch next, after `last`; set by the last of the first STREAM_STEPS steps */
    int32_t inverted;    /* bits that numbering inverts: 0 ascending */
    uint32_t steps;      /* made in this direction, at most STREAM_STEPS; 0: one request so far, so no direction yet */
    uint16_t l2_way;     /* of the target that was last found in L2 */
    uint16_t outside_l2; /* whether L2 lacked the last target that was looked for */
    uint32_t l3_way;     /* of the target that was last found in L3, by a far prefetch */
};

struct stream_page {
    uint64_t key;   /* the page's number + 1, 0: none */
    uint32_t older; /* index of the stream that a new one replaces */
    struct stream stream[STREAMS_OF_PAGE];
};

struct streamer {
    struct index index;
    struct stream_page page[STREAM_PAGES];
    uint32_t latest[REQUEST_CODE_READ + 1]; /* by kind of request: entry used last */
};

struct stride {
    uint64_t instruction;
    uint64_t address; /* of its last load that missed, or that was prefetched */
    uint64_t bytes;   /* from the load before it, modulo 2^64 */
    uint32_t seen;    /* number of times that this stride came in a row */
};

struct prefetcher {
    uint32_t kinds;      /* enum sim_prefetcher */
    uint32_t page_lines; /* lines of a page, a power of two */
    uint32_t page_lines_shift, page_shift;
    uint32_t recent_next; /* entry of `recent` that is replaced next */
    struct streamer streamer;
    uint32_t recent_low[RECENT_LINES]; /* lower halves of: */
    uint64_t recent[RECENT_LINES];     /* line + 1; 0: none */
    struct index strides;
    struct stride stride[STRIDES];
    uint8_t latest[1 << BUCKETS_SHIFT]; /* entry used last, by hash of its instruction */
};

/* Gives the core its prefetchers in `memory`, zeroed; NULL: does nothing. */
void prefetch_init(struct sim_core *core, struct prefetcher *memory, const struct sim_config *config);

/* Lines that the last request of a stream makes it fetch, by their numbers in the stream: from `next` to before `end`.
 * If there are none, `stream` may be NULL. */
struct stream_targets {
    struct stream *stream;
    int32_t next, end;
};

/* The lines that a request for `line` of the page makes its stream fetch. `line` is numbered in the page. `kind`: data
 * read, RFO or code read; it changes no result. */
struct stream_targets streamer_request(struct streamer *streamer, uint32_t kind, uint64_t page, int32_t line,
                                       int32_t page_lines);

/* The common case: if the request continues the first stream of its page, does the same and returns 1. Otherwise it
 * returns 0, and streamer_request() is still to be called. */
int streamer_continues(struct streamer *streamer, uint32_t kind, uint64_t page, int32_t line, int32_t page_lines,
                       struct stream_targets *targets);

/* The next of the targets, if `line` is that of the request. */
static inline uint64_t stream_line(struct stream_targets targets, uint64_t line) {
    return line ^ (uint32_t)(targets.stream->last ^ targets.next);
}

/* The address that the load at `address` makes the stride prefetcher fetch, 0: none. */
uint64_t stride_request(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address);

/* The line that a load miss of the program's `line` makes the next-line prefetcher fetch, 0: none. */
uint64_t next_line_request(struct prefetcher *prefetcher, uint64_t line);

#endif
