/* traffic.c - marks touched bytes, counts bytes and lines. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/kernel/traffic.h"

#include <stdlib.h>

static size_t common_divisor(size_t a, size_t b) {
    while (b != 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int traffic_start(struct traffic *traffic, size_t window) {
    *traffic = (struct traffic){.window = window};
    traffic->span = window / common_divisor(window, KERNEL_LINE_BYTES) * KERNEL_LINE_BYTES;
    for (int i = 0; i < KERNEL_STREAMS_MAX; i++) {
        traffic->marks[i] = calloc(traffic->span, 1);
        if (traffic->marks[i] == NULL) {
            traffic_free(traffic);
            return -1;
        }
    }
    return 0;
}

void traffic_mark(struct traffic *traffic, unsigned stream, int64_t offset, size_t bytes, unsigned marks) {
    int64_t span = (int64_t)traffic->span;
    for (size_t pass = 0; pass < traffic->span / traffic->window; pass++) {
        for (size_t i = 0; i < bytes; i++) {
            int64_t at = (offset + (int64_t)(pass * traffic->window + i)) % span;
            traffic->marks[stream][at < 0 ? at + span : at] |= (unsigned char)marks;
        }
    }
}

void traffic_sum(const struct traffic *traffic, unsigned stream, struct kernel_stream *sums) {
    size_t loaded = 0, stored = 0, stored_nt = 0;
    size_t lines_loaded = 0, lines_stored = 0, lines_stored_nt = 0, lines = 0;
    for (size_t line = 0; line < traffic->span; line += KERNEL_LINE_BYTES) {
        unsigned all = 0;
        for (size_t i = line; i < line + KERNEL_LINE_BYTES; i++) {
            unsigned marks = traffic->marks[stream][i];
            all |= marks;
            loaded += (marks & TRAFFIC_LOADED) != 0;
            stored += (marks & TRAFFIC_STORED) != 0;
            stored_nt += (marks & TRAFFIC_STORED_NT) != 0;
        }
        lines_loaded += (all & TRAFFIC_LOADED) != 0;
        lines_stored += (all & TRAFFIC_STORED) != 0;
        lines_stored_nt += (all & TRAFFIC_STORED_NT) != 0;
        lines += all != 0;
    }
    double passes = (double)(traffic->span / traffic->window);
    sums->bytes_loaded = (double)loaded / passes;
    sums->bytes_stored = (double)stored / passes;
    sums->bytes_stored_nt = (double)stored_nt / passes;
    sums->lines_loaded = (double)lines_loaded / passes;
    sums->lines_stored = (double)lines_stored / passes;
    sums->lines_stored_nt = (double)lines_stored_nt / passes;
    sums->lines = (double)lines / passes;
}

void traffic_free(struct traffic *traffic) {
    for (int i = 0; i < KERNEL_STREAMS_MAX; i++)
        free(traffic->marks[i]);
    *traffic = (struct traffic){0};
}
