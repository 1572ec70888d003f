/* vendor.h - compares the selects that LIKWID writes on a node with the vendor's codes. */
#ifndef ASSAY_VENDOR_H
#define ASSAY_VENDOR_H

#include "validation.h"

/* The rows of lua/input/vendor.lua, none if the architecture has no table of the vendor's codes. `listed`:
 * event_list_ask()'s result. Starts LIKWID if LIKWID masks a register of these events. A new reference, NULL with the
 * reason. */
json_t *vendor_check(const struct validation *v, json_t *listed, struct error *error);

#endif
