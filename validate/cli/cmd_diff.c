/* cmd_diff.c - `assay diff OLD NEW`: changes between records. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

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
    return script_call_once(paths->data, "report:diff", argument, error);
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    json_t *found = compare(paths, arguments->words[0], arguments->words[1], error);
    if (found == NULL)
        return -1;
    fputs(json_word(found, "text"), stdout);
    int is_worse = json_integer_value(json_object_get(found, "worse")) > 0;
    json_decref(found);
    return is_worse ? EXIT_DRIFT : EXIT_DONE;
}

const struct command command_diff = {
    .name = "diff",
    .words = "OLD NEW",
    .least = 2,
    .most = 2,
    .missing = "two records are compared",
    .about = "what changed from one record to another; 1 if something got worse",
    .run = run,
};
