/* wcbuffer.c - write-combining buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "wcbuffer.h"

#include "coherence.h"
#include "frames.h"

enum { WORD_BITS = 64 };
_Static_assert((int)WC_WORDS *(int)WORD_BITS == (int)LINE_BYTES_MAX, "a bit for each byte of the longest line");

/* Index of the line's buffer; `open` if none. */
static uint32_t find_buffer(const struct wc_buffers *wc, uint64_t line) {
    uint32_t i = 0;
    while (i < wc->open && wc->line[i] != line)
        i++;
    return i;
}

/* `bytes` ones from bit `first` on, 1 <= bytes <= WORD_BITS - first. */
static uint64_t ones(uint32_t first, uint32_t bytes) {
    return ~UINT64_C(0) >> (WORD_BITS - bytes) << first;
}

static int is_full(const struct sim_core *core, const uint64_t *written) {
    uint64_t all = ~UINT64_C(0);
    for (uint32_t i = 0; i < core->sim->config.line / WORD_BITS; i++)
        all &= written[i];
    return all == ~UINT64_C(0);
}

static void close_buffer(struct sim_core *core, uint32_t i) {
    struct wc_buffers *wc = &core->wc;
    uint64_t line = wc->line[i];
    int partial = !is_full(core, wc->written[i]);
    wc->open--;
    for (; i < wc->open; i++) {
        wc->line[i] = wc->line[i + 1];
        for (uint32_t word = 0; word < WC_WORDS; word++)
            wc->written[i][word] = wc->written[i + 1][word];
    }
    coherence_streaming_store(core, frames_line(core->sim, line), partial);
}

int wc_open(struct sim_core *core, uint64_t line) {
    struct wc_buffers *wc = &core->wc;
    if (find_buffer(wc, line) < wc->open)
        return 0;
    if (wc->open == WC_BUFFERS)
        close_buffer(core, 0);
    wc->line[wc->open] = line;
    for (uint32_t word = 0; word < WC_WORDS; word++)
        wc->written[wc->open][word] = 0;
    wc->open++;
    return 1;
}

void wc_write(struct sim_core *core, uint64_t line, uint32_t offset, uint32_t bytes) {
    struct wc_buffers *wc = &core->wc;
    uint32_t i = find_buffer(wc, line);
    for (uint32_t at = offset, end = offset + bytes; at < end;) {
        uint32_t next = at / WORD_BITS * WORD_BITS + WORD_BITS;
        uint32_t here = (next < end ? next : end) - at;
        wc->written[i][at / WORD_BITS] |= ones(at % WORD_BITS, here);
        at += here;
    }
    if (is_full(core, wc->written[i]))
        close_buffer(core, i);
}

__attribute__((noinline)) void wc_flush_line(struct sim_core *core, uint64_t line) {
    uint32_t i = find_buffer(&core->wc, line);
    if (i < core->wc.open)
        close_buffer(core, i);
}

void wc_flush(struct sim_core *core) {
    while (core->wc.open)
        close_buffer(core, 0);
}
