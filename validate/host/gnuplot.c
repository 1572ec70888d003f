/* gnuplot.c - one gnuplot process for all plots. SPDX-License-Identifier: GPL-3.0-or-later */
#include "gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "paths.h"
#include "plain_json.h"
#include "text.h"
#include "vnode/launch/scratch.h"

enum { SECONDS = 60, STATUS_TIMEOUT = 124, STATUS_NOT_FOUND = 127 };

struct outcome {
    double limit; /* seconds */
    int status;
    struct error said; /* gnuplot's last line: warnings come before the error that ends it */
};

/* Writes one script for all plots: what they draw goes to N.svg in the folder that is the script's argument. */
static int write_script(const json_t *plots, const char *file, struct error *error) {
    char *text = NULL;
    size_t size, index;
    json_t *plot;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return error_set(error, "no memory for the script for gnuplot");
    fputs("cd ARG1\n", stream);
    json_array_foreach(plots, index, plot)
        fprintf(stream, "set output '%zu.svg'\n%sunset output\nreset session\n", index, json_word(plot, "script"));
    int status =
        fclose(stream) == 0 ? text_write(file, text, error) : error_set(error, "no memory for the script for gnuplot");
    free(text);
    return status;
}

/* Numbers and messages must not follow the user's locale. */
static int run(struct outcome *outcome, char *script, char *folder, struct error *error) {
    char *argv[] = {"env", "LC_ALL=C", "HOME=/nonexistent", "gnuplot", "-d", "-c", script, folder, NULL};
    char *output = ask(argv, outcome->limit, &outcome->status, &outcome->said);
    if (output == NULL)
        return error_set(error, "%s", outcome->said.text);
    free(output);
    return outcome->status == STATUS_NOT_FOUND
               ? error_set(error, "gnuplot: not found; install it (./deps.sh), it draws the plots")
               : 0;
}

/* A plot has no whole drawing. */
static void set_reason(const char *name, const struct outcome *outcome, struct error *error) {
    if (outcome->status == STATUS_TIMEOUT)
        error_set(error, "%s: gnuplot took longer than %.0f s; name fewer records", name, outcome->limit);
    else if (outcome->status == 128 + SIGXFSZ)
        error_set(error, "%s: gnuplot cannot write: %s; raise the limit (ulimit -f)", name, strerror(EFBIG));
    else if (outcome->status == 0)
        error_set(error, "%s: gnuplot failed: its drawing is not whole; free space in TMPDIR", name);
    else
        error_set(error, "%s: gnuplot failed (status %d): %s; try the same with gnuplot 5.2 or newer", name,
                  outcome->status, outcome->said.text);
}

/* A drawing from its file, or NULL with the reason. */
static json_t *read_drawing(const char *file, const char *name, const struct outcome *outcome, struct error *error) {
    struct error unread;
    char *svg = text_read(file, &unread);
    int is_whole = svg != NULL && strstr(svg, "</svg>") != NULL;
    json_t *drawing = is_whole ? json_string(svg) : NULL;
    free(svg);
    if (!is_whole)
        set_reason(name, outcome, error);
    else if (drawing == NULL)
        error_set(error, "%s: gnuplot printed something that is no UTF-8", name);
    return drawing;
}

static json_t *read_drawings(const json_t *plots, const char *folder, const struct outcome *outcome,
                             struct error *error) {
    json_t *drawings = json_array(), *plot;
    size_t index;
    json_array_foreach(plots, index, plot) {
        char file[PATH_MAX];
        json_t *drawing = paths_format(file, error, "%s/%zu.svg", folder, index) == 0
                              ? read_drawing(file, json_word(plot, "name"), outcome, error)
                              : NULL;
        if (drawing == NULL) {
            json_decref(drawings);
            return NULL;
        }
        json_array_append_new(drawings, drawing);
    }
    return drawings;
}

json_t *gnuplot_draw(const json_t *plots, struct error *error) {
    char script[PATH_MAX];
    json_t *drawings = NULL;
    struct scratch scratch;
    struct outcome outcome = {.limit = SECONDS + (double)json_array_size(plots)};
    if (json_array_size(plots) == 0)
        return json_array();
    if (scratch_make("assay-plot", &scratch, error->text, sizeof error->text) != 0)
        return NULL;
    if (paths_join(script, scratch.folder, "script", error) == 0 && write_script(plots, script, error) == 0 &&
        run(&outcome, script, scratch.folder, error) == 0)
        drawings = read_drawings(plots, scratch.folder, &outcome, error);
    scratch_remove(&scratch);
    return drawings;
}
