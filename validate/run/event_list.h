/* event_list.h - the events that LIKWID knows on a node. */
#ifndef ASSAY_EVENT_LIST_H
#define ASSAY_EVENT_LIST_H

#include "validation.h"

/* The array of lua/input/event_list.lua; call after validation_ready(). A new reference, NULL with the reason. */
json_t *event_list_read(const struct validation *v, struct error *error);

#endif
