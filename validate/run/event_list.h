/* event_list.h - the events that LIKWID knows on a node. */
#ifndef ASSAY_EVENT_LIST_H
#define ASSAY_EVENT_LIST_H

#include "validation.h"

/* The output of likwid-perfctr with these words (at most 8, then NULL) on the node, to be freed; NULL with the reason.
 */
char *event_list_output(const struct validation *v, const char *const words[], struct error *error);

/* The array of lua/input/event_list.lua; call after validation_ready(). A new reference, NULL with the reason. */
json_t *event_list_read(const struct validation *v, struct error *error);

/* The machine as far as LIKWID's list shows it (event_list.machine), for an architecture without a machine file. A new
 * reference, NULL with the reason. */
json_t *event_list_machine(const struct validation *v, struct error *error);

#endif
