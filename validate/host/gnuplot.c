/* gnuplot.c - one gnuplot process for all plots. SPDX-License-Identifier: GPL-3.0-or-later */
#include "gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "plain_json.h"
#include "process.h"
#include "text.h"
#include "vnode/launch/scratch.h"

enum { SECONDS = 60, STATUS_NOT_FOUND = 127 };

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
static int run(struct process *process, char *script, char *folder, double seconds, struct error *error) {
    char *argv[] = {"gnuplot", "-d", "-c", script, folder, NULL};
    char path[PATH_MAX * 4], *environment[] = {path, "LC_ALL=C", "HOME=/nonexistent", NULL};
    const char *found = getenv("PATH");
    snprintf(path, sizeof path, "PATH=%s", found != NULL ? found : "/usr/bin:/bin");
    if (process_start(process, argv, environment, NULL, seconds, error) != 0)
        return -1;
    process_wait(process);
    return process->status == STATUS_NOT_FOUND
               ? error_set(error, "gnuplot: not found; install it (./deps.sh), it draws the plots")
               : 0;
}

/* A plot has no whole drawing. gnuplot prints warnings before the error that ends it. */
static void set_reason(const char *name, const struct process *process, struct error *error) {
    size_t end = process->messages_length, begin;
    while (end > 0 && process->messages[end - 1] == '\n')
        end--;
    for (begin = end; begin > 0 && process->messages[begin - 1] != '\n';)
        begin--;
    if (process->timed_out)
        error_set(error, "%s: gnuplot took longer than %.0f s; name fewer records", name, process->limit);
    else if (process->status == 128 + SIGXFSZ)
        error_set(error, "%s: gnuplot cannot write: %s; raise the limit (ulimit -f)", name, strerror(EFBIG));
    else if (process->status == 0)
        error_set(error, "%s: gnuplot failed: its drawing is not whole; free space in TMPDIR", name);
    else
        error_set(error, "%s: gnuplot failed (status %d): %.*s; try the same with gnuplot 5.2 or newer", name,
                  process->status, (int)(end - begin), end > 0 ? process->messages + begin : "");
}

/* A drawing from its file, or NULL with the reason. */
static json_t *read_drawing(const char *file, const char *name, const struct process *process, struct error *error) {
    struct error unread;
    char *svg = text_read(file, &unread);
    int is_whole = svg != NULL && strstr(svg, "</svg>") != NULL;
    json_t *drawing = is_whole ? json_string(svg) : NULL;
    free(svg);
    if (!is_whole)
        set_reason(name, process, error);
    else if (drawing == NULL)
        error_set(error, "%s: gnuplot printed something that is no UTF-8", name);
    return drawing;
}

static json_t *read_drawings(const json_t *plots, const char *folder, const struct process *process,
                             struct error *error) {
    json_t *drawings = json_array(), *plot;
    size_t index;
    json_array_foreach(plots, index, plot) {
        char file[PATH_MAX];
        json_t *drawing = paths_format(file, error, "%s/%zu.svg", folder, index) == 0
                              ? read_drawing(file, json_word(plot, "name"), process, error)
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
    struct process process = {.out = -1, .err = -1};
    if (json_array_size(plots) == 0)
        return json_array();
    if (scratch_make("assay-plot", &scratch, error->text, sizeof error->text) != 0)
        return NULL;
    if (paths_join(script, scratch.folder, "script", error) == 0 && write_script(plots, script, error) == 0 &&
        run(&process, script, scratch.folder, SECONDS + (double)json_array_size(plots), error) == 0)
        drawings = read_drawings(plots, scratch.folder, &process, error);
    process_free(&process);
    scratch_remove(&scratch);
    return drawings;
}
