/* cmd_report.c - `assay report RECORD`: a record as one self-contained page; drawings of curves and samples as
 * files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/record/record.h"

enum { HTML, SVG };

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

/* What is drawn is made of: the record, its file's name, style and program. */
static json_t *read_parts(const struct paths *paths, const char *record_file, struct error *error) {
    json_t *record = record_read_any(record_file, error);
    json_t *style = record != NULL ? read_part(paths, "lua/report/page/page.css", error) : NULL;
    json_t *program = style != NULL ? read_part(paths, "lua/report/page/page.js", error) : NULL;
    json_t *parts = program != NULL ? json_pack("{s:O, s:o, s:O, s:O}", "record", record, "file",
                                                plain_name(record_file), "style", style, "program", program)
                                    : NULL;
    json_decref(program);
    json_decref(style);
    json_decref(record);
    return parts;
}

/* What draws a record by itself, NULL: the page alone does. */
static const char *drawn_by(const json_t *parts) {
    const char *kind = json_string_value(json_object_get(json_object_get(parts, "record"), "kind"));
    if (kind != NULL && strcmp(kind, "curves") == 0)
        return "report.page.curves";
    return kind != NULL && strcmp(kind, "sampling") == 0 ? "report.page.sampling" : NULL;
}

static int write_page(struct script *script, json_t *parts, const char *file, struct error *error) {
    const char *module = drawn_by(parts);
    json_t *page = script_call(script, module != NULL ? module : "report.page.page", "page", parts, error);
    int status = page != NULL ? text_replace(file, json_string_value(json_object_get(page, "text")), error) : -1;
    json_decref(page);
    return status;
}

static int write_drawings(struct script *script, json_t *parts, const char *folder, struct error *error) {
    const char *module = drawn_by(parts);
    if (module == NULL)
        return error_set(error,
                         "--svg: %s is no record of curves or samples; assay events --curves --out FILE and assay "
                         "sampling --out FILE write one",
                         json_string_value(json_object_get(parts, "file")));
    json_t *files = script_call(script, module, "files", parts, error), *file;
    if (files == NULL)
        return -1;
    int status = mkdir(folder, 0777) == 0 || errno == EEXIST ? 0 : error_set(error, "%s: %s", folder, strerror(errno));
    size_t index;
    json_array_foreach(files, index, file) {
        char path[PATH_MAX];
        if (status == 0)
            status = paths_join(path, folder, json_string_value(json_object_get(file, "name")), error);
        if (status == 0)
            status = text_replace(path, json_string_value(json_object_get(file, "text")), error);
    }
    json_decref(files);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct error error;
    const char *html = arguments->value[HTML], *svg = arguments->value[SVG];
    if (html == NULL && svg == NULL)
        return command_fail("report", "no page named; usage: assay report RECORD --html FILE");
    json_t *parts = read_parts(paths, arguments->words[0], &error);
    struct script *script = parts != NULL ? script_open(paths->data, &error) : NULL;
    int status = script != NULL && (html == NULL || write_page(script, parts, html, &error) == 0) &&
                         (svg == NULL || write_drawings(script, parts, svg, &error) == 0)
                     ? EXIT_DONE
                     : command_fail("report", error.text);
    script_close(script);
    json_decref(parts);
    return status;
}

static const struct argument options[] = {
    [HTML] = {"html", "FILE", "the page"},
    [SVG] = {"svg", "FOLDER", "of curves and samples: each drawing as a file of its own"},
    {0},
};

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
