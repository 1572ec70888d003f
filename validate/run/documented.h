/* documented.h - what is known of a node's events before anything is measured. */
#ifndef ASSAY_DOCUMENTED_H
#define ASSAY_DOCUMENTED_H

#include "validation.h"

struct documented {
    struct validation v;
    json_t *concepts; /* input/concepts.lua: all that can be counted */
    json_t *list;     /* input/event_list.lua: LIKWID's events */
    json_t *said; /* what events of the node's architecture are documented to count; empty if nobody wrote it down */
};

/* From the options in `v` to a node, probes, all that is documented, and a place to work in. From its success on,
 * signals are caught (stop.h). */
int documented_open(struct documented *d, struct error *error);

/* What the door makes of the file DATA/NAME and the concepts, a new reference; NULL and the reason. */
json_t *documented_words(const struct documented *d, const char *door, const char *name, struct error *error);

void documented_release(struct documented *d);

#endif
