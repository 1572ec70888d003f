/* words.c - builds command lines. SPDX-License-Identifier: GPL-3.0-or-later */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_add(struct words *words, const char *text) {
    char **grown = realloc(words->word, (words->count + 2) * sizeof *grown);
    if (grown == NULL)
        abort();
    words->word = grown;
    words->word[words->count++] = strdup(text);
    words->word[words->count] = NULL;
}

void words_add_number(struct words *words, json_int_t number) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)number);
    words_add(words, text);
}

void words_free(struct words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
}

char *words_join(const struct words *words) {
    char *line = strdup("");
    for (size_t i = 0; i < words->count; i++) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%s%s", line, i > 0 ? " " : "", words->word[i]) < 0)
            abort();
        free(line);
        line = longer;
    }
    return line;
}

char *words_list_numbers(const json_t *numbers) {
    char *list = strdup("");
    size_t index;
    json_t *number;
    json_array_foreach(numbers, index, number) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%s%lld", list, index > 0 ? "," : "", (long long)json_integer_value(number)) < 0)
            abort();
        free(list);
        list = longer;
    }
    return list;
}

char *words_list_released(json_t *numbers) {
    char *list = words_list_numbers(numbers);
    json_decref(numbers);
    return list;
}
