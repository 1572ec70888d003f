/* indices.h - checks references inside a record, which a schema cannot check: indices in an analysis, names of
 * signatures in a matrix. */
#ifndef ASSAY_INDICES_H
#define ASSAY_INDICES_H

#include <jansson.h>

#include "validate/host/error.h"

/* The record must be valid by its schema. 0, or -1 with "FILE: KEY[0].TO: what is wrong". */
int indices_check(const json_t *record, const char *file, struct error *error);

#endif
