/* cmd_tables.c - `assay tables RECORD...`: wiki pages and plots. SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validate/command/commands.h"
#include "validate/host/gnuplot.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/record/evidence.h"
#include "validate/run/inputs.h"

enum { OUT };

/* All output, completed before the first file is written. */
struct tables {
    const struct paths *paths;
    struct script *script;
    const char *out;
    json_t *records;    /* [ { file, record } ] */
    json_t *catalogues; /* { ARCH: { patterns, machine, groups } } */
    json_t *files;      /* [ { name, text } ] */
};

static int read_records(struct tables *t, const struct arguments *arguments, struct error *error) {
    t->out = arguments->value[OUT] != NULL ? arguments->value[OUT] : "tables";
    for (int i = 0; i < arguments->count; i++) {
        if (evidence_add(t->records, arguments->words[i], arguments->words[i], error) != 0)
            return -1;
    }
    return 0;
}

/* Loads the description of an architecture's results. Architectures unknown to this installation also get tables. */
static int describe(struct tables *t, const char *arch, struct error *error) {
    char folder[PATH_MAX];
    if (arch == NULL || json_object_get(t->catalogues, arch) != NULL)
        return 0;
    if (strchr(arch, '/') != NULL ||
        snprintf(folder, sizeof folder, "%s/%s", t->paths->groups, arch) >= (int)sizeof folder ||
        access(folder, R_OK) != 0)
        return 0;
    struct inputs inputs;
    int status = inputs_describe(&inputs, t->script, t->paths, arch, error);
    if (status == 0)
        json_object_set_new(t->catalogues, arch,
                            json_pack("{s:O, s:O, s:O}", "patterns", inputs.patterns, "machine", inputs.machine,
                                      "groups", inputs.groups));
    inputs_free(&inputs);
    return status;
}

static int describe_all(struct tables *t, struct error *error) {
    size_t index;
    json_t *entry;
    json_array_foreach(t->records, index, entry) {
        const json_t *node = json_object_get(json_object_get(entry, "record"), "node");
        if (describe(t, json_word(node, "arch"), error) != 0)
            return -1;
    }
    return 0;
}

static int finish(struct tables *t, const json_t *plot, json_t *svg, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O, s:O*}", "svg", svg, "title", json_object_get(plot, "title"), "about",
                                 json_object_get(plot, "about"));
    json_t *finished = script_call(t->script, "report:plot", argument, error);
    if (finished == NULL)
        return -1;
    json_object_set(finished, "name", json_object_get(plot, "name"));
    return json_array_append_new(t->files, finished);
}

static int draw(struct tables *t, const json_t *plots, struct error *error) {
    size_t index;
    json_t *svg, *drawings = gnuplot_draw(plots, error);
    int status = drawings != NULL ? 0 : -1;
    json_array_foreach(drawings, index, svg) {
        if (status == 0)
            status = finish(t, json_array_get(plots, index), svg, error);
    }
    json_decref(drawings);
    return status;
}

static int make(struct tables *t, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O}", "records", t->records, "catalogues", t->catalogues);
    json_t *made = script_call(t->script, "export:wiki", argument, error);
    if (made == NULL)
        return -1;
    int status = json_array_extend(t->files, json_object_get(made, "pages"));
    if (status == 0)
        status = draw(t, json_object_get(made, "plots"), error);
    json_decref(made);
    return status;
}

/* An existing file must be an earlier output: its first line must equal that of the new text. */
static int check_own(const char *file, const char *text, struct error *error) {
    struct stat found;
    if (lstat(file, &found) != 0)
        return 0;
    char *old = S_ISREG(found.st_mode) ? text_read(file, error) : NULL;
    size_t line = strcspn(text, "\n") + 1;
    int is_own = old != NULL && strncmp(old, text, line) == 0;
    free(old);
    return is_own ? 0
                  : error_set(error, "%s: is there and was not made by assay tables; move it away or choose --out DIR",
                              file);
}

/* Makes both paths of a file: the temporary and the final one. */
static int name_file(const struct tables *t, const char *work, const json_t *file, char *temporary, char *target,
                     struct error *error) {
    const char *name = json_word(file, "name");
    return paths_join(temporary, work, name, error) != 0 || paths_join(target, t->out, name, error) != 0 ? -1 : 0;
}

/* All files are complete in the folder `work` before the first one is moved to its place. */
static int write_files(const struct tables *t, const char *work, struct error *error) {
    char temporary[PATH_MAX], target[PATH_MAX];
    size_t index;
    json_t *file;
    json_array_foreach(t->files, index, file) {
        const char *text = json_word(file, "text");
        if (name_file(t, work, file, temporary, target, error) != 0 || check_own(target, text, error) != 0 ||
            text_write(temporary, text, error) != 0)
            return -1;
    }
    json_array_foreach(t->files, index, file) {
        if (name_file(t, work, file, temporary, target, error) != 0)
            return -1;
        if (rename(temporary, target) != 0)
            return error_set(error, "%s: cannot write: %s; choose another folder with --out", target, strerror(errno));
    }
    return 0;
}

static void remove_work(const struct tables *t, const char *work) {
    char temporary[PATH_MAX], target[PATH_MAX];
    struct error ignored;
    size_t index;
    json_t *file;
    json_array_foreach(t->files, index, file) {
        if (name_file(t, work, file, temporary, target, &ignored) == 0)
            unlink(temporary);
    }
    rmdir(work);
}

static int publish(const struct tables *t, struct error *error) {
    char work[PATH_MAX];
    if (paths_make_folder(t->out, error) != 0 || paths_join(work, t->out, ".assay-XXXXXX", error) != 0)
        return -1;
    if (mkdtemp(work) == NULL)
        return error_set(error, "%s: cannot write there: %s; choose another folder with --out", t->out,
                         strerror(errno));
    int status = write_files(t, work, error);
    remove_work(t, work);
    return status;
}

static void print_names(const struct tables *t) {
    size_t index;
    json_t *file;
    json_array_foreach(t->files, index, file) printf("%s/%s\n", t->out, json_word(file, "name"));
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct tables t = {.paths = paths, .records = json_array(), .catalogues = json_object(), .files = json_array()};
    int status = read_records(&t, arguments, error);
    if (status == 0)
        status = (t.script = script_open(paths->data, error)) != NULL ? 0 : -1;
    if (status == 0 && (describe_all(&t, error) != 0 || make(&t, error) != 0 || publish(&t, error) != 0))
        status = -1;
    if (status == 0)
        print_names(&t);
    script_close(t.script);
    json_decref(t.records);
    json_decref(t.catalogues);
    json_decref(t.files);
    return status;
}

static const struct argument options[] = {[OUT] = {"out", "DIR", "where they go, by default tables"}, {0}};

const struct command command_tables = {
    .name = "tables",
    .words = "RECORD...",
    .least = 1,
    .most = INT_MAX,
    .missing = "no record named",
    .about = "pages and plots for a wiki, of several nodes and architectures",
    .options = options,
    .run = run,
};
