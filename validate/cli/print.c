/* print.c - texts of lua/report/text. SPDX-License-Identifier: GPL-3.0-or-later */
#include "print.h"

#include <stdio.h>

int print_rendered(struct script *script, const char *module, json_t *argument, struct error *error) {
    json_t *table = script_call(script, module, "render", argument, error);
    json_decref(argument);
    if (table == NULL)
        return -1;
    fputs(json_string_value(json_object_get(table, "text")), stdout);
    json_decref(table);
    return 0;
}
