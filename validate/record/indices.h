/* indices.h - checks what a schema cannot: that the indices in an analysis record name something in it. */
#ifndef ASSAY_INDICES_H
#define ASSAY_INDICES_H

#include <jansson.h>

#include "validate/host/error.h"

/* Of a record that docs/analysis.schema.json accepts. 0, or -1 and "FILE: KEY[0].TO: what is wrong". */
int indices_check(const json_t *record, const char *file, struct error *error);

#endif
