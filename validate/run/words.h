/* words.h - builds a command line word by word. */
#ifndef ASSAY_WORDS_H
#define ASSAY_WORDS_H

#include <jansson.h>
#include <stddef.h>

struct words {
    char **word; /* NULL-terminated; NULL if empty */
    size_t count;
};

void words_add(struct words *words, const char *text);
void words_add_number(struct words *words, json_int_t number);
void words_free(struct words *words);

/* The words as typed in a shell; freed by the caller. */
char *words_join(const struct words *words);

/* "0,1" for [0, 1], freed by the caller. */
char *words_list_numbers(const json_t *numbers);

/* The same, of an array that it releases. */
char *words_list_released(json_t *numbers);

#endif
