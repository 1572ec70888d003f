/* options.c - the command line of `assay validate`, one argument a line. A refusal names an argument.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/run/options.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

const char fuzz_name[] = "options";
const unsigned fuzz_inputs = 60000;

enum { GIVEN_MAX = 64 };

static int names_argument(const char *message, char *const *arguments, int count) {
    for (int i = 1; i < count; i++) {
        struct error shown; /* the argument in the form used by messages */
        error_set(&shown, "%s", arguments[i]);
        const char *argument = shown.text;
        size_t length = strcspn(argument, "=");
        if (length > 0 && strncmp(message, argument, length) == 0)
            return 1;
        char letter = (char)(isascii(arguments[i][1]) ? argument[1] : '?'); /* not a byte of a multi-byte character */
        if (argument[0] == '-' && argument[1] != '\0' && strncmp(message, (char[]){'-', letter, ':', 0}, 3) == 0)
            return 1; /* the first of several letters */
        if (strncmp(argument, "--", 2) == 0 && length > 2 && strncmp(message, argument, 3) == 0)
            return 1; /* messages write an abbreviation in full */
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size), *rest = text, *line;
    char *arguments[GIVEN_MAX + 2] = {(char *)"validate"};
    int count = 1;
    static const struct command command = {
        .name = "validate", .words = "[PATTERN...]", .most = GIVEN_MAX, .options = options_table};
    struct arguments read;
    struct options options;
    struct error error = {""};
    while (count <= GIVEN_MAX && (line = strsep(&rest, "\n")) != NULL)
        arguments[count++] = line;
    int status = arguments_parse(&read, &command, count, arguments, &error);
    if (status == 0)
        status = options_read(&options, &read, &error);
    if (status > 0) {
        fuzz_accept(); /* --help */
    } else if (status < 0) {
        fuzz_check_names(error.text, "");
        FUZZ_CHECK(names_argument(error.text, arguments, count), "which argument? %s", error.text);
    } else {
        FUZZ_CHECK(options.reps >= 0 && options.jobs >= 0, "%d repetitions, %d jobs", options.reps, options.jobs);
        FUZZ_CHECK(isfinite(options.timeout) && options.timeout > 0, "%g seconds", options.timeout);
        FUZZ_CHECK(options.node, "no node");
        FUZZ_CHECK(options.pattern_count >= 0 && options.pattern_count < count, "%d patterns", options.pattern_count);
        FUZZ_CHECK(options.patterns[options.pattern_count] == NULL, "no end of %d patterns", options.pattern_count);
        fuzz_accept();
    }
    arguments_free(&read);
    free(text);
    return 0;
}
