/* run.c - runs likwid-perfctr with a pattern's program. SPDX-License-Identifier: GPL-3.0-or-later */
#include "run.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counting.h"
#include "program.h"
#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/likwid/complaint.h"
#include "validate/likwid/csv.h"
#include "words.h"

enum { TAIL_LINES = 5 };

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_word(object, key);
    return text != NULL ? text : "";
}

/* The path of a tool of Assay through the link in the run's folder: LIKWID splits paths at blanks, and the length of
 * the installation path must not change counts. Other paths are returned unchanged. */
static const char *seen_from_run(const struct run_context *context, const char *file, char out[PATH_MAX + 64]) {
    size_t length = strlen(context->paths->tools);
    if (strncmp(file, context->paths->tools, length) != 0 || file[length] != '/')
        return file;
    snprintf(out, PATH_MAX + 64, RUN_TOOLS "%s", file + length);
    return out;
}

/* Adds a region (the point's or its base's) and the arguments after it: the program's own, or the stream driver's. */
static void add_region(struct words *words, const json_t *point, const json_t *part,
                       const struct run_context *context) {
    const json_t *arguments = json_object_get(part, "arguments");
    size_t index;
    json_t *argument;
    words_add(words, text_of(part, "region"));
    json_array_foreach(arguments, index, argument) words_add(words, json_string_value(argument));
    if (arguments != NULL)
        return;
    char object[PATH_MAX + 64];
    words_add(words, seen_from_run(context, text_of(context->objects, text_of(point, "kernel")), object));
    words_add_number(words, json_integer_value(json_object_get(point, "elements")));
    words_add_number(words, json_integer_value(json_object_get(part, "passes")));
}

static void add_point(struct words *words, const json_t *point, const struct run_context *context) {
    const json_t *base = json_object_get(point, "base");
    if (base != NULL)
        add_region(words, point, base, context);
    add_region(words, point, point, context);
}

/* Adds the job's empty region, if any, after another empty one, because a process's first region costs LIKWID more;
 * then a region that reads counters. */
static void add_empty(struct words *words, const char *region, const char *reads) {
    if (region == NULL)
        return;
    const char *const options[] = {"-e", "first", "-e", region, "-r", reads};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        words_add(words, options[i]);
}

static void add_perfctr(struct words *words, const struct run *run, const struct run_context *context) {
    char *numbers = words_list_released(node_likwid_cpus(context->node, json_object_get(run->job, "cpus")));
    const char *const fixed[] = {context->likwid->perfctr,     "-C", numbers, "-g",
                                 text_of(run->packed, "name"), "-m", "-o",    "out.csv"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        words_add(words, fixed[i]);
    free(numbers);
}

/* likwid-perfctr -C CPUS -g GROUP -m -o out.csv PROGRAM -c CPUS REGION ARGUMENT... REGION ARGUMENT..., or PROGRAM ...
 */
static struct words command_line(const struct run *run, const struct run_context *context) {
    struct words words = {0};
    if (program_is(run)) {
        program_line(&words, run, context);
        return words;
    }
    char *cpus = words_list_numbers(json_object_get(run->job, "cpus"));
    char driver[PATH_MAX + 64];
    const char *program = json_word(run->job, "program");
    snprintf(driver, sizeof driver, RUN_TOOLS "/patterns/%.48s", program != NULL ? program : "stream");
    if (context->likwid->interface == NULL)
        add_perfctr(&words, run, context);
    words_add(&words, driver);
    words_add(&words, "-c");
    words_add(&words, cpus);
    free(cpus);
    size_t index;
    json_t *point;
    json_array_foreach(json_object_get(run->job, "points"), index, point) add_point(&words, point, context);
    add_empty(&words, json_word(run->job, "empty"), text_of(run->job, "reads"));
    return words;
}

/* The command as typed in a shell. */
static char *join(const struct words *words, const struct run_context *context) {
    char *text = words_join(words), *whole = NULL;
    if (context->likwid->interface == NULL)
        return text;
    char *preload = counting_preload(NULL);
    if (asprintf(&whole, "%s %s %s", preload, counting_events, text) < 0)
        abort();
    free(preload);
    free(text);
    return whole;
}

char *run_command(const struct run *run, const struct run_context *context) {
    struct words words = command_line(run, context);
    char *text = join(&words, context);
    words_free(&words);
    return text;
}

/* Creates the run's folder with its own HOME for the packed group, because LIKWID and the marked program read custom
 * groups from $HOME/.likwid/groups/ARCH. The names have a fixed length: the environment lies above the stack, so its
 * length moves the stack and changes counts by a few lines. */
static int stage(struct run *run, const struct run_context *context, char home[PATH_MAX], struct error *error) {
    char groups[PATH_MAX], name[PATH_MAX], file[PATH_MAX], folder[PATH_MAX];
    if (paths_join(folder, context->work, "run-XXXXXX", error) != 0)
        return -1;
    if (mkdtemp(folder) == NULL)
        return error_set(error, "%s: %s", folder, strerror(errno));
    snprintf(run->folder, sizeof run->folder, "%s", folder);
    if (paths_join(name, folder, RUN_TOOLS, error) != 0)
        return -1;
    if (symlink(context->paths->tools, name) != 0)
        return error_set(error, "%s: %s", name, strerror(errno));
    if (paths_join(home, run->folder, "home", error) != 0 || paths_join(groups, home, ".likwid/groups", error) != 0 ||
        paths_join(file, groups, context->node->arch, error) != 0 || paths_make_folder(file, error) != 0)
        return -1;
    snprintf(name, sizeof name, "%s.txt", text_of(run->packed, "name"));
    char target[PATH_MAX];
    if (paths_join(target, file, name, error) != 0 || program_stage(run, context, file, error) != 0 ||
        (context->likwid->interface != NULL && counting_stage(run, context, error) != 0))
        return -1;
    return text_write(target, text_of(run->packed, "text"), error);
}

/* Whether a run on a virtual node needs a variable. Others are removed: getenv() scans all variables before the wanted
 * one, and their number would change the history of the branch predictor. */
static int is_needed(const char *entry) {
    static const char *const begins[] = {"HOME=", "PATH=", "ASSAY_", "HWLOC_", "LD_", "LIKWID_"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(entry, begins[i], strlen(begins[i])) == 0)
            return 1;
    }
    return 0;
}

