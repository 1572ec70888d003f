/* probe.c - measures a known loop. SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "single.h"
#include "validate/host/ask.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/likwid/complaint.h"
#include "validate/node/machine.h"
#include "words.h"

enum { ELEMENTS = 1024, SWEEPS = 1000, PATIENCE = 20 /* seconds */ };
static const char probe_kernel[] = "load";
static const char probe_group[] = "SHORT Does the node count?\n\nEVENTSET\n%s %s\n%s\n"
                                  "METRICS\nRuntime (RDTSC) [s] time\n\nLONG\nInstructions of a known loop.\n";
static const double tolerance = 0.01; /* relative; interrupts and errata are far below */

/* The counter and event of retired instructions on the node's architecture. */
struct counted {
    char counter[64], event[128];
    const char *selector; /* of another interface than LIKWID (lua/plan/interface.lua) */
    char fixed[512];      /* lines of an event set: the other fixed counters of Assay's groups, which may be in use */
};

/* Copies the fixed counters from the machine's first group: all groups of an architecture count them. */
static void copy_fixed(const struct paths *paths, const char *arch, const json_t *machine, struct counted *out) {
    static const char fixed[] = "FIXC";
    char name[128], file[PATH_MAX];
    struct error ignored;
    const char *group = json_word(json_array_get(json_object_get(machine, "traffic"), 0), "group");
    snprintf(name, sizeof name, "%.100s.txt", group != NULL ? group : "");
    char *text = paths_arch(file, paths, arch, name, &ignored) == 0 ? text_read(file, &ignored) : NULL, *rest = NULL;
    size_t used = 0;
    for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, fixed, strlen(fixed)) == 0 && strncmp(line, out->counter, strcspn(line, " ")) != 0 &&
            used < sizeof out->fixed)
            used += (size_t)snprintf(out->fixed + used, sizeof out->fixed - used, "%s\n", line);
    }
    free(text);
}

/* Events of retired instructions, under LIKWID's names, for processors without a machine file. */
static const struct counted known[] = {{.counter = "FIXC0", .event = "INSTR_RETIRED_ANY"},
                                       {.counter = "PMC0", .event = "RETIRED_INSTRUCTIONS"}};

/* Takes the first known event that LIKWID lists for this machine. */
static int choose_event(const struct likwid *likwid, struct counted *out, struct error *error) {
    char *const question[] = {(char *)likwid->perfctr, "-e", NULL};
    char line[sizeof out->event + 4];
    int status, found = 0;
    char *events = ask(question, PATIENCE, &status, error);
    for (size_t i = 0; events != NULL && !found && i < sizeof known / sizeof *known; i++) {
        snprintf(line, sizeof line, "\n%s, ", known[i].event);
        found = strstr(events, line) != NULL;
        *out = known[i];
    }
    free(events);
    return found ? 0 : error_set(error, "likwid-perfctr -e lists no event of retired instructions for this processor");
}

/* Takes the event that the architecture's machine file names. */
static int named_event(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                       struct counted *out, struct error *error) {
    struct script *script = script_open(paths->data, error);
    json_t *machine = script != NULL ? machine_read(script, paths, node->arch, likwid->version, error) : NULL;
    const json_t *probe = json_object_get(machine, "probe");
    if (machine != NULL) {
        snprintf(out->counter, sizeof out->counter, "%s", json_word(probe, "counter"));
        snprintf(out->event, sizeof out->event, "%s", json_word(probe, "event"));
        copy_fixed(paths, node->arch, machine, out);
    }
    int status = machine != NULL ? 0 : -1;
    json_decref(machine);
    script_close(script);
    return status;
}

static int what_to_count(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                         struct counted *out, struct error *error) {
    char file[PATH_MAX];
    int has_machine = paths_arch(file, paths, node->arch, "machine.lua", error) != 0 || access(file, F_OK) == 0;
    int status = has_machine ? named_event(node, paths, likwid, out, error) : choose_event(likwid, out, error);
    out->selector = "hardware config=1"; /* Linux' general event of retired instructions */
    if (likwid->interface != NULL && strcmp(likwid->interface, "papi") == 0) {
        strcpy(out->event, "PAPI_TOT_INS");
        out->selector = "papi -";
    }
    return status;
}

static double instructions(const json_t *result, const char *region, const struct counted *counted) {
    const json_t *thread = json_array_get(json_object_get(json_object_get(result, "regions"), region), 0);
    const json_t *count = json_object_get(json_object_get(thread, "counts"), counted->counter);
    return count != NULL ? json_number_value(count) : NAN;
}

static json_t *first_cpu(const struct node *node) {
    return json_array_get(json_array_get(json_object_get(node->description, "cpus_by_socket"), 0), 0);
}

