/* plain_json.h - puts external texts into JSON: cleaned by plain.h, or checked to be UTF-8. */
#ifndef ASSAY_PLAIN_JSON_H
#define ASSAY_PLAIN_JSON_H

#include <jansson.h>

#include "error.h"
#include "paths.h"

/* Applies plain_text() to all texts and keys of a record, in place. `stderr_tail` keeps its newlines. */
void plain_record(json_t *record);

/* A file's name for messages and pages, after plain_text(). A new reference. */
json_t *plain_name(const char *file);

/* A command-line word in the form stored in records: invalid UTF-8 bytes are written as \xE9, others are unchanged. A
 * new reference. */
json_t *plain_word(const char *word);

/* An array with plain_word() of each word of a NULL-terminated list. */
json_t *plain_words(char *const words[]);

/* The text of an object's member, valid while the object holds it; NULL if there is none. */
const char *json_word(const json_t *object, const char *key);

/* Whether an element of the array equals the value; not, if the array is NULL. */
int json_contains(const json_t *array, const json_t *value);

/* `text`, read from `file`, as a JSON string; NULL with the reason if it is not UTF-8, with the line. */
json_t *json_text(const char *text, const char *file, struct error *error);

/* json_text() of a whole file. NULL with the reason. */
json_t *json_file(const char *file, struct error *error);

/* json_file() of GROUPS/ARCH/NAME; null if it is absent, as at native stage. */
json_t *json_arch(const struct paths *paths, const char *arch, const char *name, struct error *error);

/* An array of `count` names; NULL with the reason if one is not UTF-8. */
json_t *json_words(char *const words[], size_t count, struct error *error);

#endif
