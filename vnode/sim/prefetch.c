/* prefetch.c - hardware prefetchers of a core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "prefetch.h"

void prefetch_init(struct sim_core *core, struct prefetcher *memory, const struct sim_config *config) {
    core->prefetcher = memory;
    if (!memory)
        return;
    memory->kinds = config->prefetchers;
    memory->page_shift = (uint32_t)__builtin_ctz(config->page);
    memory->page_lines_shift = (uint32_t)__builtin_ctz(config->page / config->line);
    memory->page_lines = 1U << memory->page_lines_shift;
}

static inline uint32_t bucket_for(uint64_t key) {
    return spread((uint32_t)key, BUCKETS_SHIFT);
}

/* ---- L2 streamer ---- */

/* The page's entry, or NULL. */
static __attribute__((noinline)) struct stream_page *stream_page_search(struct streamer *streamer, uint64_t page) {
    for (uint32_t entry = 0; entry < STREAM_PAGES; entry++)
        if (streamer->page[entry].key == page + 1) {
            streamer->latest[bucket_for(page)] = (uint8_t)entry;
            return &streamer->page[entry];
        }
    return NULL;
}

/* Most often no page with the same hash was used since. */
struct stream_page *streamer_page(struct streamer *streamer, uint64_t page) {
    struct stream_page *entry = &streamer->page[streamer->latest[bucket_for(page)]];
    if (entry->key != page + 1)
        entry = stream_page_search(streamer, page);
    if (entry)
        entry->used = ++streamer->uses;
    return entry;
}

/* The first stream of a new page, in place of the page used least recently. */
static __attribute__((noinline)) void stream_begin_page(struct streamer *streamer, uint64_t page, int32_t line) {
    static const struct stream none = {.last = -1 - STREAM_STEP}; /* no line continues it */
    struct stream_page *oldest = streamer->page;
    for (struct stream_page *entry = oldest; entry < streamer->page + STREAM_PAGES; entry++)
        if (entry->used < oldest->used)
            oldest = entry;
    *oldest =
        (struct stream_page){.key = page + 1, .used = ++streamer->uses, .older = 1, .stream = {{.last = line}, none}};
    streamer->latest[bucket_for(page)] = (uint8_t)(oldest - streamer->page);
}

/* The distance of the page's line from the stream's last request, in the stream's direction. */
static inline uint32_t stream_step(const struct stream *stream, int32_t line) {
    return (uint32_t)(line ^ stream->inverted) - (uint32_t)stream->last;
}

/* Whether the page's line is the next one of the stream, whose direction its first step gives. */
static inline int stream_continues(struct stream *stream, int32_t line, int32_t page_lines) {
    uint32_t step = stream_step(stream, line);
    if (step - 1 < STREAM_STEP)
        return 1;
    if (stream->steps > 0 || -step - 1 >= STREAM_STEP)
        return 0;
    stream->inverted = page_lines - 1;
    return 1;
}

/* Advances the stream to that line of its own. */
static inline struct stream_targets stream_advance(struct stream *stream, int32_t line, int32_t page_lines,
                                                   int missed) {
    stream->last = line;
    if (stream->found == STREAM_FOUND) {
        if (!missed)
            return (struct stream_targets){0};
        stream->found = 0;
        stream->next = line + 1;
    }
    if (stream->steps < STREAM_STEPS) {
        stream->next = line + 1;
        if (++stream->steps < STREAM_STEPS)
            return (struct stream_targets){0};
    }
    int32_t next = stream->next;
    int32_t end = line + STREAM_AHEAD + 1 - stream->held_back;
    end = end < page_lines ? end : page_lines;
    end = next + STREAM_REQUESTS < end ? next + STREAM_REQUESTS : end;
    if (end > next)
        stream->next = end;
    return (struct stream_targets){stream, next, end};
}

/* The request for a line of a page with streams, in any case. */
static __attribute__((noinline)) struct stream_targets page_request(struct stream_page *page, int32_t line,
                                                                    int32_t page_lines, int missed) {
    struct stream *stream = page->stream;
    if (stream_step(&stream[0], line) == 0 || stream_step(&stream[1], line) == 0)
        return (struct stream_targets){0};
    for (uint32_t i = 0; i < STREAMS_OF_PAGE; i++)
        if (stream_continues(&stream[i], line, page_lines)) {
            page->older = !i;
            return stream_advance(&stream[i], line ^ stream[i].inverted, page_lines, missed);
        }
    stream[page->older] = (struct stream){.last = line};
    page->older = !page->older;
    return (struct stream_targets){0};
}

inline __attribute__((always_inline)) int streamer_continues(struct stream_page *page, int32_t line, int32_t page_lines,
                                                             int missed, struct stream_targets *targets) {
    struct stream *first = &page->stream[0];
    if (first->steps < STREAM_STEPS || stream_step(first, line) - 1 >= STREAM_STEP ||
        stream_step(&page->stream[1], line) == 0)
        return 0;
    page->older = 1;
    *targets = stream_advance(first, line ^ first->inverted, page_lines, missed);
    return 1;
}

