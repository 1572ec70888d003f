/* follow.c - prints a fleet's progress. SPDX-License-Identifier: GPL-3.0-or-later */
#include "follow.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "validate/host/plain_json.h"
#include "validate/host/stop.h"

/* Polling loads Slurm's controller: short intervals at the start, longer ones later. */
enum {
    QUICK_LOOKS = 30,
    QUICK_SECONDS = 1,
    SLOW_SECONDS = 10,
    TICK_MILLISECONDS = 100,
    SILENCES_MOST = 60,
    FAILED_MOST = 5
};

static void say(const char *text, struct error *said) {
    if (strcmp(text, said->text) == 0)
        return;
    fprintf(stderr, isatty(2) ? "\r\033[K%s" : "%s\n", text);
    fflush(stderr);
    error_set(said, "%s", text);
}

/* Prints why nodes have no record: the first few, each once. An error common to all nodes thus shows early, while the
 * others can still be stopped. */
static void say_failed(const json_t *status, json_t *told) {
    size_t index;
    json_t *host;
    json_array_foreach(json_object_get(status, "hosts"), index, host) {
        const char *name = json_word(host, "host");
        if (strcmp(json_word(host, "state"), "failed") != 0 || json_object_get(told, name) != NULL ||
            json_object_size(told) >= FAILED_MOST)
            continue;
        json_object_set_new(told, name, json_true());
        fprintf(stderr, isatty(2) ? "\r\033[K%s: failed: %s\n" : "%s: failed: %s\n", name, json_word(host, "why"));
    }
}

/* Sleeps in short intervals to notice a signal and the launcher's end. */
static void rest(int seconds, struct process *launcher) {
    for (int waited = 0; waited < seconds * 1000 && !stop_is_asked(); waited += TICK_MILLISECONDS) {
        struct timespec tick = {0, TICK_MILLISECONDS * 1000000L};
        if (launcher != NULL && launcher->pid == 0)
            return;
        if (launcher != NULL)
            process_wait_any(&launcher, 1, TICK_MILLISECONDS);
        else
            nanosleep(&tick, NULL);
    }
}

json_t *follow(const struct fleet *fleet, struct script *script, struct process *launcher, struct error *error) {
    struct error said = {""};
    json_t *found = NULL, *told = json_object();
    int silences = 0, overs = 0;
    for (int looks = 0; !stop_is_asked(); looks++) {
        int launcher_ended = launcher != NULL && launcher->pid == 0;
        json_t *next = fleet_status(fleet, script, error);
        if (next == NULL && ++silences > SILENCES_MOST)
            break;
        if (next != NULL)
            say_failed(next, told);
        say(next != NULL ? json_word(next, "text") : error->text, &said);
        if (next != NULL) {
            json_decref(found);
            found = next;
            silences = 0;
            overs = json_is_true(json_object_get(next, "over")) ? overs + 1 : 0;
        }
        if (launcher_ended || (launcher == NULL && overs >= 2))
            break;
        rest(overs > 0 || looks < QUICK_LOOKS ? QUICK_SECONDS : SLOW_SECONDS, launcher);
    }
    json_decref(told);
    if (isatty(2))
        fputc('\n', stderr);
    if (silences > SILENCES_MOST) {
        json_decref(found);
        return NULL;
    }
    if (found == NULL)
        error_set(error, "closed before anything was seen");
    return found;
}