/* One run with two regions: SWEEPS and 2 * SWEEPS. A new reference. */
static json_t *measure(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                       const struct counted *counted, json_t *kernels, struct error *error) {
    char group[sizeof probe_group + sizeof *counted];
    snprintf(group, sizeof group, probe_group, counted->counter, counted->event, counted->fixed);
    json_t *job =
        json_pack("{s:s, s:[O], s:[{s:s, s:s, s:i, s:i}, {s:s, s:s, s:i, s:i}]}", "id", "probe", "cpus",
                  first_cpu(node), "points", "region", "once", "kernel", probe_kernel, "elements", ELEMENTS, "passes",
                  SWEEPS, "region", "twice", "kernel", probe_kernel, "elements", ELEMENTS, "passes", 2 * SWEEPS);
    json_t *packed = json_pack("{s:s, s:s, s:[{s:s, s:s, s:s, s:s, s:s}]}", "name", "ASSAY_PROBE", "text", group,
                               "events", "counter", counted->counter, "event", counted->event, "options", "",
                               "selector", counted->selector, "scope", "core");
    json_t *result = single_measure(node, paths, likwid, probe_kernel, job, packed, kernels, error);
    json_decref(job);
    json_decref(packed);
    return result;
}

/* Returns -1; the error is `what` failed, what LIKWID printed about it, and the remedy. */
static int refuse(const char *what, const char *messages, struct error *error) {
    struct complaint complaint = complaint_find(messages);
    return error_set(error, "%s%s%.*s; remedy: %s", what, complaint.length > 0 ? "; LIKWID says: " : "",
                     complaint.length, complaint.line, complaint.remedy);
}

/* LIKWID's stderr when it counts `list`, "EVENT:COUNTER,...", without the Marker API. With the Marker API, which
 * measurements use, LIKWID does not say why a counter cannot be used. Freed by the caller; NULL with the reason. */
static char *messages_about(const struct node *node, const struct likwid *likwid, const char *list,
                            struct error *error) {
    json_t *first = json_pack("[O]", first_cpu(node));
    char *cpu = words_list_released(node_likwid_cpus(node, first));
    char *const question[] = {
        "/bin/sh",    "-c", "exec \"$0\" -C \"$1\" -g \"$2\" true 2>&1 >/dev/null", (char *)likwid->perfctr, cpu,
        (char *)list, NULL};
    int status;
    char *messages = ask(question, PATIENCE, &status, error);
    free(cpu);
    json_decref(first);
    return messages;
}

/* Whether no other program uses a core's counters: with its Marker API LIKWID overwrites what others have set. It looks
 * at a counter before it looks at the event. */
static int check_free(const struct node *node, const struct likwid *likwid, const struct counted *counted,
                      struct error *error) {
    char list[4096] = "";
    json_int_t counters = json_integer_value(json_object_get(node->description, "counters"));
    for (int i = 0, used = 0; i < counters && used + (int)sizeof counted->event + 16 < (int)sizeof list; i++)
        used += sprintf(list + used, "%s%s:PMC%d", i > 0 ? "," : "", counted->event, i);
    char *messages = messages_about(node, likwid, list, error);
    if (messages == NULL)
        return -1;
    int status = strstr(messages, "is in use") == NULL ? 0 : refuse("the counters are not free", messages, error);
    free(messages);
    return status;
}

static int refuse_uncounted(const struct node *node, const struct likwid *likwid, const struct counted *counted,
                            const json_t *result, const char *messages, struct error *error) {
    static const char what[] = "the instructions of a known loop have no count";
    char list[sizeof *counted];
    struct error ignored;
    const char *why = json_word(json_object_get(result, "not_counted"), counted->counter);
    if (likwid->interface != NULL && why != NULL)
        return error_set(error, "%s: %s; remedy: %s", what, why, complaint_find(why).remedy);
    snprintf(list, sizeof list, "%s:%s", counted->event, counted->counter);
    char *others = messages_about(node, likwid, list, &ignored);
    refuse(what, others != NULL && others[0] != '\0' ? others : messages, error);
    free(others);
    return -1;
}

static int judge(const struct node *node, const struct likwid *likwid, const json_t *result,
                 const struct counted *counted, const json_t *kernels, char finding[300], struct error *error) {
    const char *why = json_word(result, "why");
    const char *messages = json_word(result, "messages");
    char what[300];
    if (why != NULL)
        return error_set(error, "a known loop could not be measured: %s; remedy: %s", why,
                         complaint_find(messages).remedy);
    const json_t *kernel = json_object_get(kernels, probe_kernel);
    double passes = (double)ELEMENTS / (double)json_integer_value(json_object_get(kernel, "elements_per_pass"));
    double expected = SWEEPS * ((double)json_integer_value(json_object_get(kernel, "instructions_per_sweep")) +
                                passes * (double)json_integer_value(json_object_get(kernel, "instructions_per_pass")));
    double found = instructions(result, "twice", counted) - instructions(result, "once", counted);
    if (isnan(found))
        return refuse_uncounted(node, likwid, counted, result, messages, error);
    snprintf(what, sizeof what, "a loop of %.0f instructions was counted as %.0f", expected, found);
    if (!(fabs(found - expected) <= tolerance * expected))
        return refuse(what, messages, error);
    snprintf(finding, 300, "%s", what);
    return 0;
}

int probe_node(const struct node *node, const struct paths *paths, const struct likwid *likwid, char finding[300],
               struct error *error) {
    struct counted counted = {0};
    json_t *kernels = json_object(), *result = NULL;
    if (what_to_count(node, paths, likwid, &counted, error) == 0 &&
        (likwid->interface != NULL || check_free(node, likwid, &counted, error) == 0))
        result = measure(node, paths, likwid, &counted, kernels, error);
    int status = result != NULL ? judge(node, likwid, result, &counted, kernels, finding, error) : -1;
    json_decref(result);
    json_decref(kernels);
    return status;
}
