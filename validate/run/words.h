/* words.h - a command line as it is put together word by word. */
#ifndef ASSAY_WORDS_H
#define ASSAY_WORDS_H

#include <jansson.h>
#include <stddef.h>

struct words {
    char **word; /* NULL-terminated; NULL as long as there is none */
    size_t count;
};

void words_add(struct words *words, const char *text);
void words_add_number(struct words *words, json_int_t number);
void words_free(struct words *words);

/* As a user would type them, to be freed. */
char *words_join(const struct words *words);

/* "0,1" from [0, 1], to be freed. */
char *words_list_numbers(const json_t *numbers);

#endif
