/* shape.c - a JSON Schema checker for records. SPDX-License-Identifier: GPL-3.0-or-later */
#include "shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 300, WORDS_TEXT = 200 };

/* Limits: a double above WHOLE_MOST (2^53) does not hold every integer; above the second limit sums of squares
 * overflow. */
#define WHOLE_MOST 9007199254740992.0
#define NUMBER_MOST 1e100

/* The position of a value: a list of keys and indices up to the root. */
struct place {
    const struct place *outer;
    const char *key; /* NULL: an element of an array */
    size_t index;
    int depth;
};

struct check {
    const json_t *root;   /* the whole schema, for $ref */
    const json_t *schema; /* for the current value */
    const char *file;
    struct error *error;
};

static size_t write_place(const struct place *place, char *text, size_t room) {
    if (place == NULL || place->outer == NULL)
        return 0;
    size_t used = write_place(place->outer, text, room);
    if (used >= room)
        return used;
    int more = place->key != NULL ? snprintf(text + used, room - used, "%s%.100s", used > 0 ? "." : "", place->key)
                                  : snprintf(text + used, room - used, "[%zu]", place->index);
    return used + (size_t)more;
}

/* Sets the error message for the value at `place`, or for its member `key`. */
static int fail(const struct check *check, const struct place *place, const char *key, const char *what) {
    char path[PATH_TEXT];
    size_t used = write_place(place, path, sizeof path);
    if (used == 0)
        snprintf(path, sizeof path, "%s", key != NULL ? key : "the whole");
    else if (key != NULL && used < sizeof path)
        snprintf(path + used, sizeof path - used, ".%s", key);
    return error_set(check->error, "%s: %s %s; make the record again, with --out FILE", check->file, path, what);
}

static const char *name_of(const json_t *value) {
    if (json_is_real(value) && fabs(json_real_value(value)) > WHOLE_MOST)
        return "so large a number";
    static const char *const names[] = {[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array",
                                        [JSON_STRING] = "a text",    [JSON_INTEGER] = "a whole number",
                                        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",
                                        [JSON_FALSE] = "false",      [JSON_NULL] = "null"};
    return names[json_typeof(value)];
}

static int is_whole(double number) {
    return fabs(number) <= WHOLE_MOST && number == floor(number);
}

static int is_of_type(const json_t *value, const char *type) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return strcmp(type, "object") == 0;
    case JSON_ARRAY:
        return strcmp(type, "array") == 0;
    case JSON_STRING:
        return strcmp(type, "string") == 0;
    case JSON_INTEGER:
        return strcmp(type, "integer") == 0 || strcmp(type, "number") == 0;
    case JSON_REAL:
        return (strcmp(type, "number") == 0 && fabs(json_real_value(value)) <= NUMBER_MOST) ||
               (strcmp(type, "integer") == 0 && is_whole(json_real_value(value)));
    case JSON_TRUE:
    case JSON_FALSE:
        return strcmp(type, "boolean") == 0;
    default:
        return strcmp(type, "null") == 0;
    }
}

static int is_equal(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

/* "a", "a or b", "a, b or c" from an array of texts; null is listed as a word. */
static void list_words(const json_t *words, char text[WORDS_TEXT]) {
    size_t index, used = 0, count = json_array_size(words);
    json_t *word;
    text[0] = '\0';
    json_array_foreach(words, index, word) {
        const char *between = index == 0 ? "" : index + 1 == count ? " or " : ", ";
        int more = snprintf(text + used, WORDS_TEXT - used, "%s%s", between,
                            json_is_string(word) ? json_string_value(word) : name_of(word));
        used += (size_t)more < WORDS_TEXT - used ? (size_t)more : 0;
    }
}

static int check_value(const struct check *check, const json_t *schema, const json_t *value, const struct place *place);

/* Each checks one keyword; `rule` is its value in the schema. */
static int check_type(const struct check *check, const json_t *rule, const json_t *value, const struct place *place) {
    char words[WORDS_TEXT], what[WORDS_TEXT + 100];
    size_t index;
    json_t *type;
    if (json_is_string(rule)) {
        if (is_of_type(value, json_string_value(rule)))
            return 0;
        snprintf(words, sizeof words, "%s", json_string_value(rule));
    } else {
        json_array_foreach(rule, index, type) {
            if (is_of_type(value, json_string_value(type)))
                return 0;
        }
        list_words(rule, words);
    }
    snprintf(what, sizeof what, "must be %s, not %s", words, name_of(value));
    return fail(check, place, NULL, what);
}

static int check_enum(const struct check *check, const json_t *rule, const json_t *value, const struct place *place) {
    char words[WORDS_TEXT], what[WORDS_TEXT + 100];
    size_t index;
    json_t *allowed;
    json_array_foreach(rule, index, allowed) {
        if (is_equal(allowed, value))
            return 0;
    }
    list_words(rule, words);
    snprintf(what, sizeof what, "must be %s, not %s%.60s", words, json_is_string(value) ? "" : name_of(value),
             json_is_string(value) ? json_string_value(value) : "");
    return fail(check, place, NULL, what);
}

static int check_const(const struct check *check, const json_t *rule, const json_t *value, const struct place *place) {
    return is_equal(rule, value) ? 0 : fail(check, place, NULL, "has another value than this program reads");
}

static int check_minimum(const struct check *check, const json_t *rule, const json_t *value,
                         const struct place *place) {
    char what[100];
    if (!json_is_number(value) || json_number_value(value) >= json_number_value(rule))
        return 0;
    snprintf(what, sizeof what, "must be %g or more, not %g", json_number_value(rule), json_number_value(value));
    return fail(check, place, NULL, what);
}

static int check_required(const struct check *check, const json_t *rule, const json_t *value,
                          const struct place *place) {
    size_t index;
    json_t *key;
    if (!json_is_object(value))
        return 0;
    json_array_foreach(rule, index, key) {
        if (json_object_get(value, json_string_value(key)) == NULL)
            return fail(check, place, json_string_value(key), "is missing");
    }
    return 0;
}

/* { KEY: keys that are required if KEY is present } */
static int check_dependent(const struct check *check, const json_t *rule, const json_t *value,
                           const struct place *place) {
    const char *key;
    json_t *needed;
    json_object_foreach((json_t *)rule, key, needed) {
        if (json_object_get(value, key) != NULL && check_required(check, needed, value, place) != 0)
            return -1;
    }
    return 0;
}

static int check_member(const struct check *check, const json_t *schema, const char *key, const json_t *member,
                        const struct place *place) {
    struct place inner = {.outer = place, .key = key, .depth = place->depth + 1};
    return check_value(check, schema, member, &inner);
}

static int check_properties(const struct check *check, const json_t *rule, const json_t *value,
                            const struct place *place) {
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member) {
        const json_t *described = json_object_get(rule, key);
        if (described != NULL && check_member(check, described, key, member, place) != 0)
            return -1;
    }
    return 0;
}

