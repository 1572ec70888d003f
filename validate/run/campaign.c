/* campaign.c - schedules runs and keeps their results. SPDX-License-Identifier: GPL-3.0-or-later */
#include "campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "validate/host/plain_json.h"
#include "validate/host/progress.h"
#include "validate/host/stop.h"
#include "validate/record/record.h"

enum { POLL_MILLISECONDS = 200, SAVING_SHARE = 20, UNSAVED_SECONDS = 10 };

/* Each state contains all results so far. It is written at most a SAVING_SHARE-th of the time, so that the sum does not
 * grow with the square of the number of runs, but no later than UNSAVED_SECONDS after the last one. */
struct saving {
    double end, seconds; /* of the last one */
    int is_behind;       /* results are not in it */
};

/* The remaining (job, run, repetition), in the plan's order: the most expensive job first. */
struct queue {
    struct run *runs;
    size_t count, next;
};

/* Stores the identifier of a run: JOB/RUN/REP. */
static void set_id(char id[200], const json_t *job, const json_t *packed, int rep) {
    snprintf(id, 200, "%s/%s/%d", json_word(job, "id"), json_word(packed, "name"), rep);
}

static int state_file(const char *out, char file[PATH_MAX]) {
    if (out == NULL)
        return -1;
    return snprintf(file, PATH_MAX, "%s.part", out) < PATH_MAX ? 0 : -1;
}

