/* indices.c - checks references inside a record. SPDX-License-Identifier: GPL-3.0-or-later */
#include "indices.h"
#include "validate/host/plain_json.h"

#include <string.h>

/* In each entry of `list`, `key` is an index into `of`. */
static const struct reference {
    const char *list, *key, *of;
} references[] = {
    {"counts", "region", "regions"},        {"counts", "leaf", "system"},        {"values", "region", "regions"},
    {"values", "leaf", "system"},           {"values", "metric", "metrics"},     {"witness", "region", "regions"},
    {"witness", "leaf", "system"},          {"turned", "region", "regions"},     {"turned", "leaf", "system"},
    {"turned_counts", "region", "regions"}, {"turned_counts", "leaf", "system"},
};

static int check_reference(const json_t *record, const struct reference *reference, const char *file,
                           struct error *error) {
    size_t index, count = json_array_size(json_object_get(record, reference->of));
    json_t *entry;
    json_array_foreach(json_object_get(record, reference->list), index, entry) {
        json_int_t at = (json_int_t)json_number_value(json_object_get(entry, reference->key));
        if (at < 0 || at >= (json_int_t)count)
            return error_set(error, "%s: %s[%zu].%s is %lld, there are %zu %s; the file is damaged, measure again",
                             file, reference->list, index, reference->key, (long long)at, count, reference->of);
    }
    return 0;
}

/* Parents must precede their children, so there is no cycle. */
static int check_parents(const json_t *record, const char *file, struct error *error) {
    size_t index;
    json_t *metric;
    json_array_foreach(json_object_get(record, "metrics"), index, metric) {
        const json_t *parent = json_object_get(metric, "parent");
        if (json_is_number(parent) && (json_int_t)json_number_value(parent) >= (json_int_t)index)
            return error_set(error,
                             "%s: metrics[%zu].parent is no metric before it; the file is damaged, measure again", file,
                             index);
    }
    return 0;
}

static int check_analysis(const json_t *record, const char *file, struct error *error) {
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        if (check_reference(record, &references[i], file, error) != 0)
            return -1;
    }
    return check_parents(record, file, error);
}

/* Whether the matrix has a usable signature of that name. */
static int has_signature(const json_t *matrix, const char *name) {
    size_t index;
    json_t *one;
    json_array_foreach(json_object_get(matrix, "signatures"), index, one) {
        if (json_object_get(one, "why") == NULL && strcmp(json_word(one, "pattern"), name) == 0)
            return 1;
    }
    return 0;
}

/* Each cell and each flip must name a signature. */
static int check_matrix(const json_t *matrix, const char *file, struct error *error) {
    static const char *const lists[] = {"cells", "flips"};
    size_t index;
    json_t *one;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        json_array_foreach(json_object_get(matrix, lists[i]), index, one) {
            const char *name = json_word(one, "signature");
            if (!has_signature(matrix, name))
                return error_set(error,
                                 "%s: matrix.%s[%zu].signature is %.60s, which is none of matrix.signatures that can "
                                 "say something; the file is damaged, measure again",
                                 file, lists[i], index, name);
        }
    }
    return 0;
}

int indices_check(const json_t *record, const char *file, struct error *error) {
    const char *kind = json_word(record, "kind");
    if (kind == NULL)
        return check_matrix(json_object_get(record, "matrix"), file, error);
    return strcmp(kind, "analysis") == 0 ? check_analysis(record, file, error) : 0;
}
