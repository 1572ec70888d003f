/* wcbuffer.c - write-combining buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "wcbuffer.h"

#include "coherence.h"
#include "hardware.h"

static const uint64_t all_bytes = ~UINT64_C(0);

/* Index of the line's buffer; `open` if it has none. */
static uint32_t find_buffer(const struct wc_buffers *wc, uint64_t line) {
    uint32_t i = 0;
    while (i < wc->open && wc->line[i] != line)
        i++;
    return i;
}

static void close_buffer(struct sim_core *core, uint32_t i) {
    struct wc_buffers *wc = &core->wc;
    uint64_t line = wc->line[i];
    int partial = wc->mask[i] != all_bytes;
    wc->open--;
    for (; i < wc->open; i++) {
        wc->line[i] = wc->line[i + 1];
        wc->mask[i] = wc->mask[i + 1];
    }
    coherence_streaming_store(core, line, partial);
}

int wc_open(struct sim_core *core, uint64_t line) {
    struct wc_buffers *wc = &core->wc;
    if (find_buffer(wc, line) < wc->open)
        return 0;
    if (wc->open == WC_BUFFERS)
        close_buffer(core, 0);
    wc->line[wc->open] = line;
    wc->mask[wc->open] = 0;
    wc->open++;
    return 1;
}

void wc_write(struct sim_core *core, uint64_t line, uint64_t mask) {
    struct wc_buffers *wc = &core->wc;
    uint32_t i = find_buffer(wc, line);
    wc->mask[i] |= mask;
    if (wc->mask[i] == all_bytes)
        close_buffer(core, i);
}

void wc_flush_line(struct sim_core *core, uint64_t line) {
    uint32_t i = find_buffer(&core->wc, line);
    if (i < core->wc.open)
        close_buffer(core, i);
}

void wc_flush(struct sim_core *core) {
    while (core->wc.open)
        close_buffer(core, 0);
}
