/* progress.c - a bar or lines on stderr. SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

static void draw(const struct progress *progress, const char *what) {
    char bar[BAR_WIDTH + 1];
    size_t filled = progress->total > 0 ? progress->done * BAR_WIDTH / progress->total : BAR_WIDTH;
    for (size_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %zu/%zu %-40.40s", bar, progress->done, progress->total, what);
    fflush(stderr);
}

void progress_start(struct progress *progress, size_t total, int quiet) {
    *progress = (struct progress){.total = total, .terminal = isatty(2), .quiet = quiet};
    if (progress->terminal && !quiet)
        draw(progress, "");
}

void progress_step(struct progress *progress, const char *what, const char *note) {
    progress->done++;
    if (progress->quiet)
        return;
    if (progress->terminal)
        draw(progress, what);
    else
        fprintf(stderr, "%zu/%zu %s: %s\n", progress->done, progress->total, what, note);
}

void progress_end(struct progress *progress) {
    if (progress->terminal && !progress->quiet)
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 60, "");
}
