/* plain_json.h - texts from outside in JSON: plain ones (plain.h), and such as must be UTF-8. */
#ifndef ASSAY_PLAIN_JSON_H
#define ASSAY_PLAIN_JSON_H

#include <jansson.h>

#include "error.h"

/* Makes all texts of a record plain, keys too, in place. `stderr_tail`, a text of several lines, keeps them. */
void plain_record(json_t *record);

/* A file's name as messages and pages show it: plain. A new reference. */
json_t *plain_name(const char *file);

/* A word of a command line as records keep it: a byte that is not UTF-8 is written as \xE9, all others as they are. A
 * new reference. */
json_t *plain_word(const char *word);

/* plain_word() of each word up to a NULL, an array. */
json_t *plain_words(char *const words[]);

/* The text of an object's member, as long as the object has it; NULL if it has none. */
const char *json_word(const json_t *object, const char *key);

/* A text of a file, or NULL and the reason: which line is not UTF-8. */
json_t *json_text(const char *text, const char *file, struct error *error);

/* json_text() of a whole file. NULL and the reason. */
json_t *json_file(const char *file, struct error *error);

/* An array of `count` names, or NULL and the reason: which one is not UTF-8. */
json_t *json_words(char *const words[], size_t count, struct error *error);

#endif
