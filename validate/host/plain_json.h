/* plain_json.h - plain texts (plain.h) in JSON. */
#ifndef ASSAY_PLAIN_JSON_H
#define ASSAY_PLAIN_JSON_H

#include <jansson.h>

/* Makes all texts of a record plain, keys too, in place. `stderr_tail`, a text of several lines, keeps them. */
void plain_record(json_t *record);

/* A file's name as messages and pages show it; where it is no UTF-8, all bytes beyond ASCII become '?'. A new
 * reference. */
json_t *plain_name(const char *file);

#endif
