/* pages.c - writes HTML pages. SPDX-License-Identifier: GPL-3.0-or-later */
#include "pages.h"

#include <stdio.h>

#include "validate/host/plain_json.h"
#include "validate/host/text.h"

/* Appends DATA/lua/NAME (NULL: nothing) to `text`, which is released; returns the result. NULL with the reason. */
static json_t *add_file(json_t *text, const struct paths *paths, const char *name, struct error *error) {
    char file[PATH_MAX];
    if (text == NULL || name == NULL)
        return text;
    json_t *more = paths_format(file, error, "%s/lua/%s", paths->data, name) == 0 ? json_file(file, error) : NULL;
    json_t *both = more != NULL ? json_sprintf("%s%s", json_string_value(text), json_string_value(more)) : NULL;
    json_decref(more);
    json_decref(text);
    return both;
}

json_t *pages_argument(const struct paths *paths, const struct look *look, const json_t *about, struct error *error) {
    json_t *style =
        add_file(add_file(json_string(""), paths, "report/page/page.css", error), paths, look->style, error);
    json_t *program = style != NULL ? add_file(json_string(""), paths, look->program, error) : NULL;
    json_t *argument = program != NULL ? json_copy((json_t *)about) : NULL;
    if (argument != NULL) {
        json_object_set(argument, "style", style);
        json_object_set(argument, "program", program);
    }
    json_decref(program);
    json_decref(style);
    return argument;
}

int pages_write(const struct paths *paths, struct script *script, const struct look *look, json_t *about,
                const char *file, struct error *error) {
    json_t *argument = pages_argument(paths, look, about, error);
    json_t *page = argument != NULL ? script_call(script, look->door, argument, error) : NULL;
    int status = page != NULL ? text_replace(file, json_word(page, "text"), error) : -1;
    json_decref(page);
    return status;
}