/* The run slot's environment, with 256-bit string functions of the C library turned off. The Marker API calls these
 * between its readings of the counters; without them a region counts only the code's 256-bit instructions. A new list
 * that borrows its texts. */
static char **environment_of(const struct run_slot *slot, int is_virtual) {
    static char plain_strings[] = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX2_Usable";
    char **theirs = run_slot_environment(slot);
    size_t count = 0, kept = 0;
    while (theirs[count] != NULL)
        count++;
    char **list = calloc(count + 2, sizeof *list);
    if (list == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        if (is_virtual ? is_needed(theirs[i]) : strncmp(theirs[i], plain_strings, strlen("GLIBC_TUNABLES=")) != 0)
            list[kept++] = theirs[i];
    }
    list[kept] = plain_strings;
    return list;
}

/* Sets the node's faults, except for runs that measure the true counts (lua/plan/companions.lua). */
static int make_wrong(const struct run *run, const struct run_context *context, struct error *error) {
    if (json_is_true(json_object_get(run->job, "clean")))
        return 0;
    char name[sizeof run->id + 16];
    snprintf(name, sizeof name, run->again > 0 ? "%s again %d" : "%s", run->id, run->again);
    return run_slot_set_faults(run->slot, context->node, name, error);
}

/* Starts a program of patterns on the node with the library that counts. */
static int start_counting(struct run *run, const struct run_context *context, struct words words, struct error *error) {
    static const char preload[] = "LD_PRELOAD=";
    char **environment = environment_of(run->slot, context->node->is_virtual), *own = NULL;
    size_t count = 0;
    for (; environment[count] != NULL; count++) {
        if (strncmp(environment[count], preload, sizeof preload - 1) == 0)
            environment[count] = own = counting_preload(environment[count] + sizeof preload - 1);
    }
    environment = realloc(environment, (count + 3) * sizeof *environment);
    if (environment == NULL)
        abort();
    if (own == NULL)
        environment[count++] = own = counting_preload(NULL);
    environment[count++] = (char *)counting_events;
    environment[count] = NULL;
    char *const *command = run_slot_command(run->slot, run->folder, words.word, error);
    int status =
        command != NULL ? process_start(&run->process, command, environment, run->folder, context->timeout, error) : -1;
    free(own);
    free(environment);
    return status;
}

/* A user's program runs in the user's folder and environment, and its stdout is discarded. */
static int start(struct run *run, const struct run_context *context, struct words words, struct error *error) {
    int is_program = program_is(run);
    if (context->likwid->interface != NULL)
        return start_counting(run, context, words, error);
    struct program_variables own;
    char **environment = is_program ? program_environment(run, run_slot_environment(run->slot), &own)
                                    : environment_of(run->slot, context->node->is_virtual);
    int status =
        process_start(&run->process, words.word, environment, is_program ? NULL : run->folder, context->timeout, error);
    run->process.is_ignored = is_program;
    free(environment);
    return status;
}

