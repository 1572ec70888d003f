/* cmd_bundle.c - `assay bundle`: a file that explains a first run. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/command/version.h"
#include "validate/host/ask.h"
#include "validate/host/conceal.h"
#include "validate/host/exclusive.h"
#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/host/process_setup.h"
#include "validate/host/system.h"
#include "validate/host/tar.h"
#include "validate/host/text.h"
#include "validate/record/record.h"
#include "validate/run/preflight.h"

enum { LIST, OUT };
enum { PATIENCE = 60 /* seconds for a command */, TAIL_BYTES = 1 << 16, WORDS_MOST = 8 };

/* LIKWID's view of the machine. The last command counts, so no campaign may be running. */
static const char *const questions[][WORDS_MOST] = {
    {"likwid-perfctr", "-v"},
    {"likwid-perfctr", "-i"},
    {"likwid-topology"},
    {"likwid-features", "-c", "0", "-l"},
    {"likwid-perfctr", "-C", "0", "-g", "CLOCK", "sleep", "0.1"},
};

/* Prints a command, the end of what it prints, and its exit status. */
static void print_answer(FILE *out, const char *const question[WORDS_MOST]) {
    char *command[WORDS_MOST + 5] = {"sh", "-c", "exec \"$@\" 2>&1", "sh"};
    struct error why;
    int status = -1;
    fputs("$", out);
    for (size_t i = 0; i < WORDS_MOST && question[i] != NULL; i++) {
        command[4 + i] = (char *)question[i];
        fprintf(out, " %s", question[i]);
    }
    char *answer = ask(command, PATIENCE, &status, &why);
    size_t length = answer != NULL ? strlen(answer) : 0;
    fprintf(out, "\n%s\n(status %d)\n\n",
            answer == NULL ? why.text : answer + (length > TAIL_BYTES ? length - TAIL_BYTES : 0), status);
    free(answer);
}

static void print_answers(FILE *out) {
    struct error error;
    int lock = exclusive_machine("assay-native", &error);
    size_t count = sizeof questions / sizeof *questions;
    for (size_t i = 0; i < (lock >= 0 ? count : count - 1); i++)
        print_answer(out, questions[i]);
    if (lock < 0)
        fprintf(out, "LIKWID was not asked to count: %s\n", error.text);
    else
        close(lock);
}

/* Prints what the bundle is about. `record`: NULL if there is none. */
static void print_about(FILE *out, const json_t *record, const json_t *machine) {
    const json_t *node = json_object_get(record, "node");
    const char *kind = json_word(node, "kind"), *name = json_word(node, "name"), *host = json_word(machine, "name");
    json_t *kernel = system_kernel(), *microcode = system_microcode();
    char now[21];
    record_time(now);
    fprintf(out, "Bundle of Assay %s, %s, on %s: kernel %s, microcode %s\n", ASSAY_VERSION, now,
            host != NULL ? host : "a machine", json_is_string(kernel) ? json_string_value(kernel) : "unknown",
            json_is_string(microcode) ? json_string_value(microcode) : "unknown");
    if (record == NULL)
        fputs("No record\n", out);
    else
        fprintf(out, "Record of a %s node, %s%s\n", kind, name,
                strcmp(kind, "virtual") == 0              ? ": no evidence about silicon"
                : host != NULL && strcmp(name, host) != 0 ? ": another machine than the one examined here"
                                                          : "");
    json_decref(kernel);
    json_decref(microcode);
}

/* A file of the bundle. */
struct part {
    const char *name, *about;
    char *text;
    size_t size;
};
enum { ABOUT, DOCTOR, NODE, COMMANDS, RECORD, PARTS };

static void print_json(FILE *out, const json_t *value) {
    if (value != NULL)
        json_dumpf(value, out, RECORD_FORMAT);
}

/* Fills the parts' texts; an empty one is left out. 0, or -1 with the reason. */
static int collect(const struct paths *paths, const json_t *record, struct part parts[PARTS], struct error *error) {
    FILE *out[PARTS];
    int failed = 0;
    for (int i = 0; i < PARTS; i++) {
        out[i] = open_memstream(&parts[i].text, &parts[i].size);
        if (out[i] == NULL)
            return error_set(error, "no memory for a bundle");
    }
    json_t *machine;
    preflight(paths, out[DOCTOR], &machine);
    print_about(out[ABOUT], record, machine);
    print_json(out[NODE], machine);
    print_answers(out[COMMANDS]);
    print_json(out[RECORD], record);
    json_decref(machine);
    for (int i = 0; i < PARTS; i++) {
        failed |= fclose(out[i]);
        plain_text(parts[i].text, 1);
        conceal_paths(parts[i].text, getenv("HOME"));
        parts[i].size = strlen(parts[i].text);
    }
    return failed ? error_set(error, "no memory for a bundle") : 0;
}

static void print_list(const struct part parts[PARTS]) {
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].size > 0)
            printf("%-13s %9zu bytes  %s\n", parts[i].name, parts[i].size, parts[i].about);
    }
}

static int write_bundle(const char *file, const struct part parts[PARTS], struct error *error) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    int failed = out == NULL;
    for (int i = 0; i < PARTS && !failed; i++)
        failed = parts[i].size > 0 && tar_add(out, parts[i].name, parts[i].text, parts[i].size) != 0;
    failed = failed || tar_end(out) != 0;
    if (out != NULL && fclose(out) != 0)
        failed = 1;
    int status = failed ? error_set(error, "no memory for a bundle")
                 : size >= TEXT_MOST
                     ? error_set(error, "the record is too large for a bundle; take out its samples with "
                                        "assay compact")
                     : text_replace_bytes(file, bytes, size, error);
    free(bytes);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    const char *file = arguments->value[OUT] != NULL ? arguments->value[OUT] : "bundle.tar";
    struct part parts[PARTS] = {
        [ABOUT] = {"about.txt", "versions, the machine's name, the record's node", NULL, 0},
        [DOCTOR] = {"doctor.txt", "what assay doctor prints", NULL, 0},
        [NODE] = {"node.json", "cores, caches, PCI devices, state and boxes of this machine", NULL, 0},
        [COMMANDS] = {"commands.txt", "LIKWID's own programs and what they print", NULL, 0},
        [RECORD] = {"record.json", "the record, with its samples and failed commands", NULL, 0},
    };
    json_t *record = NULL;
    process_setup_forget_variables();
    int status = arguments->value[LIST] != NULL ? 0 : record_check_target(file, error);
    if (status == 0 && arguments->count > 0)
        status = (record = record_read(arguments->words[0], error)) != NULL ? 0 : -1;
    if (status == 0 && (status = collect(paths, record, parts, error)) == 0) {
        print_list(parts);
        fflush(stdout);
        if (arguments->value[LIST] == NULL && (status = write_bundle(file, parts, error)) == 0)
            print_file("bundle:", file);
    }
    for (int i = 0; i < PARTS; i++)
        free(parts[i].text);
    json_decref(record);
    return status;
}

static const struct argument options[] = {
    [LIST] = {"list", NULL, "print what would be in it, and write nothing"},
    [OUT] = {"out", "FILE", "the bundle, bundle.tar by default"},
    {0},
};

const struct command command_bundle = {
    .name = "bundle",
    .words = "[RECORD]",
    .most = 1,
    .about = "pack what explains a first run, with a record, into one file to send",
    .options = options,
    .run = run,
};
