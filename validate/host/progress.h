/* progress.h - how far a campaign is, on stderr: a bar on a terminal, a line per finished run otherwise. */
#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include <stddef.h>

struct progress {
    size_t total, done;
    int terminal;
    int quiet;
};

void progress_start(struct progress *progress, size_t total, int quiet);
/* One more unit is done; `what` names it (a run), `note` how it ended. */
void progress_step(struct progress *progress, const char *what, const char *note);
/* Clears the bar, so that other output starts on a clean line. */
void progress_end(struct progress *progress);

#endif
