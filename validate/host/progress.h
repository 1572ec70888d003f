/* progress.h - prints a campaign's progress on stderr: a bar on a terminal, otherwise a line per finished run. */
#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include <stddef.h>

struct progress {
    size_t total, done;
    int terminal;
    int quiet;
};

void progress_start(struct progress *progress, size_t total, int quiet);
/* Counts a finished unit; `what` names it (a run), `note` says how it ended. */
void progress_step(struct progress *progress, const char *what, const char *note);
/* Clears the bar, so that further output starts on an empty line. */
void progress_end(struct progress *progress);

#endif
