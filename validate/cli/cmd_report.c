/* cmd_report.c - `assay report RECORD`: a record as one self-contained page; its drawings as files; a cube.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/record/cubex.h"
#include "validate/record/record.h"

enum { HTML, SVG, CUBE };

/* What a kind of record looks like: the module that makes its page, and the files of the page's program and, beside the
 * style of all pages, of its own style; and whether the module makes files of its drawings, too. */
struct look {
    const char *kind, *module, *style, *program; /* `kind` NULL: a campaign's record; the others NULL: none */
    int has_drawings;
};
static const struct look looks[] = {{NULL, "report.page.page", NULL, "page.js", 0},
                                    {"curves", "report.page.curves", NULL, NULL, 1},
                                    {"sampling", "report.page.sampling", NULL, NULL, 1},
                                    {"analysis", "report.page.analysis", "analysis.css", "analysis.js", 0}};

static int is_of_kind(const json_t *record, const char *wanted) {
    const char *kind = json_string_value(json_object_get(record, "kind"));
    return kind != NULL && strcmp(kind, wanted) == 0;
}

static const struct look *find_look(const json_t *record) {
    for (size_t i = 1; i < sizeof looks / sizeof *looks; i++) {
        if (is_of_kind(record, looks[i].kind))
            return &looks[i];
    }
    return &looks[0];
}

/* A part of the page that is a file, DATA/lua/report/page/NAME; without a name, nothing. To be freed. */
static char *read_part(const struct paths *paths, const char *name, struct error *error) {
    char file[PATH_MAX], page[64];
    if (name == NULL)
        return strdup("");
    snprintf(page, sizeof page, "lua/report/page/%s", name);
    return paths_join(file, paths->data, page, error) == 0 ? text_read(file, error) : NULL;
}

/* What is drawn is made of: the record, its file's name, style and program. */
static json_t *make_parts(const struct paths *paths, json_t *record, const char *file, struct error *error) {
    const struct look *look = find_look(record);
    char *style = read_part(paths, "page.css", error);
    char *more = style != NULL ? read_part(paths, look->style, error) : NULL;
    char *program = more != NULL ? read_part(paths, look->program, error) : NULL;
    json_t *parts = program != NULL ? json_pack("{s:O, s:o, s:s+, s:s}", "record", record, "file", plain_name(file),
                                                "style", style, more, "program", program)
                                    : NULL;
    if (program != NULL && parts == NULL)
        error_set(error, "%s/lua/report/page: a file is not UTF-8; install Assay again", paths->data);
    free(program);
    free(more);
    free(style);
    return parts;
}

static int write_page(struct script *script, json_t *parts, const char *file, struct error *error) {
    const struct look *look = find_look(json_object_get(parts, "record"));
    json_t *page = script_call(script, look->module, "page", parts, error);
    int status = page != NULL ? text_replace(file, json_string_value(json_object_get(page, "text")), error) : -1;
    json_decref(page);
    return status;
}

static int write_drawings(struct script *script, json_t *parts, const char *folder, struct error *error) {
    const struct look *look = find_look(json_object_get(parts, "record"));
    if (!look->has_drawings)
        return error_set(error,
                         "--svg: %s is no record of curves or samples; assay events --curves --out FILE and assay "
                         "sampling --out FILE write one",
                         json_string_value(json_object_get(parts, "file")));
    json_t *files = script_call(script, look->module, "files", parts, error), *file;
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

static int write_cube(struct script *script, json_t *parts, const char *file, struct error *error) {
    if (!is_of_kind(json_object_get(parts, "record"), "analysis"))
        return error_set(error, "--cube: %s is no record of an analysis; assay analyse --out FILE writes one",
                         json_string_value(json_object_get(parts, "file")));
    json_t *cube = script_call(script, "report.analysis.cube", "export", parts, error);
    int status = cube != NULL ? cubex_write(file, cube, error) : -1;
    json_decref(cube);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct error error;
    const char *html = arguments->value[HTML], *svg = arguments->value[SVG], *cube = arguments->value[CUBE];
    if (html == NULL && svg == NULL && cube == NULL)
        return command_fail("report", "no page named; usage: assay report RECORD --html FILE");
    json_t *record = record_read_any(arguments->words[0], &error);
    json_t *parts = record != NULL ? make_parts(paths, record, arguments->words[0], &error) : NULL;
    struct script *script = parts != NULL ? script_open(paths->data, &error) : NULL;
    int status = script != NULL && (html == NULL || write_page(script, parts, html, &error) == 0) &&
                         (svg == NULL || write_drawings(script, parts, svg, &error) == 0) &&
                         (cube == NULL || write_cube(script, parts, cube, &error) == 0)
                     ? EXIT_DONE
                     : command_fail("report", error.text);
    script_close(script);
    json_decref(parts);
    json_decref(record);
    return status;
}

static const struct argument options[] = {
    [HTML] = {"html", "FILE", "the page"},
    [SVG] = {"svg", "FOLDER", "of curves and samples: each drawing as a file of its own"},
    [CUBE] = {"cube", "FILE", "of an analysis: the values for Cube's browser, .cubex"},
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
