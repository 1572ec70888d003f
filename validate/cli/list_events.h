/* list_events.h - lists the events that Assay uses, with LIKWID's codes and the vendor's. */
#ifndef ASSAY_LIST_EVENTS_H
#define ASSAY_LIST_EVENTS_H

#include "validate/host/error.h"
#include "validate/host/paths.h"

/* Prints a line per event. `arch`: on a virtual node of that architecture, with two sockets if it may have them,
 * because LIKWID lists no events of links that are not there; NULL: on the node that `node` chooses (choose.h). 0, or
 * -1 with the reason. */
int list_events(const struct paths *paths, const char *arch, const char *node, struct error *error);

#endif