static int check_additional(const struct check *check, const json_t *rule, const json_t *value,
                            const struct place *place) {
    const json_t *described = json_object_get(check->schema, "properties");
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member) {
        if (json_object_get(described, key) == NULL && check_member(check, rule, key, member, place) != 0)
            return -1;
    }
    return 0;
}

static int check_items(const struct check *check, const json_t *rule, const json_t *value, const struct place *place) {
    size_t index;
    json_t *element;
    json_array_foreach(value, index, element) {
        struct place inner = {.outer = place, .index = index, .depth = place->depth + 1};
        if (check_value(check, rule, element, &inner) != 0)
            return -1;
    }
    return 0;
}

static int check_count(const struct check *check, const json_t *rule, const json_t *value, const struct place *place) {
    char what[100];
    int is_least = rule == json_object_get(check->schema, "minItems");
    json_int_t count = (json_int_t)json_array_size(value), limit = json_integer_value(rule);
    if (!json_is_array(value) || (is_least ? count >= limit : count <= limit))
        return 0;
    snprintf(what, sizeof what, "must have at %s %lld elements, not %lld", is_least ? "least" : "most",
             (long long)limit, (long long)count);
    return fail(check, place, NULL, what);
}

static const json_t *find_definition(const struct check *check, const char *name) {
    static const char start[] = "#/$defs/";
    return name != NULL && strncmp(name, start, sizeof start - 1) == 0
               ? json_object_get(json_object_get(check->root, "$defs"), name + sizeof start - 1)
               : NULL;
}

static int check_ref(const struct check *check, const json_t *rule, const json_t *value, const struct place *place) {
    const char *name = json_string_value(rule);
    const json_t *found = find_definition(check, name);
    if (found == NULL)
        return error_set(check->error, "record schema: $ref %s leads nowhere", name != NULL ? name : "");
    return check_value(check, found, value, place);
}

/* The alternatives are references to objects with different constants for "kind". The value's "kind" selects one; only
 * that one reports errors. */
static int check_one_of(const struct check *check, const json_t *rule, const json_t *value, const struct place *place) {
    const json_t *kind = json_object_get(value, "kind");
    size_t index;
    json_t *alternative;
    json_array_foreach(rule, index, alternative) {
        const json_t *reference = json_object_get(alternative, "$ref");
        const json_t *found = find_definition(check, json_string_value(reference));
        const json_t *described = json_object_get(json_object_get(found, "properties"), "kind");
        if (kind != NULL && json_equal(json_object_get(described, "const"), kind))
            return check_value(check, found, value, place);
    }
    return fail(check, place, "kind", "is none that this program knows");
}

static const struct {
    const char *name;
    int (*check)(const struct check *, const json_t *, const json_t *, const struct place *);
} keywords[] = {{"type", check_type},
                {"properties", check_properties},
                {"description", NULL},
                {"required", check_required},
                {"dependentRequired", check_dependent},
                {"oneOf", check_one_of},
                {"$ref", check_ref},
                {"enum", check_enum},
                {"items", check_items},
                {"minimum", check_minimum},
                {"additionalProperties", check_additional},
                {"const", check_const},
                {"minItems", check_count},
                {"maxItems", check_count},
                {"title", NULL},
                {"$schema", NULL},
                {"$defs", NULL}};

static int check_value(const struct check *check, const json_t *schema, const json_t *value,
                       const struct place *place) {
    struct check here = *check;
    const char *name;
    json_t *rule;
    here.schema = schema;
    if (place->depth > SHAPE_NESTED_MOST)
        return fail(check, place, NULL, "is nested too deeply");
    json_object_foreach((json_t *)schema, name, rule) {
        size_t k = 0, count = sizeof keywords / sizeof keywords[0];
        while (k < count && strcmp(keywords[k].name, name) != 0)
            k++;
        if (k == count)
            return error_set(check->error, "record schema: keyword %s is not known to this program", name);
        if (keywords[k].check != NULL && keywords[k].check(&here, rule, value, place) != 0)
            return -1;
    }
    return 0;
}

int shape_check(const json_t *schema, const json_t *value, const char *file, struct error *error) {
    struct check check = {.root = schema, .file = file, .error = error};
    struct place whole = {0};
    return check_value(&check, schema, value, &whole);
}
