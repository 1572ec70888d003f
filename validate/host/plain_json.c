/* plain_json.c - JSON from external texts. SPDX-License-Identifier: GPL-3.0-or-later */
#include "plain_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plain.h"
#include "text.h"
#include "utf8.h"

static void plain_string(json_t *text, int keeps_lines) {
    if (plain_is(json_string_value(text), keeps_lines))
        return;
    char *copy = strdup(json_string_value(text));
    if (copy != NULL && plain_text(copy, keeps_lines))
        json_string_set(text, copy);
    free(copy);
}

static void plain_value(json_t *value, const char *key);

/* If two keys become equal, one of them is kept. */
static void plain_keys(json_t *object) {
    const char *key;
    json_t *member, *fresh = json_object();
    json_object_foreach(object, key, member) {
        char *copy = strdup(key);
        if (copy != NULL)
            plain_text(copy, 0);
        json_object_set(fresh, copy != NULL ? copy : key, member);
        free(copy);
    }
    json_object_clear(object);
    json_object_update(object, fresh);
    json_decref(fresh);
}

static void plain_object(json_t *object) {
    int is_plain = 1;
    const char *key;
    json_t *member;
    json_object_foreach(object, key, member) {
        plain_value(member, key);
        is_plain = is_plain && plain_is(key, 0);
    }
    if (!is_plain)
        plain_keys(object);
}

static void plain_value(json_t *value, const char *key) {
    size_t index;
    json_t *element;
    if (json_is_object(value))
        plain_object(value);
    else if (json_is_string(value))
        plain_string(value, strcmp(key, "stderr_tail") == 0);
    json_array_foreach(value, index, element) plain_value(element, "");
}

void plain_record(json_t *record) {
    plain_value(record, "");
}

json_t *plain_name(const char *file) {
    char *copy = strdup(file);
    if (copy == NULL)
        return NULL;
    plain_text(copy, 0);
    json_t *name = json_string(copy);
    free(copy);
    return name;
}

json_t *plain_word(const char *word) {
    enum { ESCAPED = 4 /* \\xE9 */ };
    char *text = malloc(ESCAPED * strlen(word) + 1), *end = text;
    if (text == NULL)
        return NULL;
    for (size_t length; *word != '\0'; word += length > 0 ? length : 1) {
        length = utf8_length(word);
        if (length > 0)
            end = mempcpy(end, word, length);
        else
            end += sprintf(end, "\\x%02X", (unsigned char)*word);
    }
    *end = '\0';
    json_t *made = json_string(text);
    free(text);
    return made;
}

json_t *plain_words(char *const words[]) {
    json_t *list = json_array();
    for (; *words != NULL; words++) {
        if (json_array_append_new(list, plain_word(*words)) != 0)
            abort();
    }
    return list;
}

json_t *json_text(const char *text, const char *file, struct error *error) {
    json_t *made = json_string(text);
    if (made == NULL)
        error_set(error, "%s:%zu: not UTF-8; save it as UTF-8", file, utf8_wrong_line(text));
    return made;
}

const char *json_word(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

int json_contains(const json_t *array, const json_t *value) {
    size_t i = 0;
    while (i < json_array_size(array) && !json_equal(json_array_get(array, i), value))
        i++;
    return i < json_array_size(array);
}

json_t *json_file(const char *file, struct error *error) {
    char *text = text_read(file, error);
    json_t *read = text != NULL ? json_text(text, file, error) : NULL;
    free(text);
    return read;
}

json_t *json_arch(const struct paths *paths, const char *arch, const char *name, struct error *error) {
    char file[PATH_MAX];
    if (paths_arch(file, paths, arch, name, error) != 0)
        return NULL;
    return access(file, F_OK) == 0 ? json_file(file, error) : json_null();
}

json_t *json_words(char *const words[], size_t count, struct error *error) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(list, json_string(words[i])) != 0) {
            error_set(error, "%.200s: not UTF-8; give a name in UTF-8", words[i]);
            json_decref(list);
            return NULL;
        }
    }
    return list;
}
