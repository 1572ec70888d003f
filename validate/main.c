/* main.c - the program `assay`: finds its parts and hands over to a command. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "likwid.h"
#include "standard.h"
#include "surroundings.h"
#include "version.h"

static const char usage[] =
    "usage: assay COMMAND [ARGUMENTS]\n"
    "\n"
    "  validate [PATTERN...] [--node auto|native|virtual[:NAME]] [--reps N] [--quick] [--out FILE]\n"
    "           [--only CODE,...] [--level LEVEL,...] [--placement PLACE,...] [--fault FILE]\n"
    "           [--all] [--jobs N] [--timeout SECONDS]\n"
    "                       measure, compare with the models, print the table\n"
    "  calibrate [OPTIONS]  the cost of measuring in each event; options of validate\n"
    "  show RECORD [--all|--oracles]\n"
    "                       the table of a record again, or reported, predicted, counted, simulated\n"
    "  report RECORD --html FILE\n"
    "                       the record as one self-contained page\n"
    "  tables RECORD... [--out DIR]\n"
    "                       pages and plots for a wiki, of several nodes and architectures\n"
    "  diff OLD NEW         what changed from one record to another\n"
    "  history [DIR]        how nodes drift: DIR/ARCH/NODE/DATE.json, by default results\n"
    "  groups [--arch ARCH] [--format likwid|json|csv] [--verdict VERDICT,...] [--record FILE...] [--install DIR]\n"
    "                       the groups that a tool may rely on, with their error bounds\n"
    "  list [patterns|kernels|groups|archs|nodes]\n"
    "  doctor [--node NODE] can this machine be validated, and what stands in the way\n"
    "  vnode [--node NAME] [--fault FILE] [--] COMMAND...\n"
    "                       any LIKWID command line on the virtual node\n"
    "\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done; 1 done, but a run failed or a metric got worse; 2 usage, bad input, or not possible on this "
    "node; 130 "
    "interrupted.\n";

static const struct {
    const char *name;
    int (*run)(const struct paths *, int, char **);
} commands[] = {
    {"validate", command_validate}, {"calibrate", command_calibrate}, {"show", command_show},
    {"list", command_list},         {"doctor", command_doctor},       {"vnode", command_vnode},
    {"groups", command_groups},     {"report", command_report},       {"tables", command_tables},
    {"diff", command_diff},         {"history", command_history},
};

int command_fail(const char *command, const char *text) {
    struct error error;
    error_set(&error, "%s", text); /* which makes it plain */
    fprintf(stderr, "assay %s: %s\n", command, error.text);
    return EXIT_USAGE;
}

static int run(int argc, char **argv) {
    struct paths paths;
    struct error error;
    if (surroundings_secure(&error) != 0) {
        fprintf(stderr, "assay: %s\n", error.text);
        return EXIT_USAGE;
    }
    if (argc < 2) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        fputs(usage, stdout);
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
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(&paths, argc - 1, argv + 1);
    }
    error_set(&error, "%.200s: unknown command; see assay --help", argv[1]);
    fprintf(stderr, "assay: %s\n", error.text);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    return standard_finish(argc > 1 ? argv[1] : "", run(argc, argv));
}
