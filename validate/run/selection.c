/* selection.c - less of a plan: some codes, one level, one placement. SPDX-License-Identifier: GPL-3.0-or-later */
#include "selection.h"

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

/* What an entry does not say it does not contradict. */
static int agrees(const json_t *entry, const char *key, const char *list) {
    const char *value = json_string_value(json_object_get(entry, key));
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

int selection_is_asked(const struct options *options) {
    return options->only != NULL || options->level != NULL || options->placement != NULL;
}

void selection_apply(json_t *plan, const struct options *options) {
    if (!selection_is_asked(options))
        return;
    select_entries(json_object_get(plan, "jobs"), options);
    select_entries(json_object_get(plan, "skipped"), options);
}
