/* cmd_report.c - `assay report RECORD --html FILE`: a record as one self-contained page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "plain_json.h"
#include "record.h"
#include "script.h"
#include "text.h"

#define USAGE "usage: assay report RECORD --html FILE"

/* The parts of the page that are files: DATA/lua/html/page.css and page.js. */
static json_t *read_part(const struct paths *paths, const char *name, struct error *error) {
    char file[PATH_MAX];
    if (paths_join(file, paths->data, name, error) != 0)
        return NULL;
    char *text = text_read(file, error);
    json_t *part = text != NULL ? json_string(text) : NULL;
    if (text != NULL && part == NULL)
        error_set(error, "%s: not UTF-8", file);
    free(text);
    return part;
}

static json_t *make_page(const struct paths *paths, const char *record_file, struct error *error) {
    json_t *record = record_read(record_file, error);
    json_t *style = record != NULL ? read_part(paths, "lua/html/page.css", error) : NULL;
    json_t *program = style != NULL ? read_part(paths, "lua/html/page.js", error) : NULL;
    json_t *argument = program != NULL ? json_pack("{s:O, s:o, s:O, s:O}", "record", record, "file",
                                                   plain_name(record_file), "style", style, "program", program)
                                       : NULL;
    struct script *script = argument != NULL ? script_open(paths->data, error) : NULL;
    json_t *page = script != NULL ? script_call(script, "html", "page", argument, error) : NULL;
    script_close(script);
    json_decref(argument);
    json_decref(program);
    json_decref(style);
    json_decref(record);
    return page;
}

int command_report(const struct paths *paths, int argc, char **argv) {
    const char *record = NULL, *html = NULL;
    struct error error;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--html") == 0 && i + 1 < argc)
            html = argv[++i];
        else if (argv[i][0] == '-' || record != NULL)
            return command_fail("report", USAGE);
        else
            record = argv[i];
    }
    if (record == NULL || html == NULL)
        return command_fail("report", record == NULL ? "no record named; " USAGE : "no page named; " USAGE);
    json_t *page = make_page(paths, record, &error);
    int status = page != NULL ? text_replace(html, json_string_value(json_object_get(page, "text")), &error) : -1;
    json_decref(page);
    return status == 0 ? EXIT_DONE : command_fail("report", error.text);
}
