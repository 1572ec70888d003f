/* cmd_sampling.c - `assay sampling`: counts estimated from samples, next to the true ones.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampling.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/process_setup.h"
#include "validate/record/record.h"
#include "validate/run/options.h"
#include "validate/run/program.h"

enum { SKID_MAX = 1000 };

static const struct argument options[] = {
    OPTION_NODE,
    {"periods", "P,...", "a sample each P events; powers of ten and the primes below them by default"},
    {"skid", "N", "on a virtual node: a sample is of the Nth instruction behind its overflow"},
    {"out", "FILE", "what was found, as JSON; assay report draws it"},
    OPTION_TIMEOUT,
    OPTION_FAULT,
    {0},
};

/* "97,100" -> periods in this order. */
static int read_periods(const char *text, json_t **periods, struct error *error) {
    const char *at = text;
    if (text == NULL)
        return 0;
    *periods = json_array();
    for (;;) {
        char *end;
        errno = 0;
        long long period = strtoll(at, &end, 10);
        if (errno != 0 || end == at || (*end != ',' && *end != '\0') || period < 1 || period > UINT32_MAX)
            return error_set(error, "--periods %.200s: whole numbers from 1 to %u, separated by commas", text,
                             UINT32_MAX);
        json_array_append_new(*periods, json_integer(period));
        if (*end == '\0')
            return 0;
        at = end + 1;
    }
}

/* Words behind the first "--" are the program's command line, the others events. */
static int split_words(struct sampling *sampling, const struct arguments *arguments, struct error *error) {
    int at = 1;
    while (at < arguments->length && strcmp(arguments->line[at], "--") != 0)
        at++;
    int behind = at < arguments->length ? arguments->length - 1 - at : 0;
    if (at + 1 == arguments->length)
        return error_set(error, "--: no program behind it; usage: assay sampling [EVENT...] -- PROGRAM...");
    sampling->d.v.options.pattern_count = arguments->count - behind;
    sampling->program = behind > 0 ? arguments->words + arguments->count - behind : NULL;
    return 0;
}

static int read_options(struct sampling *sampling, const struct arguments *arguments, struct error *error) {
    return options_read(&sampling->d.v.options, arguments, error) != 0 ||
                   split_words(sampling, arguments, error) != 0 ||
                   (sampling->program != NULL && program_check(sampling->program[0], error) != 0) ||
                   read_periods(arguments_value(arguments, "periods"), &sampling->periods, error) != 0 ||
                   arguments_whole(arguments, "skid", SKID_MAX, &sampling->skid, error) != 0
               ? -1
               : 0;
}

static int print(const struct sampling *sampling, struct error *error) {
    return print_rendered(sampling->d.v.script, "report:sampling", json_pack("{s:O}", "found", sampling->found), error);
}

static int tell(struct sampling *sampling, struct error *error) {
    const char *out = sampling->d.v.options.out;
    if (sampling_write(sampling, error) != 0 || print(sampling, error) != 0)
        return EXIT_USAGE;
    if (out != NULL)
        print_file("findings:", out);
    if (sampling->failed > 0) {
        error_set(error, "%s ended with a status other than 0",
                  sampling->program != NULL ? sampling->program[0] : "the program");
        command_fail("sampling", error->text);
    }
    return sampling->failed > 0 || json_is_true(json_object_get(sampling->found, "disagrees")) ? EXIT_DRIFT : EXIT_DONE;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct sampling sampling = {.d.v = {.paths = paths, .work.lock = -1}};
    process_setup_forget_variables();
    int status = read_options(&sampling, arguments, error);
    if (status == 0 &&
        (record_check_target(sampling.d.v.options.out, error) != 0 || sampling_prepare(&sampling, error) != 0))
        status = -1;
    if (status == 0) {
        validation_announce(&sampling.d.v);
        status = sampling_measure(&sampling, error);
        if (status == EXIT_DONE)
            status = tell(&sampling, error);
    }
    sampling_release(&sampling);
    return status;
}

const struct command command_sampling = {
    .name = "sampling",
    .words = "[EVENT...] [-- PROGRAM...]",
    .most = INT_MAX,
    .about = "counts estimated from samples, by function and in all, next to the true ones",
    .options = options,
    .run = run,
};
