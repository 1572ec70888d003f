/* options.c - options of `assay validate`. SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPS_MAX = 10000, JOBS_MAX = 1024 };
enum { LONG = 256 }; /* added to what getopt_long() returns: `optopt` then tells -q from --quick */

static int positive(const char *option, const char *text, int most, int *value, struct error *error) {
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < 1 || number > most)
        return error_set(error, "%s %s: a whole number from 1 to %d is expected", option, text, most);
    *value = (int)number;
    return 0;
}

static int take(struct options *options, int option, struct error *error) {
    char *end;
    switch (option) {
    case 'n':
        options->node = optarg;
        return 0;
    case 'o':
        options->out = optarg;
        return 0;
    case 'f':
        options->fault = optarg;
        return 0;
    case 'c':
        options->only = optarg;
        return 0;
    case 'l':
        options->level = optarg;
        return 0;
    case 'p':
        options->placement = optarg;
        return 0;
    case 'r':
        return positive("--reps", optarg, REPS_MAX, &options->reps, error);
    case 'j':
        return positive("--jobs", optarg, JOBS_MAX, &options->jobs, error);
    case 't':
        options->timeout = strtod(optarg, &end);
        if (end == optarg || *end != '\0' || !(options->timeout > 0) || !isfinite(options->timeout))
            return error_set(error, "--timeout %s: a number of seconds above 0 is expected", optarg);
        return 0;
    case 'q':
        options->quick = 1;
        return 0;
    case 'C':
        options->calibrate = 1;
        return 0;
    case 'a':
        options->all = 1;
        return 0;
    default:
        return -1;
    }
}

int options_parse(struct options *options, int argc, char **argv, struct error *error) {
    static const struct option known[] = {{"node", required_argument, NULL, LONG + 'n'},
                                          {"out", required_argument, NULL, LONG + 'o'},
                                          {"reps", required_argument, NULL, LONG + 'r'},
                                          {"jobs", required_argument, NULL, LONG + 'j'},
                                          {"timeout", required_argument, NULL, LONG + 't'},
                                          {"quick", no_argument, NULL, LONG + 'q'},
                                          {"calibrate", no_argument, NULL, LONG + 'C'},
                                          {"all", no_argument, NULL, LONG + 'a'},
                                          {"fault", required_argument, NULL, LONG + 'f'},
                                          {"only", required_argument, NULL, LONG + 'c'},
                                          {"level", required_argument, NULL, LONG + 'l'},
                                          {"placement", required_argument, NULL, LONG + 'p'},
                                          {NULL, 0, NULL, 0}};
    *options = (struct options){.node = "auto", .timeout = 600, .words = argv, .word_count = argc};
    opterr = 0;
    optind = 0; /* GNU's: forget the command line before, also one that was left in the middle of a word */
    int option;
    while ((option = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        if (option == ':')
            return error_set(error, "%s: a value is missing; see assay --help", argv[optind - 1]);
        if (option == '?' && optopt != 0 && optopt < LONG) /* its word may go on: argv[optind - 1] can be another */
            return error_set(error, "-%c: unknown option; see assay --help", isascii(optopt) ? optopt : '?');
        if (option == '?')
            return error_set(error, "%s: %s; see assay --help", argv[optind - 1],
                             optopt == 0 ? "unknown option" : "this option takes no value");
        if (take(options, option - LONG, error) != 0)
            return -1;
    }
    options->patterns = argv + optind;
    options->pattern_count = argc - optind;
    return 0;
}
