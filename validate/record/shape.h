/* shape.h - checks a JSON value against a JSON Schema; supports the keywords used by the schemas in docs/.
 * Keywords: type, const, enum, minimum, properties, required, dependentRequired, additionalProperties (a schema),
 * items, minItems, maxItems, $ref to "#/$defs/NAME", oneOf (references to objects that differ in the constant of
 * "kind"), $defs; and $schema, title, description, which are ignored. Any other keyword is an error, so that none is
 * silently not checked. As in JSON Schema, a number without a fraction is an integer in any notation, and keywords for
 * other types than the value's are ignored. Unlike JSON Schema, an integer with an exponent must fit in 53 bits, and no
 * number may exceed 1e100. (Debian has no library in C or Lua for this.) */
#ifndef ASSAY_SHAPE_H
#define ASSAY_SHAPE_H

#include <jansson.h>

#include "validate/host/error.h"

/* Maximum nesting of values; the record's schema needs five. */
enum { SHAPE_NESTED_MOST = 64 };

/* Returns 0, or -1 with "FILE: KEY.PATH[0].TO.IT: what is wrong". `file` is used in the message only. */
int shape_check(const json_t *schema, const json_t *value, const char *file, struct error *error);

#endif
