/* indices.h - checks what a schema cannot: that what refers to a part of the same record finds it: indices of an
 * analysis, names of signatures in a matrix. */
#ifndef ASSAY_INDICES_H
#define ASSAY_INDICES_H

#include <jansson.h>

#include "validate/host/error.h"

/* Of a record that its schema accepts. 0, or -1 and "FILE: KEY[0].TO: what is wrong". */
int indices_check(const json_t *record, const char *file, struct error *error);

#endif
