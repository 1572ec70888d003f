/* cmd_diff.c - `assay diff OLD NEW`: what changed. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "commands.h"
#include "plain_json.h"
#include "record.h"
#include "script.h"
#include "terminal.h"

static const char usage[] = "usage: assay diff OLD NEW";

static json_t *compare(const struct paths *paths, const char *old_file, const char *new_file, struct error *error) {
    json_t *old = record_read(old_file, error);
    json_t *new = old != NULL ? record_read(new_file, error) : NULL;
    if (new == NULL) {
        json_decref(old);
        return NULL;
    }
    json_t *argument =
        json_pack("{s:o, s:o, s:o, s:o, s:i, s:b}", "old", old, "new", new, "old_file", plain_name(old_file),
                  "new_file", plain_name(new_file), "width", TERMINAL_WIDTH, "colour", terminal_wants_colour());
    struct script *script = script_open(paths->data, error);
    json_t *found = script != NULL ? script_call(script, "diff", "render", argument, error) : NULL;
    json_decref(argument);
    script_close(script);
    return found;
}

int command_diff(const struct paths *paths, int argc, char **argv) {
    struct error error;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            return command_fail("diff", usage);
    }
    if (argc != 3)
        return command_fail("diff", usage);
    json_t *found = compare(paths, argv[1], argv[2], &error);
    if (found == NULL)
        return command_fail("diff", error.text);
    fputs(json_string_value(json_object_get(found, "text")), stdout);
    int is_worse = json_integer_value(json_object_get(found, "worse")) > 0;
    json_decref(found);
    return is_worse ? EXIT_DRIFT : EXIT_DONE;
}
