/* cmd_fleet.c - `assay fleet run | status | collect | report`: validates every node of a cluster.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet_report.h"
#include "follow.h"
#include "send.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/exclusive.h"
#include "validate/host/plain_json.h"
#include "validate/host/stop.h"
#include "validate/run/inputs.h"
#include "validate/run/options.h"

enum {
    NODES,
    PARTITION,
    MINUTES,
    OUT,
    NODE_OPTIONS,
    NODE,
    REPS,
    QUICK,
    ONLY,
    LEVEL,
    PLACEMENT,
    LAUNCHER,
    FIRST,
    BROADCAST,
    DRY_RUN
};
enum { MINUTES_DEFAULT = 60, MINUTES_MOST = 100000, FIRST_MOST = 1000 };

static const char default_folder[] = "fleet";

/* Options shared with `assay validate` are passed on unchanged; arguments.h has checked that they are UTF-8. */
static json_t *validate_options(const struct arguments *arguments) {
    static const int passed[] = {REPS, QUICK, ONLY, LEVEL, PLACEMENT};
    json_t *words = json_array();
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        const struct argument *option = &arguments->command->options[passed[i]];
        const char *value = arguments->value[passed[i]];
        if (value == NULL)
            continue;
        json_array_append_new(words, json_sprintf("--%s", option->name));
        if (option->value != NULL)
            json_array_append_new(words, json_string(value));
    }
    return words;
}

static int read_wish(struct wish *wish, const struct paths *paths, const struct arguments *arguments,
                     struct error *error) {
    const char *const *value = arguments->value;
    int reps = 0;
    *wish = (struct wish){.folder = value[OUT] != NULL ? value[OUT] : default_folder,
                          .nodes = value[NODES],
                          .partition = value[PARTITION],
                          .node_options = value[NODE_OPTIONS],
                          .node = value[NODE] != NULL ? value[NODE] : "native",
                          .launcher = value[LAUNCHER] != NULL ? value[LAUNCHER] : "slurm",
                          .broadcast = value[BROADCAST],
                          .minutes = MINUTES_DEFAULT,
                          .patterns = json_words(arguments->words, (size_t)arguments->count, error),
                          .options = validate_options(arguments)};
    if (wish->patterns == NULL)
        return -1;
    if (arguments_whole(arguments, "per-node-minutes", MINUTES_MOST, &wish->minutes, error) != 0 ||
        arguments_whole(arguments, "first", FIRST_MOST, &wish->first, error) != 0 ||
        arguments_whole(arguments, "reps", OPTIONS_REPS_MAX, &reps, error) != 0)
        return -1;
    for (int i = 0; i < arguments->count; i++) {
        char file[PATH_MAX];
        if (inputs_pattern_file(paths, arguments->words[i], file, error) != 0)
            return -1;
    }
    if (strcmp(wish->launcher, "slurm") != 0 && strcmp(wish->launcher, "mpi") != 0)
        return error_set(error, "--launcher %s: unknown; slurm or mpi", wish->launcher);
    if (strcmp(wish->launcher, "mpi") == 0 && wish->nodes == NULL)
        return error_set(error, "--launcher mpi: which hosts? add --nodes HOST,...");
    return 0;
}

/* Whether only --out is given: this resumes an existing fleet. */
static int asks_to_go_on(const struct arguments *arguments) {
    for (int i = 0; i <= DRY_RUN; i++) {
        if (i != OUT && arguments->value[i] != NULL)
            return 0;
    }
    return arguments->count == 0;
}

