/* vendor.h - compares the selects that LIKWID writes on a node with the vendor's codes. */
#ifndef ASSAY_VENDOR_H
#define ASSAY_VENDOR_H

#include "validation.h"

/* The rows of lua/input/vendor.lua, none if the architecture has no table of the vendor's codes; call after
 * validation_ready(). Starts LIKWID once or twice. A new reference, NULL with the reason. */
json_t *vendor_check(const struct validation *v, struct error *error);

#endif
