/* cmd_history.c - `assay history [DIR]`: nodes over time. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/record/evidence.h"
#include "validate/record/record.h"

/* All records DIR/ARCH/NODE/DATE.json: [ { file, record } ]. */
static json_t *read_records(const char *folder, struct error *error) {
    char file[PATH_MAX];
    char **names = text_match(folder, "*/*/" RECORD_FILES, error);
    if (names == NULL) {
        error_set(error, "%s: holds no records; keep them as %s/ARCH/NODE/DATE.json", folder, folder);
        return NULL;
    }
    json_t *records = json_array();
    int status = 0;
    for (char **name = names; status == 0 && *name != NULL; name++)
        status = paths_join(file, folder, *name, error) == 0 ? evidence_add(records, file, file, error) : -1;
    text_free_names(names);
    if (status == 0)
        return records;
    json_decref(records);
    return NULL;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    json_t *records = read_records(arguments->count > 0 ? arguments->words[0] : "results", error);
    if (records == NULL)
        return -1;
    json_t *found = script_call_once(paths->data, "report:history", json_pack("{s:o}", "records", records), error);
    if (found == NULL)
        return -1;
    fputs(json_word(found, "text"), stdout);
    json_decref(found);
    return EXIT_DONE;
}

const struct command command_history = {
    .name = "history",
    .words = "[DIR]",
    .most = 1,
    .about = "how nodes drift: records DIR/ARCH/NODE/DATE.json, by default below results",
    .run = run,
};
