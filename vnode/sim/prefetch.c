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

/* ---- L2 streamer ---- */

/* The page's entry; the one used least recently is cleared for a new page. */
static struct stream_page *stream_page_of(struct streamer *streamer, uint64_t page) {
    struct stream_page *oldest = &streamer->page[0];
    for (uint32_t i = 0; i < STREAM_PAGES; i++) {
        struct stream_page *entry = &streamer->page[i];
        if (entry->page == page + 1)
            return entry;
        if (entry->used < oldest->used)
            oldest = entry;
    }
    *oldest = (struct stream_page){.page = page + 1};
    for (uint32_t i = 0; i < STREAMS_OF_PAGE; i++)
        oldest->stream[i].last = -1;
    return oldest;
}

/* Whether the line is the next of the stream. */
static int stream_continues(const struct stream *stream, int32_t line) {
    int32_t step = line - stream->last;
    if (stream->last < 0 || step == 0 || step > STREAM_STEP || step < -STREAM_STEP)
        return 0;
    return stream->direction == 0 || (step > 0) == (stream->direction > 0);
}

static void stream_advance(struct stream *stream, int32_t line) {
    stream->direction = line > stream->last ? 1 : -1;
    stream->last = line;
    stream->steps++;
    if ((stream->next - line) * stream->direction <= 0) /* new, or overtaken by its requests */
        stream->next = line + stream->direction;
}

/* The stream that the line continues, advanced; NULL: none, and the line may begin one. */
static struct stream *stream_of(struct stream_page *page, int32_t line) {
    for (uint32_t i = 0; i < STREAMS_OF_PAGE; i++)
        if (page->stream[i].last == line)
            return NULL;
    for (uint32_t i = 0; i < STREAMS_OF_PAGE; i++)
        if (stream_continues(&page->stream[i], line)) {
            stream_advance(&page->stream[i], line);
            page->older = !i;
            return &page->stream[i];
        }
    page->stream[page->older] = (struct stream){.last = line, .next = line};
    page->older = !page->older;
    return NULL;
}

uint32_t streamer_request(struct streamer *streamer, uint64_t page, int32_t line, int32_t page_lines,
                          int32_t out[STREAM_REQUESTS]) {
    struct stream_page *entry = stream_page_of(streamer, page);
    entry->used = ++streamer->time;
    struct stream *stream = stream_of(entry, line);
    uint32_t count = 0;
    if (!stream || stream->steps < STREAM_STEPS)
        return 0;
    while (count < STREAM_REQUESTS && (stream->next - line) * stream->direction <= STREAM_AHEAD && stream->next >= 0 &&
           stream->next < page_lines) {
        out[count++] = stream->next;
        stream->next += stream->direction;
    }
    return count;
}

/* ---- L1 next line ---- */

static void remember_line(struct prefetcher *prefetcher, uint64_t line) {
    prefetcher->recent[prefetcher->recent_next] = line + 1;
    prefetcher->recent_next = (prefetcher->recent_next + 1) % RECENT_LINES;
}

static int is_recent(const struct prefetcher *prefetcher, uint64_t line) {
    for (uint32_t i = 0; i < RECENT_LINES; i++)
        if (prefetcher->recent[i] == line + 1)
            return 1;
    return 0;
}

uint64_t next_line_request(struct prefetcher *prefetcher, uint64_t line) {
    int ascends = line > 0 && is_recent(prefetcher, line - 1);
    remember_line(prefetcher, line);
    if (!ascends || ((line + 1) ^ line) >> prefetcher->page_lines_shift)
        return 0;
    remember_line(prefetcher, line + 1);
    return line + 1;
}

/* ---- L1 stride ---- */

static uint64_t bytes_between(uint64_t a, uint64_t b) {
    return a > b ? a - b : b - a;
}

/* The entry that the load continues; else the least recently used one, cleared. */
static struct stride *stride_entry(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address) {
    struct stride *oldest = &prefetcher->stride[0];
    for (uint32_t i = 0; i < STRIDES; i++) {
        struct stride *entry = &prefetcher->stride[i];
        if (entry->instruction == instruction && bytes_between(entry->address, address) <= STRIDE_BYTES)
            return entry;
        if (entry->used < oldest->used)
            oldest = entry;
    }
    *oldest = (struct stride){.instruction = instruction, .address = address};
    return oldest;
}

uint64_t stride_request(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address) {
    struct stride *stride = stride_entry(prefetcher, instruction, address);
    int64_t bytes = (int64_t)(address - stride->address);
    stride->used = ++prefetcher->stride_time;
    if (bytes == 0)
        return 0;
    stride->seen = bytes == stride->bytes ? stride->seen + 1 : 1;
    stride->bytes = bytes;
    stride->address = address;
    if (stride->seen < STRIDE_SEEN || ((address + (uint64_t)bytes) ^ address) >> prefetcher->page_shift)
        return 0;
    stride->address += (uint64_t)bytes; /* that load will hit, and so will not be seen */
    return stride->address;
}
