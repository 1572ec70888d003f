/* cmd_report.c - `assay report RECORD --html FILE`: a record as one self-contained page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/record/record.h"

enum { HTML };

/* The parts of the page that are files: DATA/lua/report/page/page.css and page.js. */
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
    json_t *style = record != NULL ? read_part(paths, "lua/report/page/page.css", error) : NULL;
    json_t *program = style != NULL ? read_part(paths, "lua/report/page/page.js", error) : NULL;
    json_t *argument = program != NULL ? json_pack("{s:O, s:o, s:O, s:O}", "record", record, "file",
                                                   plain_name(record_file), "style", style, "program", program)
                                       : NULL;
    struct script *script = argument != NULL ? script_open(paths->data, error) : NULL;
    json_t *page = script != NULL ? script_call(script, "report.page.page", "page", argument, error) : NULL;
    script_close(script);
    json_decref(argument);
    json_decref(program);
    json_decref(style);
    json_decref(record);
    return page;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct error error;
    const char *html = arguments->value[HTML];
    if (html == NULL)
        return command_fail("report", "no page named; usage: assay report RECORD --html FILE");
    json_t *page = make_page(paths, arguments->words[0], &error);
    int status = page != NULL ? text_replace(html, json_string_value(json_object_get(page, "text")), &error) : -1;
    json_decref(page);
    return status == 0 ? EXIT_DONE : command_fail("report", error.text);
}

static const struct argument options[] = {[HTML] = {"html", "FILE", "the page"}, {0}};

const struct command command_report = {
    .name = "report",
    .words = "RECORD",
    .least = 1,
    .most = 1,
    .missing = "no record named",
    .about = "the record as one page that needs no network",
    .options = options,
    .run = run,
};