/* Whether both have the same text in a record: a written number equals the one read back. */
static int is_same(const json_t *a, const json_t *b) {
    char *left = json_dumps(a, RECORD_FORMAT), *right = json_dumps(b, RECORD_FORMAT);
    int same = left != NULL && right != NULL && strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

/* Opens the state file. NULL if there is none, or it cannot be from a campaign of this user. */
static FILE *open_state(const char *file, struct error *error) {
    struct stat status;
    int descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    error->text[0] = '\0';
    if (descriptor < 0 && errno == ENOENT)
        return NULL;
    int own =
        descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
    FILE *stream = own ? fdopen(descriptor, "r") : NULL;
    if (stream == NULL)
        error_set(error, "%s: no interrupted campaign of yours; remove it or choose another file with --out", file);
    if (descriptor >= 0 && stream == NULL)
        close(descriptor);
    return stream;
}

/* The results of an interrupted campaign with the same identity; an empty object if there is none. Completes `repeats`.
 */
static json_t *load_state(const struct campaign *campaign, struct error *error) {
    char file[PATH_MAX];
    json_error_t where;
    if (state_file(campaign->out, file) != 0)
        return json_object();
    FILE *stream = open_state(file, error);
    if (stream == NULL)
        return error->text[0] == '\0' ? json_object() : NULL;
    json_t *state = json_loadf(stream, 0, &where);
    fclose(stream);
    if (state == NULL) {
        error_set(error, "%s:%d: %s; remove it to start anew", file, where.line, where.text);
        return NULL;
    }
    json_t *results = json_object_get(state, "results");
    if (!is_same(json_object_get(state, "what"), campaign->what) || !json_is_object(results)) {
        error_set(error, "%s: an interrupted campaign with other options; remove it or choose another file with --out",
                  file);
        json_decref(state);
        return NULL;
    }
    if (json_is_object(json_object_get(state, "repeats")))
        json_object_update(campaign->repeats, json_object_get(state, "repeats"));
    json_incref(results);
    json_decref(state);
    return results;
}

static int save_state(const struct campaign *campaign, json_t *results, struct error *error) {
    char file[PATH_MAX];
    if (state_file(campaign->out, file) != 0)
        return 0;
    json_t *state =
        json_pack("{s:O, s:O, s:O}", "what", campaign->what, "results", results, "repeats", campaign->repeats);
    int status = record_write(file, state, error);
    json_decref(state);
    return status;
}

void campaign_forget(const char *out) {
    char file[PATH_MAX];
    if (state_file(out, file) == 0)
        unlink(file);
}

static struct queue make_queue(const struct campaign *campaign, const json_t *results) {
    struct queue queue = {0};
    size_t j, r, most = 0;
    json_t *job, *packed;
    json_array_foreach(campaign->jobs, j, job) most +=
        json_array_size(json_object_get(job, "runs")) * (size_t)campaign->reps;
    queue.runs = calloc(most + 1, sizeof *queue.runs);
    for (int rep = 1; queue.runs != NULL && rep <= campaign->reps; rep++) {
        json_array_foreach(campaign->jobs, j, job) {
            const json_t *own = json_object_get(job, "reps");
            if (own != NULL && rep > json_integer_value(own))
                continue;
            json_array_foreach(json_object_get(job, "runs"), r, packed) {
                struct run *run = &queue.runs[queue.count];
                set_id(run->id, job, packed, rep);
                run->job = job;
                run->packed = packed;
                run->rep = rep;
                run->again = (int)json_integer_value(json_object_get(campaign->repeats, run->id));
                queue.count += json_object_get(results, run->id) == NULL;
            }
        }
    }
    return queue;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int save_in_time(const struct campaign *campaign, json_t *results, struct saving *saving, struct error *error) {
    double begin = now();
    double pause = SAVING_SHARE * saving->seconds;
    saving->is_behind = begin - saving->end < (pause < UNSAVED_SECONDS ? pause : UNSAVED_SECONDS);
    if (saving->is_behind)
        return 0;
    int status = save_state(campaign, results, error);
    saving->end = now();
    saving->seconds = saving->end - begin;
    return status;
}

/* Adds a result, writes the state if it is time to, and shows the progress. */
static int keep(const struct campaign *campaign, json_t *results, json_t *result, struct progress *progress,
                struct saving *saving, struct error *error) {
    const char *why = json_word(result, "why");
    const char *id = json_word(result, "id");
    char note[128];
    if (why == NULL)
        snprintf(note, sizeof note, "%.1f s", json_number_value(json_object_get(result, "seconds")));
    else
        snprintf(note, sizeof note, "failed: %.100s", why);
    progress_step(progress, id, note);
    json_object_set_new(results, id, result);
    return save_in_time(campaign, results, saving, error);
}

/* Keeps up to side_by_side runs active until the queue is empty or a stop is requested; then the state is complete. */
static int work_off(const struct campaign *campaign, struct queue *queue, json_t *results, struct progress *progress,
                    struct error *error) {
    size_t places = (size_t)campaign->side_by_side;
    struct run *running[places];
    struct process *processes[places];
    struct process idle = {.out = -1, .err = -1};
    struct saving saving = {0};
    size_t active = 0;
    int is_done = campaign->meanwhile == NULL;
    int status = 0;
    memset(running, 0, sizeof running);
    while (status == 0 && !stop_is_asked() && (active > 0 || queue->next < queue->count)) {
        for (size_t i = 0; i < places && status == 0; i++) {
            if (running[i] != NULL || queue->next == queue->count)
                continue;
            struct run *run = &queue->runs[queue->next++];
            struct error why;
            if (run_start(run, &campaign->context, &why) == 0) {
                running[i] = run;
                active++;
            } else {
                json_t *result = run_not_started(run, &why);
                run_abort(run);
                status = keep(campaign, results, result, progress, &saving, error);
            }
        }
        if (!is_done && queue->next == queue->count && active > 0 && active < places) {
            campaign->meanwhile(campaign->owner);
            is_done = 1;
        }
        for (size_t i = 0; i < places; i++)
            processes[i] = running[i] != NULL ? &running[i]->process : &idle;
        if (active > 0)
            process_wait_any(processes, places, POLL_MILLISECONDS);
        for (size_t i = 0; i < places && status == 0; i++) {
            if (running[i] == NULL || running[i]->process.pid != 0 || stop_is_asked())
                continue;
            json_t *result = run_finish(running[i]);
            running[i] = NULL;
            active--;
            status = keep(campaign, results, result, progress, &saving, error);
        }
        if (status == 0 && saving.is_behind)
            status = save_in_time(campaign, results, &saving, error);
    }
    for (size_t i = 0; i < places; i++) {
        if (running[i] != NULL)
            run_abort(running[i]);
    }
    return status == 0 && saving.is_behind ? save_state(campaign, results, error) : status;
}

/* The results in the plan's order instead of the order in which runs ended. Releases `results`. */
static json_t *in_plan_order(const struct campaign *campaign, json_t *results) {
    json_t *ordered = json_object(), *none = json_object();
    struct queue all = make_queue(campaign, none);
    for (size_t i = 0; i < all.count; i++) {
        json_t *result = json_object_get(results, all.runs[i].id);
        if (result != NULL)
            json_object_set(ordered, all.runs[i].id, result);
    }
    free(all.runs);
    json_decref(none);
    json_decref(results);
    return ordered;
}

/* Executes the runs without results. */
static int measure_missing(const struct campaign *campaign, json_t *results, struct error *error) {
    struct queue queue = make_queue(campaign, results);
    struct progress progress;
    progress_start(&progress, queue.count, campaign->quiet);
    int status = queue.runs != NULL ? work_off(campaign, &queue, results, &progress, error)
                                    : error_set(error, "no memory for the runs");
    progress_end(&progress);
    free(queue.runs);
    return status;
}

/* Removes the results of runs to measure again, each up to CAMPAIGN_AGAIN times. The number of these, -1: failed. */
static int forget_disturbed(const struct campaign *campaign, json_t *results, struct error *error) {
    json_t *ids = campaign->again(campaign->owner, results, error), *id;
    int count = ids != NULL ? 0 : -1;
    size_t index;
    json_array_foreach(ids, index, id) {
        const char *name = json_string_value(id);
        json_int_t before = json_integer_value(json_object_get(campaign->repeats, name));
        if (before >= CAMPAIGN_AGAIN)
            continue;
        count++;
        json_object_del(results, name);
        json_object_set_new(campaign->repeats, name, json_integer(before + 1));
    }
    json_decref(ids);
    if (count <= 0)
        return count;
    fprintf(stderr, "disturbed, measured again: %d run%s\n", count, count == 1 ? "" : "s");
    return save_state(campaign, results, error) == 0 ? count : -1;
}

/* Executes the runs without results, and disturbed ones again. */
static int measure_all(const struct campaign *campaign, json_t *results, struct error *error) {
    int disturbed = 0;
    do {
        if (measure_missing(campaign, results, error) != 0)
            return -1;
        if (campaign->again != NULL && !stop_is_asked())
            disturbed = forget_disturbed(campaign, results, error);
    } while (disturbed > 0 && !stop_is_asked());
    return disturbed < 0 ? -1 : 0;
}

json_t *campaign_measure(const struct campaign *campaign, int *interrupted, struct error *error) {
    struct campaign own = *campaign;
    own.repeats = json_object();
    json_t *results = load_state(&own, error);
    size_t before = json_object_size(results);
    if (before > 0)
        fprintf(stderr, "resuming: %zu runs are there already\n", before);
    int status = results != NULL ? measure_all(&own, results, error) : -1;
    json_decref(own.repeats);
    *interrupted = stop_is_asked();
    if (status != 0) {
        json_decref(results);
        return NULL;
    }
    return in_plan_order(campaign, results);
}

json_t *campaign_commands(const struct campaign *campaign) {
    struct campaign once = *campaign;
    json_t *commands = json_array(), *none = json_object();
    once.reps = 1;
    struct queue queue = make_queue(&once, none);
    for (size_t i = 0; i < queue.count; i++) {
        const struct run *run = &queue.runs[i];
        char *command = run_command(run, &campaign->context);
        json_array_append_new(commands, json_pack("{s:s, s:s, s:o}", "job", json_word(run->job, "id"), "run",
                                                  json_word(run->packed, "name"), "command", plain_word(command)));
        free(command);
    }
    free(queue.runs);
    json_decref(none);
    return commands;
}
