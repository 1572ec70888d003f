/* documented.h - documented knowledge about a node's events, before any measurement. */
#ifndef ASSAY_DOCUMENTED_H
#define ASSAY_DOCUMENTED_H

#include "validation.h"

struct documented {
    struct validation v;
    json_t *concepts; /* input/concepts.lua: all basis quantities */
    json_t *list;     /* input/event_list.lua: LIKWID's events */
    json_t *said;     /* documented counts of the architecture's events; empty if there is no such file */
};

/* Evaluates the options in `v`: opens the node, loads probes and documentation, creates a work folder. After success
 * signals are caught (stop.h). */
int documented_open(struct documented *d, struct error *error);

/* The result of `door` (script.h) for the file DATA/NAME and the concepts, a new reference; NULL with the reason. */
json_t *documented_words(const struct documented *d, const char *door, const char *name, struct error *error);

void documented_release(struct documented *d);

#endif
