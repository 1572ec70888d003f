/* event_list.h - the events that LIKWID knows on a node. */
#ifndef ASSAY_EVENT_LIST_H
#define ASSAY_EVENT_LIST_H

#include "validation.h"

/* All functions return a new reference, or NULL with the reason. */

/* The output of likwid-perfctr with these words (at most 8, then NULL) on the node; call after validation_ready(). */
json_t *event_list_output(const struct validation *v, const char *const words[], struct error *error);

/* LIKWID's list, the output of likwid-perfctr -e. */
json_t *event_list_ask(const struct validation *v, struct error *error);

/* The array of lua/input/event_list.lua for that list. */
json_t *event_list_read(const struct validation *v, json_t *listed, struct error *error);

/* The machine as far as that list shows it (event_list.machine), for an architecture without a machine file. */
json_t *event_list_machine(const struct validation *v, json_t *listed, struct error *error);

#endif
