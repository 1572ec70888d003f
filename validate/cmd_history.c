/* cmd_history.c - `assay history [DIR]`: nodes over time. SPDX-License-Identifier: GPL-3.0-or-later */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "plain_json.h"
#include "record.h"
#include "script.h"

/* All records DIR/ARCH/NODE/DATE.json: [ { file, record } ]. */
static json_t *read_records(const char *folder, struct error *error) {
    char pattern[PATH_MAX];
    glob_t found;
    if (paths_join(pattern, folder, "*/*/*.json", error) != 0)
        return NULL;
    if (glob(pattern, 0, NULL, &found) != 0) {
        error_set(error, "%s: holds no records; keep them as %s/ARCH/NODE/DATE.json", folder, folder);
        return NULL;
    }
    json_t *records = json_array();
    for (size_t i = 0; i < found.gl_pathc; i++) {
        json_t *record = record_read(found.gl_pathv[i], error);
        if (record == NULL) {
            json_decref(records);
            records = NULL;
            break;
        }
        json_array_append_new(records,
                              json_pack("{s:o, s:o}", "file", plain_name(found.gl_pathv[i]), "record", record));
    }
    globfree(&found);
    return records;
}

int command_history(const struct paths *paths, int argc, char **argv) {
    struct error error;
    if (argc > 2 || (argc == 2 && argv[1][0] == '-'))
        return command_fail("history", "usage: assay history [DIR]");
    json_t *records = read_records(argc == 2 ? argv[1] : "results", &error);
    if (records == NULL)
        return command_fail("history", error.text);
    struct script *script = script_open(paths->data, &error);
    json_t *argument = json_pack("{s:o}", "records", records);
    json_t *found = script != NULL ? script_call(script, "history", "render", argument, &error) : NULL;
    json_decref(argument);
    script_close(script);
    if (found == NULL)
        return command_fail("history", error.text);
    fputs(json_string_value(json_object_get(found, "text")), stdout);
    json_decref(found);
    return EXIT_DONE;
}
