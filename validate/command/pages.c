/* pages.c - HTML pages. SPDX-License-Identifier: GPL-3.0-or-later */
#include "pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/text.h"

/* A part of a page that is a file, DATA/lua/NAME; without a name, nothing. To be freed. */
static char *read_part(const struct paths *paths, const char *name, struct error *error) {
    char file[PATH_MAX], page[64];
    if (name == NULL)
        return strdup("");
    snprintf(page, sizeof page, "lua/%s", name);
    return paths_join(file, paths->data, page, error) == 0 ? text_read(file, error) : NULL;
}

static int add_parts(const struct paths *paths, const struct look *look, json_t *about, struct error *error) {
    char *style = read_part(paths, "report/page/page.css", error);
    char *more = style != NULL ? read_part(paths, look->style, error) : NULL;
    char *program = more != NULL ? read_part(paths, look->program, error) : NULL;
    int status = -1;
    if (program != NULL) {
        json_t *parts = json_pack("{s:s+, s:s}", "style", style, more, "program", program);
        status =
            parts != NULL && json_object_update(about, parts) == 0
                ? 0
                : error_set(error, "%s/lua: a page's style or program is not UTF-8; install Assay again", paths->data);
        json_decref(parts);
    }
    free(program);
    free(more);
    free(style);
    return status;
}

int pages_write(const struct paths *paths, struct script *script, const struct look *look, json_t *about,
                const char *file, struct error *error) {
    json_t *page =
        add_parts(paths, look, about, error) == 0 ? script_call(script, look->module, "page", about, error) : NULL;
    int status = page != NULL ? text_replace(file, json_string_value(json_object_get(page, "text")), error) : -1;
    json_decref(page);
    return status;
}