int run_start(struct run *run, const struct run_context *context, struct error *error) {
    char home[PATH_MAX];
    int status = stage(run, context, home, error), perf = program_is(run) || context->likwid->interface != NULL;
    struct words words = command_line(run, context); /* uses the folder set by stage() */
    run->command = join(&words, context);
    run->interface = context->likwid->interface;
    if (status == 0) {
        run->slot = run_slot_take(context->node, context->paths, context->likwid, home, perf, error);
        status = run->slot != NULL ? make_wrong(run, context, error) : -1;
    }
    run->stale_files = context->stale_files;
    if (status == 0 && context->stale_files != NULL)
        status = stale_files_restore(context->stale_files, error);
    if (status == 0)
        status = start(run, context, words, error);
    run->process.is_simulated = context->node->is_virtual;
    words_free(&words);
    return status;
}

/* The last lines of a command's messages. */
static const char *tail(const char *messages) {
    if (messages == NULL)
        return "";
    const char *start = messages + strlen(messages);
    for (int lines = 0; start > messages; start--) {
        if (start[-1] == '\n' && start[0] != '\0' && ++lines == TAIL_LINES)
            break;
    }
    return start;
}

static int remove_entry(const char *path, const struct stat *status, int flag, struct FTW *ftw) {
    (void)status;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void run_abort(struct run *run) {
    process_free(&run->process);
    if (run->stale_files != NULL && run->slot != NULL)
        stale_files_learn(run->stale_files, run_slot_written(run->slot));
    run_slot_leave(run->slot);
    run->slot = NULL;
    free(run->command);
    run->command = NULL;
    if (run->folder[0] != '\0')
        nftw(run->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static __attribute__((format(printf, 1, 2))) char *reason(const char *format, ...) {
    char *text = NULL;
    va_list values;
    va_start(values, format);
    int length = vasprintf(&text, format, values);
    va_end(values);
    if (length < 0)
        abort();
    return text;
}

/* The exit status of a user's program is not judged, unless the program did not start (126, 127) or was killed by a
 * signal (128 + signal number). */
static int is_failure(const struct run *run) {
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, BY_SIGNAL = 128 };
    int status = run->process.status;
    if (!program_is(run))
        return status >= 1;
    return status < 0 || status == NOT_EXECUTABLE || status == NOT_FOUND ||
           (status > BY_SIGNAL && status <= BY_SIGNAL + SIGRTMAX);
}

/* Start of LIKWID's message about a region without counts: registered and never entered, or not left. */
static const char skipping[] = "WARN: Skipping region ";

/* Names of the regions that LIKWID skipped, without the "-GROUP" that LIKWID appends. */
static json_t *skipped_regions(const char *messages) {
    json_t *names = json_array();
    for (const char *line = strstr(messages, skipping); line != NULL; line = strstr(line, skipping)) {
        line += strlen(skipping);
        const char *end = strstr(line, " for evaluation");
        size_t length = strcspn(line, "\n");
        if (end != NULL && (size_t)(end - line) < length)
            length = (size_t)(end - line);
        char *name = strndup(line, length), *group = name != NULL ? strrchr(name, '-') : NULL;
        if (group != NULL)
            *group = '\0';
        json_array_append_new(names, plain_name(name != NULL ? name : ""));
        free(name);
    }
    return names;
}

static json_t *read_regions(const struct run *run, char **why) {
    char file[PATH_MAX];
    struct error error;
    if (program_is(run))
        return program_read(run, why);
    if (paths_join(file, run->folder, "out.csv", &error) != 0 || access(file, F_OK) != 0) {
        *why = reason("%s left no out.csv", run->interface != NULL ? "the program" : "likwid-perfctr");
        return NULL;
    }
    char *text = text_read(file, &error);
    json_t *regions = text != NULL ? csv_read(text, "out.csv", &error) : NULL;
    free(text);
    if (regions == NULL)
        *why = reason("%s", error.text);
    return regions;
}

/* Whether LIKWID measured other CPUs than `cpus`: NULL, or the reason. */
static char *find_other_cpu(const json_t *regions, const json_t *cpus) {
    const char *name;
    json_t *threads, *thread;
    size_t index;
    json_object_foreach((json_t *)regions, name, threads) {
        json_array_foreach(threads, index, thread) {
            const json_t *cpu = json_object_get(thread, "cpu");
            if (!json_contains(cpus, cpu))
                return reason("LIKWID measured CPU %lld, which is not the one that was meant",
                              (long long)json_integer_value(cpu));
        }
    }
    return NULL;
}

/* Like find_other_cpu(), for each rank of a program, or for the only process of Assay's own code. */
static char *find_wrong_cpu(const struct run *run, const json_t *regions) {
    const json_t *ranks = json_object_get(run->job, "ranks");
    if (!program_is(run))
        return find_other_cpu(regions, json_object_get(run->job, "cpus"));
    char *why = NULL;
    for (size_t i = 0; i < json_array_size(ranks) && why == NULL; i++)
        why = find_other_cpu(json_array_get(regions, i), json_object_get(json_array_get(ranks, i), "cpus"));
    return why;
}

/* Reads the counts into `regions`; returns the reason if there are none, else NULL. LIKWID exits with 0 after many
 * errors, so its messages are checked, too. */
static char *read_counts(const struct run *run, json_t **regions) {
    char *why = NULL;
    const char *messages = run->process.messages != NULL ? run->process.messages : "";
    *regions = NULL;
    if (run->process.timed_out)
        return reason("timed out after %g s; --timeout gives more", run->process.limit);
    if (run->process.flooded)
        return reason("printed more than %d MiB", PROCESS_OUTPUT_MOST >> 20);
    struct complaint complaint = complaint_find(program_is(run) ? "" : messages);
    if (is_failure(run))
        return reason("exit status %d%s%.*s", run->process.status, complaint.length > 0 ? ": " : "", complaint.length,
                      complaint.line);
    /* A user's program may print ERROR, but not in the format of LIKWID's library. */
    const char *line = complaint_error(messages, program_is(run) ? "ERROR - [" : "ERROR");
    if (line == NULL && !program_is(run)) /* Assay's own programs enter all regions */
        line = strstr(messages, skipping);
    if (line != NULL)
        return reason("likwid-perfctr: %.*s", (int)strcspn(line, "\n"), line);
    *regions = read_regions(run, &why);
    if (why == NULL && (why = find_wrong_cpu(run, *regions)) != NULL) {
        json_decref(*regions);
        *regions = NULL;
    }
    return why;
}

/* Processor time inside the run's regions, printed by its program (patterns/program/crew.h); null if not printed. */
static json_t *busy_seconds(const struct run *run) {
    static const char word[] = "cpu_seconds_in_regions ";
    const char *line = run->process.output != NULL ? strstr(run->process.output, word) : NULL;
    return line != NULL ? json_real(atof(line + sizeof word - 1)) : json_null();
}

/* The command without the extra slashes that pad the paths of scratch folders (vnode/launch/scratch.h). */
static json_t *command_text(const struct run *run) {
    enum { MEANT = 3 }; /* file:///x */
    char *text = strdup(run->command != NULL ? run->command : ""), *end = text;
    size_t slashes = 0;
    for (const char *at = text; at != NULL && *at != '\0'; at += slashes > 0 ? slashes : 1) {
        slashes = strspn(at, "/");
        size_t kept = slashes > MEANT ? 1 : slashes;
        memmove(end, at, kept > 0 ? kept : 1);
        end += kept > 0 ? kept : 1;
    }
    if (end != NULL)
        *end = '\0';
    json_t *command = plain_word(text != NULL ? text : "");
    free(text);
    return command;
}

static json_t *not_counted(const struct run *run, const char *messages) {
    return run->interface != NULL ? counting_not_counted(messages)
           : run->slot != NULL    ? run_slot_not_counted(run->slot)
                                  : json_object();
}

json_t *run_finish(struct run *run) {
    json_t *regions;
    if (run->process.messages != NULL)
        plain_text(run->process.messages, 1);
    const char *messages = run->process.messages != NULL ? run->process.messages : "";
    char *why = read_counts(run, &regions);
    json_t *finished =
        json_pack("{s:s, s:i, s:f, s:f, s:o, s:i, s:i, s:s?, s:o?, s:o, s:s, s:o, s:o}", "id", run->id, "rep", run->rep,
                  "seconds", run->process.seconds, "cpu_seconds", run->process.cpu_seconds, "cpu_seconds_in_regions",
                  busy_seconds(run), "context_switches", run->process.context_switches, "status", run->process.status,
                  "why", why, program_is(run) ? "ranks" : "regions", regions, "command", command_text(run), "messages",
                  tail(messages), "not_counted", not_counted(run, messages), "skipped", skipped_regions(messages));
    if (run->interface != NULL)
        json_object_set_new(finished, "interface", json_string(run->interface));
    if (run->again > 0)
        json_object_set_new(finished, "again", json_integer(run->again));
    free(why);
    run_abort(run);
    return finished;
}

json_t *run_not_started(const struct run *run, const struct error *error) {
    return json_pack("{s:s, s:i, s:f, s:i, s:s, s:n, s:o, s:s, s:o}", "id", run->id, "rep", run->rep, "seconds", 0.0,
                     "status", -1, "why", error->text, "regions", "command", command_text(run), "messages", error->text,
                     "not_counted", json_object());
}