struct stream_targets streamer_request(struct streamer *streamer, uint64_t page, int32_t line, int32_t page_lines,
                                       int missed) {
    struct stream_page *entry = streamer_page(streamer, page);
    if (entry)
        return page_request(entry, line, page_lines, missed);
    stream_begin_page(streamer, page, line);
    return (struct stream_targets){0};
}

/* ---- L1 next line ---- */

static inline uint64_t *expected_line(struct prefetcher *prefetcher, uint64_t line) {
    return &prefetcher->expected[bucket_for(line >> prefetcher->page_lines_shift)];
}

/* next_line_request() for the first or the last line of a page. Pages may have the same hash, so that the first line of
 * one is not expected by its own entry. */
static __attribute__((noinline)) uint64_t next_line_at_edge(struct prefetcher *prefetcher, uint64_t line) {
    int last = ((line + 1) & (prefetcher->page_lines - 1)) == 0;
    int ascends = line > 0 && *expected_line(prefetcher, line - 1) == line;
    *expected_line(prefetcher, line) = line + 1 + (ascends && !last);
    return ascends && !last ? line + 1 : 0;
}

uint64_t next_line_request(struct prefetcher *prefetcher, uint64_t line) {
    uint32_t in_page = (uint32_t)line & (prefetcher->page_lines - 1);
    if (in_page == 0 || in_page + 1 == prefetcher->page_lines)
        return next_line_at_edge(prefetcher, line);
    uint64_t *expected = expected_line(prefetcher, line);
    if (*expected != line) {
        *expected = line + 1;
        return 0;
    }
    *expected = line + 2;
    return line + 1;
}

/* ---- L1 stride ---- */

static inline void use(struct index *index, uint32_t entry) {
    index->used[entry] = ++index->uses;
}

/* Moves the entry to the bucket of its new key. */
static void set_key(struct index *index, uint32_t entry, uint64_t key) {
    uint64_t bit = UINT64_C(1) << entry;
    uint32_t bucket = bucket_for(key);
    index->bucket[index->bucket_of[entry]] &= ~bit;
    index->bucket[bucket] |= bit;
    index->bucket_of[entry] = (uint8_t)bucket;
}

/* A free entry, or else the one used least recently; now used and with that key. */
static uint32_t use_new(struct index *index, uint64_t key) {
    uint32_t oldest = 0;
    for (uint32_t entry = 1; entry < STRIDES; entry++)
        if (index->used[entry] < index->used[oldest])
            oldest = entry;
    use(index, oldest);
    set_key(index, oldest, key);
    return oldest;
}

/* Whether the load at that address continues the entry. */
static inline int continues(const struct stride *stride, uint64_t instruction, uint64_t address) {
    return stride->instruction == instruction && address - stride->address + STRIDE_BYTES <= 2 * STRIDE_BYTES;
}

/* The key of an entry with that last address. A load within STRIDE_BYTES of it is in the same block or the next. */
static inline uint64_t stride_key(uint64_t instruction, uint64_t address) {
    return instruction + address / (2 * STRIDE_BYTES);
}

/* The entry that the load continues: of several, the one used last. If there is none, a cleared one. */
static __attribute__((noinline)) uint32_t stride_search(struct prefetcher *prefetcher, uint64_t instruction,
                                                        uint64_t address) {
    struct index *index = &prefetcher->strides;
    uint64_t found = index->bucket[bucket_for(stride_key(instruction, address - STRIDE_BYTES))] |
                     index->bucket[bucket_for(stride_key(instruction, address + STRIDE_BYTES))];
    uint32_t last = STRIDES;
    for (; found; found &= found - 1) {
        uint32_t entry = (uint32_t)__builtin_ctzll(found);
        if (continues(&prefetcher->stride[entry], instruction, address) &&
            (last == STRIDES || index->used[entry] > index->used[last]))
            last = entry;
    }
    if (last < STRIDES)
        return last;
    last = use_new(index, stride_key(instruction, address));
    prefetcher->stride[last] = (struct stride){.instruction = instruction, .address = address};
    return last;
}

/* The same, now used. If the load continues the entry that its instruction used last, no search is necessary. */
static inline uint32_t stride_entry(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address) {
    uint8_t *latest = &prefetcher->latest[bucket_for(instruction)];
    if (!continues(&prefetcher->stride[*latest], instruction, address))
        *latest = (uint8_t)stride_search(prefetcher, instruction, address);
    use(&prefetcher->strides, *latest);
    return *latest;
}

uint64_t stride_request(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address) {
    uint32_t entry = stride_entry(prefetcher, instruction, address);
    struct stride *stride = &prefetcher->stride[entry];
    uint64_t before = stride->address, bytes = address - before, next = address + bytes;
    if (bytes == 0)
        return 0;
    stride->seen = bytes == stride->bytes ? stride->seen + 1 : 1;
    stride->bytes = bytes;
    if (stride->seen < STRIDE_SEEN || (next ^ address) >> prefetcher->page_shift)
        next = 0;
    stride->address = next ? next : address; /* the load of `next` will hit, and so will not be seen */
    if ((stride->address ^ before) >= 2 * STRIDE_BYTES)
        set_key(&prefetcher->strides, entry, stride_key(instruction, stride->address));
    return next;
}
