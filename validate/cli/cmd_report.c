/* cmd_report.c - `assay report RECORD`: writes a record as a self-contained HTML page, its drawings as files, or a
 * cube. SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "validate/command/commands.h"
#include "validate/command/pages.h"
#include "validate/fleet/fleet_report.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/record/cubex.h"
#include "validate/record/record.h"

enum { HTML, SVG, CUBE };

/* For each kind of record: its page, and the door that draws its figures, if any. */
static const struct kind {
    const char *name;
    struct look look;
    const char *drawings;
} campaign = {NULL, {"report:page", NULL, "report/page/page.js"}, NULL},
  other = {NULL, {"report:text_page", NULL, NULL}, NULL},
  kinds[] = {{"curves", {"report:curves_page", NULL, NULL}, "export:curves"},
             {"sampling", {"report:sampling_page", NULL, NULL}, "export:sampling"},
             {"diagnosis", {"report:diagnosis_page", NULL, NULL}, NULL},
             {"analysis", {"report:analysis_page", "program/report/analysis.css", "program/report/analysis.js"}, NULL}};

static int is_of_kind(const json_t *record, const char *wanted) {
    const char *kind = json_word(record, "kind");
    return kind != NULL && strcmp(kind, wanted) == 0;
}

static const struct kind *find_kind(const json_t *record) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (is_of_kind(record, kinds[i].name))
            return &kinds[i];
    }
    return json_object_get(record, "kind") == NULL ? &campaign : &other;
}

/* A fleet's page is written by the code of assay fleet report. */
static int write_page(const struct paths *paths, struct script *script, json_t *about, const char *html,
                      struct error *error) {
    json_t *record = json_object_get(about, "record");
    return is_of_kind(record, "fleet") ? fleet_show(paths, record, 0, html, error)
                                       : pages_write(paths, script, &find_kind(record)->look, about, html, error);
}

static int write_drawings(struct script *script, json_t *about, const char *folder, struct error *error) {
    const struct kind *kind = find_kind(json_object_get(about, "record"));
    if (kind->drawings == NULL)
        return error_set(error,
                         "--svg: %s is no record of curves or samples; assay events --curves --out FILE and assay "
                         "sampling --out FILE write one",
                         json_word(about, "file"));
    json_t *files = script_call(script, kind->drawings, json_incref(about), error), *file;
    if (files == NULL)
        return -1;
    int status = mkdir(folder, 0777) == 0 || errno == EEXIST ? 0 : error_set(error, "%s: %s", folder, strerror(errno));
    size_t index;
    json_array_foreach(files, index, file) {
        char path[PATH_MAX];
        if (status == 0)
            status = paths_join(path, folder, json_word(file, "name"), error);
        if (status == 0)
            status = text_replace(path, json_word(file, "text"), error);
    }
    json_decref(files);
    return status;
}

static int write_cube(struct script *script, json_t *about, const char *file, struct error *error) {
    if (!is_of_kind(json_object_get(about, "record"), "analysis"))
        return error_set(error, "--cube: %s is no record of an analysis; assay analyse --out FILE writes one",
                         json_word(about, "file"));
    json_t *cube = script_call(script, "export:cube", json_incref(about), error);
    int status = cube != NULL ? cubex_write(file, cube, error) : -1;
    json_decref(cube);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    const char *html = arguments->value[HTML], *svg = arguments->value[SVG], *cube = arguments->value[CUBE];
    if (html == NULL && svg == NULL && cube == NULL)
        return error_set(error, "no page named; usage: assay report RECORD --html FILE");
    json_t *record = record_read_any(arguments->words[0], error);
    json_t *about =
        record != NULL ? json_pack("{s:o, s:o}", "record", record, "file", plain_name(arguments->words[0])) : NULL;
    struct script *script = about != NULL ? script_open(paths->data, error) : NULL;
    int status = script != NULL && (html == NULL || write_page(paths, script, about, html, error) == 0) &&
                         (svg == NULL || write_drawings(script, about, svg, error) == 0) &&
                         (cube == NULL || write_cube(script, about, cube, error) == 0)
                     ? EXIT_DONE
                     : -1;
    script_close(script);
    json_decref(about);
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
