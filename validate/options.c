/* options.c - options of `assay validate`. SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPS_MAX = 10000, JOBS_MAX = 1024 };

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
    static const struct option known[] = {{"node", required_argument, NULL, 'n'},
                                          {"out", required_argument, NULL, 'o'},
                                          {"reps", required_argument, NULL, 'r'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"timeout", required_argument, NULL, 't'},
                                          {"quick", no_argument, NULL, 'q'},
                                          {"calibrate", no_argument, NULL, 'C'},
                                          {"all", no_argument, NULL, 'a'},
                                          {"fault", required_argument, NULL, 'f'},
                                          {"only", required_argument, NULL, 'c'},
                                          {"level", required_argument, NULL, 'l'},
                                          {"placement", required_argument, NULL, 'p'},
                                          {NULL, 0, NULL, 0}};
    *options = (struct options){.node = "auto", .timeout = 600, .words = argv, .word_count = argc};
    opterr = 0;
    optind = 1;
    int option;
    while ((option = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        if (option == ':')
            return error_set(error, "%s: a value is missing; see assay --help", argv[optind - 1]);
        if (option == '?')
            return error_set(error, "%s: unknown option; see assay --help", argv[optind - 1]);
        if (take(options, option, error) != 0)
            return -1;
    }
    options->patterns = argv + optind;
    options->pattern_count = argc - optind;
    return 0;
}
