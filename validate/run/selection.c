/* selection.c - restricts a plan. SPDX-License-Identifier: GPL-3.0-or-later */
#include "selection.h"
#include "validate/host/plain_json.h"

#include <stdio.h>
#include <string.h>

static int is_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (; *list != '\0'; list += strspn(list, ",")) {
        size_t item = strcspn(list, ",");
        if (item == length && memcmp(list, name, length) == 0)
            return 1;
        list += item;
    }
    return 0;
}

/* An entry without the key matches any list. */
static int agrees(const json_t *entry, const char *key, const char *list) {
    const char *value = json_word(entry, key);
    return list == NULL || value == NULL || is_listed(list, value);
}

static void select_entries(json_t *entries, const struct options *options) {
    for (size_t i = json_array_size(entries); i-- > 0;) {
        json_t *entry = json_array_get(entries, i), *points = json_object_get(entry, "points");
        select_entries(points, options);
        int is_left = agrees(entry, "code", options->only) && agrees(entry, "level", options->level) &&
                      agrees(entry, "placement", options->placement);
        if (!is_left || (points != NULL && json_array_size(points) == 0))
            json_array_remove(entries, i);
    }
}

static void note(json_t *known, const char *key, const char *value) {
    json_t *values = json_object_get(known, key);
    if (values == NULL)
        json_object_set_new(known, key, values = json_object());
    if (value != NULL)
        json_object_set_new(values, value, json_true());
}

static void note_entries(json_t *known, const json_t *entries) {
    static const char *const keys[] = {"code", "level"};
    size_t index;
    json_t *entry;
    json_array_foreach(entries, index, entry) {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            note(known, keys[i], json_word(entry, keys[i]));
        note_entries(known, json_object_get(entry, "points"));
    }
}

void selection_note(json_t *known, const json_t *plan) {
    note_entries(known, json_object_get(plan, "jobs"));
    note_entries(known, json_object_get(plan, "skipped"));
}

void selection_note_levels(json_t *known, const json_t *node) {
    size_t index;
    json_t *cache;
    note(known, "level", "MEM");
    json_array_foreach(json_object_get(node, "caches"), index, cache) {
        char name[32];
        snprintf(name, sizeof name, "L%lld", (long long)json_integer_value(json_object_get(cache, "level")));
        note(known, "level", name);
    }
}

static int check_list(const json_t *known, const char *key, const char *list, struct error *error) {
    for (const char *item = list; item != NULL && *item != '\0'; item += strspn(item, ",")) {
        int length = (int)strcspn(item, ",");
        char name[256];
        snprintf(name, sizeof name, "%.*s", length, item);
        if (length > 0 && json_object_get(json_object_get(known, key), name) == NULL)
            return error_set(error, "%s: no %s of what is to be validated; assay list patterns shows them", name, key);
        item += length;
    }
    return 0;
}

int selection_check(const json_t *known, const struct options *options, struct error *error) {
    return check_list(known, "code", options->only, error) != 0 ? -1
                                                                : check_list(known, "level", options->level, error);
}

int selection_is_asked(const struct options *options) {
    return options->only != NULL || options->level != NULL || options->placement != NULL;
}

void selection_apply(json_t *plan, const struct options *options) {
    if (!selection_is_asked(options))
        return;
    select_entries(json_object_get(plan, "jobs"), options);
    select_entries(json_object_get(plan, "skipped"), options);
}
