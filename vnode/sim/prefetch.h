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
    STREAM_FOUND = 4,    /* targets in a row that L2 has, after which a stream waits */
    STRIDES = 64,        /* loads that are remembered */
    STRIDE_BYTES = 2048, /* the largest stride */
    STRIDE_SEEN = 2,     /* equal strides that make a prediction */
    BUCKETS_SHIFT = 8,   /* log2 of the number of buckets */
};

/* Finds strides by a key, and the one used least recently. */
struct index {
    uint64_t bucket[1 << BUCKETS_SHIFT]; /* by hash of the key: a bit for each entry that has such a key */
    uint64_t used[STRIDES], uses;        /* number of the entry's last use, 0: free; number of uses */
    uint8_t bucket_of[STRIDES];
};

/* A sequence of requests within a page. Its lines are numbered in its direction: descending, from the page's end. A
 * line's number is then its number in the page with all bits inverted, because pages have 2^n lines. */
struct stream {
    int32_t last;      /* line of its last request */
    int32_t next;      /* line to prefetch next, after `last`; set by the last of the first STREAM_STEPS steps */
    int32_t inverted;  /* bits that numbering inverts: 0 ascending */
    uint16_t steps;    /* made in this direction, at most STREAM_STEPS; 0: one request so far, so no direction yet */
    uint16_t found;    /* targets in a row that L2 had; after STREAM_FOUND it waits for a request that misses L2 */
    int32_t held_back; /* lines that it runs less far ahead than it may */
};

struct stream_page {
    uint64_t key;   /* the page's number + 1, 0: none */
    uint64_t used;  /* number of its last use */
    uint32_t older; /* index of the stream that a new one replaces */
    struct stream stream[STREAMS_OF_PAGE];
};

struct streamer {
    uint64_t uses;                      /* of pages */
    uint8_t latest[1 << BUCKETS_SHIFT]; /* by hash of a page: entry used last */
    struct stream_page page[STREAM_PAGES];
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
    struct streamer streamer;
    uint64_t expected[1 << BUCKETS_SHIFT]; /* by hash of a page: line after the last one there of next_line_request() */
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

/* The lines that a request for `line` of the page makes its stream fetch. `line` is numbered in the page; `missed`: L2
 * lacks it. */
struct stream_targets streamer_request(struct streamer *streamer, uint64_t page, int32_t line, int32_t page_lines,
                                       int missed);

/* The page's entry, now used; NULL if it has none. */
struct stream_page *streamer_page(struct streamer *streamer, uint64_t page);

/* The common case: if the request continues the first stream of its page, does the same and returns 1. Otherwise it
 * returns 0, and streamer_request() is still to be called. */
int streamer_continues(struct stream_page *page, int32_t line, int32_t page_lines, int missed,
                       struct stream_targets *targets);

/* The target with the number `next`, if `line` is that of the request. */
static inline uint64_t stream_line(const struct stream *stream, int32_t next, uint64_t line) {
    return line ^ (uint32_t)(stream->last ^ next);
}

/* The address that the load at `address` makes the stride prefetcher fetch, 0: none. */
uint64_t stride_request(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address);

/* The line that a load miss of the program's `line` makes the next-line prefetcher fetch, 0: none. */
uint64_t next_line_request(struct prefetcher *prefetcher, uint64_t line);

#endif
