/* gnuplot.c - one gnuplot process per plot. SPDX-License-Identifier: GPL-3.0-or-later */
#include "gnuplot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "process.h"
#include "text.h"
#include "vnode/launch/scratch.h"

enum { SECONDS = 60, WAIT_MILLISECONDS = 200, STATUS_NOT_FOUND = 127 };

/* Numbers and messages must not follow the user's locale. */
static void set_environment(char *environment[], char *path, size_t room) {
    const char *found = getenv("PATH");
    snprintf(path, room, "PATH=%s", found != NULL ? found : "/usr/bin:/bin");
    environment[0] = path;
    environment[1] = "LC_ALL=C";
    environment[2] = "HOME=/nonexistent";
    environment[3] = NULL;
}

static int run(struct process *process, char *file, struct error *error) {
    char *argv[] = {"gnuplot", "-d", file, NULL};
    char *environment[4], path[PATH_MAX * 4];
    set_environment(environment, path, sizeof path);
    if (process_start(process, argv, environment, NULL, SECONDS, error) != 0)
        return -1;
    while (process->pid != 0)
        process_wait_any(&process, 1, WAIT_MILLISECONDS);
    return 0;
}

/* The process's output, or NULL with the reason. */
static char *take_output(struct process *process, const char *name, struct error *error) {
    if (process->status == STATUS_NOT_FOUND) {
        error_set(error, "gnuplot: not found; install it (./deps.sh), it draws the plots");
        return NULL;
    }
    if (process->status != 0 || process->output_length == 0) {
        int length = process->messages != NULL ? (int)strcspn(process->messages, "\n") : 0;
        error_set(error, "%s: gnuplot failed (status %d): %.*s; try the same with gnuplot 5.2 or newer", name,
                  process->status, length, process->messages != NULL ? process->messages : "");
        return NULL;
    }
    char *output = strdup(process->output);
    if (output == NULL)
        error_set(error, "%s: no memory for the plot", name);
    return output;
}

char *gnuplot_draw(const char *script, const char *name, struct error *error) {
    char file[PATH_MAX], *output = NULL;
    struct scratch scratch;
    struct process process = {.out = -1, .err = -1};
    if (scratch_make("assay-plot", &scratch, error->text, sizeof error->text) != 0)
        return NULL;
    if (paths_join(file, scratch.folder, "script", error) == 0 && text_write(file, script, error) == 0 &&
        run(&process, file, error) == 0)
        output = take_output(&process, name, error);
    process_free(&process);
    scratch_remove(&scratch);
    return output;
}