/* Writes the fleet's script to its folder, or prints it and sets `*printed`. */
static int make(const struct wish *wish, const struct paths *paths, struct script *script, int dry, int *printed,
                struct error *error) {
    json_t *manifest = NULL;
    struct fleet there = {.manifest = NULL};
    char *text = send_plan(wish, paths, script, &manifest, error);
    int status = text != NULL ? 0 : -1;
    if (status == 0 && dry) {
        fputs(text, stdout);
        *printed = 1;
    } else if (status == 0 && fleet_is_there(wish->folder)) {
        status = fleet_open(&there, wish->folder, error);
        if (status == 0 && !send_is_same(&there, manifest))
            status = error_set(
                error,
                "%s: a fleet with other nodes or options; choose another folder with --out, or go on with it: "
                "assay fleet run --out %s",
                wish->folder, wish->folder);
    } else if (status == 0) {
        status = send_write(wish->folder, text, error);
    }
    fleet_close(&there);
    json_decref(manifest);
    free(text);
    return status;
}

static void print_status(struct script *script, json_t *status) {
    struct error ignored;
    print_rendered(script, "report:fleet_status", json_pack("{s:O}", "status", status), &ignored);
}

/* EXIT_DONE if every node has a record without failed runs. */
static int exit_of(const json_t *status) {
    size_t index;
    json_t *host;
    json_array_foreach(json_object_get(status, "hosts"), index, host) {
        if (strcmp(json_word(host, "state"), "done") != 0 || json_object_get(host, "why") != NULL)
            return EXIT_DRIFT;
    }
    return EXIT_DONE;
}

/* Submits the jobs not yet submitted, follows the fleet and prints its result. */
static int send_and_follow(const char *folder, struct script *script, struct error *error) {
    struct fleet fleet;
    struct process launcher = {.out = -1, .err = -1};
    struct stop stop;
    int by_mpi = 0, status = fleet_open(&fleet, folder, error);
    if (status == 0) {
        by_mpi = strcmp(json_word(fleet.manifest, "launcher"), "mpi") == 0;
        status = by_mpi ? send_to_mpi(&fleet, &launcher, error) : 0;
    }
    if (status != 0) {
        fleet_close(&fleet);
        return -1;
    }
    stop_catch(&stop);
    json_t *found = follow(&fleet, script, by_mpi ? &launcher : NULL, error);
    int is_stopped = stop_is_asked();
    stop_release(&stop);
    if (found != NULL) {
        print_status(script, found);
        status = exit_of(found);
    }
    if (by_mpi && launcher.status != 0 && !is_stopped)
        fprintf(stderr, "assay fleet run: mpirun ended with status %d: %.300s\n", launcher.status,
                launcher.messages != NULL ? launcher.messages : "");
    if (is_stopped) {
        error_set(error,
                  by_mpi ? "interrupted; the same command goes on" : "closed; the nodes go on: assay fleet status %s",
                  folder);
        status = EXIT_INTERRUPTED;
    } else if (found == NULL) {
        status = -1;
    } else {
        print_file("compare them: assay fleet report", folder);
    }
    json_decref(found);
    if (by_mpi && launcher.pid != 0)
        process_kill(&launcher);
    process_free(&launcher);
    fleet_close(&fleet);
    return status;
}

/* Only one process at a time may submit. */
static int take_lock(const char *folder, char name[PATH_MAX], struct error *error) {
    char busy[PATH_MAX + 100];
    if (paths_make_folder(folder, error) != 0 || paths_join(name, folder, "sending.lock", error) != 0)
        return -1;
    snprintf(busy, sizeof busy, "%s: another assay fleet run follows it; see how far it is: assay fleet status %s",
             folder, folder);
    return exclusive_take(name, busy, error);
}

static int run_wish(const struct wish *wish, const struct paths *paths, const struct arguments *arguments,
                    struct script *script, struct error *error) {
    char name[PATH_MAX];
    int dry = arguments->value[DRY_RUN] != NULL, printed = 0, lock = -1;
    int goes_on = fleet_is_there(wish->folder) && asks_to_go_on(arguments);
    if (!dry && (lock = take_lock(wish->folder, name, error)) < 0)
        return -1;
    int status = goes_on ? 0 : make(wish, paths, script, dry, &printed, error);
    if (status == 0 && !printed)
        status = send_begin(wish->folder, error) == 0 ? send_and_follow(wish->folder, script, error) : -1;
    if (lock >= 0)
        exclusive_release(name, lock);
    return status;
}

