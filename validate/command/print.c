/* print.c - prints texts of lua/report/text. SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/record/record.h"

int print_rendered(struct script *script, const char *door, json_t *argument, struct error *error) {
    record_round(argument);
    json_t *table = script_call(script, door, argument, error);
    if (table == NULL)
        return -1;
    char *text = strdup(json_word(table, "text"));
    json_decref(table);
    if (text == NULL)
        return error_set(error, "no memory for the table");
    plain_text(text, 1);
    fputs(text, stdout);
    free(text);
    return 0;
}

int print_value(const json_t *value, struct error *error) {
    if (json_dumpf(value, stdout, RECORD_FORMAT) != 0 && !ferror(stdout))
        return error_set(error, "no memory for the JSON output");
    putchar('\n');
    return 0;
}

void print_file(const char *what, const char *file) {
    json_t *name = plain_name(file);
    printf("%s %s\n", what, name != NULL ? json_string_value(name) : "");
    json_decref(name);
}
