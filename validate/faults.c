/* faults.c - a file of faults for the virtual node. SPDX-License-Identifier: GPL-3.0-or-later */
#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

int faults_load(struct faults *out, const char *file, struct error *error) {
    *out = (struct faults){.file = file, .text = text_read(file, error)};
    return out->text != NULL ? 0 : -1;
}

void faults_free(struct faults *faults) {
    free(faults->text);
    faults->text = NULL;
}

/* One blank between words, nothing from '#' on; cuts `line` up. */
static json_t *tidy(char *line) {
    static const char blank[] = " \t\r";
    char *rest = NULL, *words = calloc(strlen(line) + 2, 1);
    if (words == NULL)
        abort();
    line[strcspn(line, "#")] = '\0';
    for (char *word = strtok_r(line, blank, &rest); word != NULL; word = strtok_r(NULL, blank, &rest)) {
        if (*words != '\0')
            strcat(words, " ");
        strcat(words, word);
    }
    json_t *tidied = *words != '\0' ? json_string(words) : NULL;
    free(words);
    return tidied;
}

json_t *faults_lines(const struct faults *faults) {
    json_t *lines = json_array();
    char *copy = strdup(faults != NULL ? faults->text : ""), *rest = NULL;
    if (copy == NULL)
        abort();
    for (char *line = strtok_r(copy, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        json_t *tidied = tidy(line);
        if (tidied != NULL)
            json_array_append_new(lines, tidied);
    }
    free(copy);
    return lines;
}
