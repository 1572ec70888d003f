/* event_list.h - the events that LIKWID knows on a node. */
#ifndef ASSAY_EVENT_LIST_H
#define ASSAY_EVENT_LIST_H

#include "validation.h"

/* lua/input/event_list.lua's array, of a validation that is ready; a new reference, NULL and the reason. */
json_t *event_list_read(const struct validation *v, struct error *error);

#endif
