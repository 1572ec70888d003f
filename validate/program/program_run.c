/* program_run.c - measures event sets of any program. SPDX-License-Identifier: GPL-3.0-or-later */
#include "program_run.h"

#include <stdlib.h>
#include <string.h>

#include "validate/host/plain_json.h"
#include "validate/node/machine.h"
#include "validate/run/event_list.h"
#include "validate/run/program.h"

static const char default_launcher[] = "mpirun";

int program_run_open(struct program_run *m, struct error *error) {
    struct validation *v = &m->v;
    v->command = m->command;
    if (v->options.jobs == 0)
        v->options.jobs = 1; /* parallel runs would write the same files */
    if (program_check(m->command[0], error) != 0 || validation_open(v, error) != 0 ||
        (v->inputs.machine = machine_read(v->script, v->paths, v->node.arch, v->likwid.version, error)) == NULL ||
        validation_ready(v, error) != 0)
        return -1;
    json_t *listed = event_list_ask(v, error);
    m->list = listed != NULL ? event_list_read(v, listed, error) : NULL;
    json_decref(listed);
    return m->list != NULL ? 0 : -1;
}

int program_run_threads(const struct program_run *m) {
    enum { MOST = 4096 };
    const char *text = getenv("OMP_NUM_THREADS");
    int threads = m->scale > 0 ? m->scale : text != NULL ? atoi(text) : 1;
    return threads >= 1 && threads <= MOST ? threads : 1;
}

/* The launcher's words, separated by blanks; NULL without MPI. */
static json_t *words_of_launcher(const struct program_run *m) {
    static const char blanks[] = " \t";
    if (m->ranks == 0)
        return NULL;
    json_t *words = json_array();
    const char *text = m->launcher != NULL ? m->launcher : default_launcher;
    while (*(text += strspn(text, blanks)) != '\0') {
        size_t length = strcspn(text, blanks);
        json_array_append_new(words, json_stringn(text, length)); /* arguments.h has checked that it is UTF-8 */
        text += length;
    }
    return words;
}

int program_run_plan(struct program_run *m, json_t *wants, struct error *error) {
    struct validation *v = &m->v;
    json_t *argument = json_pack("{s:O, s:O, s:O, s:O, s:o, s:s*, s:i, s:i, s:b, s:b, s:o*}", "wants", wants, "machine",
                                 v->inputs.machine, "node", v->node.description, "list", m->list, "command",
                                 plain_words(m->command), "cores", m->cores, "processes", m->ranks > 0 ? m->ranks : 1,
                                 "threads", program_run_threads(m), "scaled", m->scale > 0, "marker",
                                 !m->is_whole && program_is_marked(m->command[0]), "launcher", words_of_launcher(m));
    json_t *plan = script_call(v->script, "program_plan", argument, error);
    if (plan == NULL)
        return -1;
    json_decref(m->plan);
    json_decref(v->jobs);
    m->plan = plan;
    v->jobs = json_incref(json_object_get(plan, "jobs"));
    return 0;
}

json_t *program_run_counts(const struct program_run *m, json_t *plan, struct error *error) {
    const struct validation *v = &m->v;
    json_t *argument =
        json_pack("{s:O, s:O, s:i, s:O, s:O, s:O*}", "plan", plan, "results", v->results, "reps", v->reps, "machine",
                  v->inputs.machine, "node", v->node.description, "metrics", m->metrics);
    return script_call(v->script, "program_counts", argument, error);
}

int program_run_measure(struct program_run *m, struct error *error) {
    struct validation *v = &m->v;
    if (v->options.jobs == 1 && stale_files_note(&v->stale_files, m->command, v->work.folder, error) != 0)
        return EXIT_USAGE;
    int status = validation_measure(v, v->options.out, error);
    struct error ignored;
    if (status == EXIT_INTERRUPTED)
        stale_files_restore(&v->stale_files, &ignored); /* so that a resumed program run finds the same files */
    if (status != EXIT_DONE)
        return status;
    m->counted = program_run_counts(m, m->plan, error);
    return m->counted != NULL ? EXIT_DONE : EXIT_USAGE;
}

json_t *program_run_heading(const struct program_run *m, const char *kind) {
    json_t *heading = validation_heading(&m->v, kind);
    json_object_set_new(heading, "command", plain_words(m->command));
    return heading;
}

void program_run_release(struct program_run *m) {
    json_decref(m->list);
    json_decref(m->plan);
    json_decref(m->counted);
    validation_release(&m->v);
}
