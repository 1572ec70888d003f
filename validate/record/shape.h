/* shape.h - checks a JSON value against a JSON Schema, of which it knows what the schemas in docs use.
 *
 * Keywords: type, const, enum, minimum, properties, required, dependentRequired, additionalProperties (a schema),
 * items, minItems, maxItems, $ref to "#/$defs/NAME", oneOf (references to objects that differ in the constant of
 * "kind"), $defs; and $schema, title, description, which say nothing. As JSON Schema has it, a number without a
 * fraction is an integer, however it is written, and a keyword for another type than the value's says nothing. Other
 * than there, an integer with an exponent has at most 53 bits, and no number is beyond 1e100. Any other keyword is an
 * error, so that none is silently not checked. (Debian has no library in C or Lua for this.) */
#ifndef ASSAY_SHAPE_H
#define ASSAY_SHAPE_H

#include <jansson.h>

#include "validate/host/error.h"

/* Values may be nested this deep; the record's schema needs five. */
enum { SHAPE_NESTED_MOST = 64 };

/* 0, or -1 and "FILE: KEY.PATH[0].TO.IT: what is wrong". `file` names the value in the message. */
int shape_check(const json_t *schema, const json_t *value, const char *file, struct error *error);

#endif
