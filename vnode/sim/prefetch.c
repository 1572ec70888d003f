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

/* ---- tables ---- */

/* Puts the entry at that place first; returns its number. */
static uint32_t use(struct use_order *order, uint32_t place) {
    uint8_t entry = order->entry[place];
    for (; place > 0; place--)
        order->entry[place] = order->entry[place - 1];
    return order->entry[0] = entry;
}

/* A free entry of a table of that size, or else the one used least recently; now first. */
static uint32_t use_new(struct use_order *order, uint32_t size) {
    if (order->count == size)
        return use(order, size - 1);
    order->entry[order->count] = (uint8_t)order->count;
    return use(order, order->count++);
}

/* ---- L2 streamer ---- */

/* The page's entry; the one used least recently is cleared for a new page. */
static struct stream_page *stream_page_of(struct streamer *streamer, uint64_t page) {
    struct use_order *order = &streamer->order;
    for (uint32_t i = 0; i < order->count; i++)
        if (streamer->page[order->entry[i]].page == page)
            return &streamer->page[use(order, i)];
    struct stream_page *entry = &streamer->page[use_new(order, STREAM_PAGES)];
    *entry = (struct stream_page){.page = page};
    for (uint32_t i = 0; i < STREAMS_OF_PAGE; i++)
        entry->stream[i].last = -1;
    return entry;
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
    struct stream *stream = stream_of(stream_page_of(streamer, page), line);
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

/* Looks at the newest first. */
static int is_recent(const struct prefetcher *prefetcher, uint64_t line) {
    for (uint32_t i = 1; i <= RECENT_LINES; i++)
        if (prefetcher->recent[(prefetcher->recent_next - i) % RECENT_LINES] == line + 1)
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

/* The entry that the load continues: of several, the one used last. If there is none, a cleared one. */
static struct stride *stride_entry(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address) {
    struct use_order *order = &prefetcher->stride_order;
    for (uint32_t i = 0; i < order->count; i++) {
        const struct stride *entry = &prefetcher->stride[order->entry[i]];
        if (entry->instruction == instruction && bytes_between(entry->address, address) <= STRIDE_BYTES)
            return &prefetcher->stride[use(order, i)];
    }
    struct stride *entry = &prefetcher->stride[use_new(order, STRIDES)];
    *entry = (struct stride){.instruction = instruction, .address = address};
    return entry;
}

uint64_t stride_request(struct prefetcher *prefetcher, uint64_t instruction, uint64_t address) {
    struct stride *stride = stride_entry(prefetcher, instruction, address);
    int64_t bytes = (int64_t)(address - stride->address);
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
