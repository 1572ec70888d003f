/* options.c - the command line of `assay validate`: one argument a line. A refusal names an argument.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/options.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

const char fuzz_name[] = "options";
const unsigned fuzz_inputs = 60000;

enum { ARGUMENTS_MAX = 64 };

static int names_argument(const char *message, char *const *arguments, int count) {
    for (int i = 1; i < count; i++) {
        struct error shown; /* the argument as messages show it */
        error_set(&shown, "%s", arguments[i]);
        const char *argument = shown.text;
        size_t length = strcspn(argument, "=");
        if (length > 0 && strncmp(message, argument, length) == 0)
            return 1;
        char letter = (char)(isascii(arguments[i][1]) ? argument[1] : '?'); /* a byte of a longer one is none */
        if (argument[0] == '-' && argument[1] != '\0' && strncmp(message, (char[]){'-', letter, ':', 0}, 3) == 0)
            return 1; /* the first of several letters */
        if (strncmp(argument, "--", 2) == 0 && length > 2 && strncmp(message, argument, 3) == 0)
            return 1; /* an abbreviation is written out */
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size), *rest = text, *line;
    char *arguments[ARGUMENTS_MAX + 2] = {(char *)"validate"}, *given[ARGUMENTS_MAX + 2];
    int count = 1;
    struct options options;
    struct error error = {""};
    while (count <= ARGUMENTS_MAX && (line = strsep(&rest, "\n")) != NULL)
        arguments[count++] = line;
    memcpy(given, arguments, sizeof given); /* getopt_long() puts them in another order */
    if (options_parse(&options, count, arguments, &error) != 0) {
        fuzz_check_names(error.text, "");
        FUZZ_CHECK(names_argument(error.text, given, count), "which argument? %s", error.text);
    } else {
        FUZZ_CHECK(options.reps >= 0 && options.jobs >= 0, "%d repetitions, %d jobs", options.reps, options.jobs);
        FUZZ_CHECK(isfinite(options.timeout) && options.timeout > 0, "%g seconds", options.timeout);
        FUZZ_CHECK(options.node, "no node");
        FUZZ_CHECK(options.pattern_count >= 0 && options.patterns + options.pattern_count == arguments + count,
                   "%d patterns", options.pattern_count);
        fuzz_accept();
    }
    free(text);
    return 0;
}