static int run_run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct wish wish;
    int status = read_wish(&wish, paths, arguments, error);
    struct script *script = status == 0 ? script_open(paths->data, error) : NULL;
    status = script != NULL ? run_wish(&wish, paths, arguments, script, error) : -1;
    script_close(script);
    json_decref(wish.patterns);
    json_decref(wish.options);
    return status;
}

static int run_status(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct fleet fleet;
    int status = fleet_open(&fleet, arguments->count > 0 ? arguments->words[0] : default_folder, error);
    struct script *script = status == 0 ? script_open(paths->data, error) : NULL;
    json_t *found = script != NULL ? fleet_status(&fleet, script, error) : NULL;
    if (found != NULL)
        print_status(script, found);
    status = found != NULL ? exit_of(found) : -1;
    json_decref(found);
    script_close(script);
    fleet_close(&fleet);
    return status;
}

static const struct argument run_options[] = {
    [NODES] = {"nodes", "LIST", "the hosts, as Slurm writes them: n[1-64,70]; all of the partition by default"},
    [PARTITION] = {"partition", "P", "Slurm's partition"},
    [MINUTES] = {"per-node-minutes", "M", "time limit of a node's task, 60 by default"},
    [OUT] = {"out", "DIR", "the fleet's folder, shared by all nodes; fleet by default"},
    [NODE_OPTIONS] = {"node-options", "FILE", "lines HOST OPTION...: further options of assay validate on that host"},
    [NODE] = {"node", "NODE", "as of assay validate, native by default: a node whose counters do not count fails"},
    [REPS] = {"reps", "N", "as of assay validate, and so are the next four"},
    [QUICK] = {"quick", NULL, "every code and quantity, with the fewest points"},
    [ONLY] = {"only", "CODE,...", "these codes of the patterns only"},
    [LEVEL] = {"level", "LEVEL,...", "points with data in these levels only"},
    [PLACEMENT] = {"placement", "PLACE,...", "these placements only"},
    [LAUNCHER] = {"launcher", "slurm|mpi", "mpi: mpirun starts a task on each of the --nodes"},
    [FIRST] = {"first", "N",
               "the N smallest nodes; the others once one of these counts. Without it: all, the smallest first"},
    [BROADCAST] = {"broadcast", "DIR",
                   "the program is broadcast (sbcast) to this folder of each node, and removed at the end"},
    [DRY_RUN] = {"dry-run", NULL, "print the batch script, which can be sent by hand: sh FILE send"},
    {0},
};

static const struct command commands[] = {
    {.name = "fleet run",
     .words = "[PATTERN...]",
     .most = INT_MAX,
     .about = "validates every node, one Slurm task a node; the same command goes on",
     .options = run_options,
     .run = run_run},
    {.name = "fleet status",
     .words = "[DIR]",
     .most = 1,
     .about = "how far the nodes are; 1 unless all have a record",
     .run = run_status},
    {.name = "fleet collect",
     .words = "[DIR]",
     .most = 1,
     .about = "one file with what the nodes are compared by, to be carried away",
     .options = fleet_collect_options,
     .run = fleet_collect},
    {.name = "fleet report",
     .words = "[DIR|FILE]",
     .most = 1,
     .about = "which nodes count differently, and what is different about them",
     .options = fleet_report_options,
     .run = fleet_report},
};

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    static const char word[] = "fleet ";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(arguments->words[0], commands[i].name + sizeof word - 1) == 0)
            return command_run(&commands[i], paths, arguments->count, arguments->words);
    }
    return error_set(error, "%.200s: unknown; run, status, collect or report", arguments->words[0]);
}

const struct command command_fleet = {
    .name = "fleet",
    .words = "run|status|collect|report ...",
    .least = 1,
    .most = INT_MAX,
    .is_prefix = 1,
    .missing = "what is to be done? run, status, collect or report",
    .about = "every node of a cluster: validates them, and finds those that count differently",
    .run = run,
};
