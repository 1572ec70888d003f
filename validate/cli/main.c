/* main.c - the program `assay`: finds its data and runs a command. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "validate/command/commands.h"
#include "validate/command/version.h"
#include "validate/host/process_setup.h"
#include "validate/host/standard.h"
#include "validate/likwid/likwid.h"

/* Each list ends with NULL. */
static const struct group {
    const char *title;
    const struct command *commands[9];
} groups[] = {
    {"the event sets of this node",
     {&command_validate, &command_calibrate, &command_list, &command_doctor, &command_bundle, &command_vnode}},
    {"records", {&command_show, &command_report, &command_tables, &command_compact, &command_diff, &command_history}},
    {"other tools", {&command_groups, &command_why, &command_signatures, &command_historical, &command_lint}},
    {"the processor", {&command_events, &command_configuration, &command_discover}},
    {"any program",
     {&command_diagnose, &command_analyse, &command_laws, &command_sampling, &command_merge, &command_mean,
      &command_subtract, &command_compare}},
    {"clusters", {&command_fleet}},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

static const struct command *find_command(const char *name) {
    for (size_t i = 0; i < GROUPS; i++)
        for (const struct command *const *command = groups[i].commands; *command; command++)
            if (strcmp(name, (*command)->name) == 0)
                return *command;
    return NULL;
}

static void print_overview(FILE *out) {
    fputs("usage: assay COMMAND [ARGUMENTS]\n", out);
    for (size_t i = 0; i < GROUPS; i++) {
        fprintf(out, "\n%s\n", groups[i].title);
        for (const struct command *const *command = groups[i].commands; *command; command++)
            arguments_overview(*command, out);
    }
    fputs("\n"
          "assay COMMAND --help says what its options are, assay --version which Assay this is.\n"
          "\n"
          "Exit status: 0 done; 1 done, but a run failed, a metric got worse, or lint found something; 2 usage, bad\n"
          "input, or not possible on this node; 130 interrupted.\n",
          out);
}

int command_fail(const char *command, const char *text) {
    struct error error;
    error_set(&error, "%s", text); /* removes control characters */
    fprintf(stderr, "assay %s: %s\n", command, error.text);
    return EXIT_USAGE;
}

/* Runs a command with its arguments; prints the reason if it fails. If nobody reads it, the exit status stays. */
static int run_with(const struct arguments *arguments, const struct paths *paths) {
    struct error error = {""};
    int status = arguments->command->run(paths, arguments, &error);
    if (status != EXIT_DONE && status != EXIT_DRIFT && error.text[0] != '\0') {
        void (*before)(int) = signal(SIGPIPE, SIG_IGN);
        command_fail(arguments->command->name, error.text);
        signal(SIGPIPE, before);
    }
    return status >= 0 ? status : EXIT_USAGE;
}

void command_also(const char *name, const struct paths *paths, const char *word) {
    const struct command *command = find_command(name);
    char text[PATH_MAX], *words[] = {text, NULL};
    snprintf(text, sizeof text, "%s", word);
    if (command)
        run_with(&(struct arguments){.command = command, .words = words, .count = 1}, paths);
    fflush(stdout);
}

int command_run(const struct command *command, const struct paths *paths, int argc, char **argv) {
    struct arguments arguments;
    struct error error;
    int status = arguments_parse(&arguments, command, argc, argv, &error);
    if (status == 0) {
        status = run_with(&arguments, paths);
    } else if (status > 0) {
        arguments_help(command, stdout);
        status = EXIT_DONE;
    } else {
        status = command_fail(command->name, error.text);
    }
    arguments_free(&arguments);
    return status;
}

static int run(int argc, char **argv) {
    struct paths paths;
    struct error error;
    if (process_setup_secure(&error) != 0) {
        fprintf(stderr, "assay: %s\n", error.text);
        return EXIT_USAGE;
    }
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_overview(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("assay " ASSAY_VERSION);
        return EXIT_DONE;
    }
    if (paths_find(&paths, &error) != 0) {
        fprintf(stderr, "assay: %s\n", error.text);
        return EXIT_USAGE;
    }
    likwid_prefer_prefix();
    const struct command *command = find_command(argv[1]);
    if (command)
        return command_run(command, &paths, argc - 1, argv + 1);
    error_set(&error, "%.200s: unknown command; see assay --help", argv[1]);
    fprintf(stderr, "assay: %s\n", error.text);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    return standard_finish(argc > 1 ? argv[1] : "", run(argc, argv));
}
