/* cmd_show.c - `assay show RECORD`: the table again. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "record.h"
#include "script.h"
#include "terminal.h"

/* Prints what the Lua function module.render makes of a record. */
static int print_record(const struct paths *paths, const char *record_file, const char *module, int all) {
    struct error error;
    json_t *record = record_read(record_file, &error);
    if (record == NULL)
        return command_fail("show", error.text);
    struct script *script = script_open(paths->data, &error);
    json_t *argument = json_pack("{s:o, s:i, s:b, s:b}", "record", record, "width", TERMINAL_WIDTH, "all", all,
                                 "colour", terminal_wants_colour());
    json_t *table = script != NULL ? script_call(script, module, "render", argument, &error) : NULL;
    json_decref(argument);
    script_close(script);
    if (table == NULL)
        return command_fail("show", error.text);
    fputs(json_string_value(json_object_get(table, "text")), stdout);
    json_decref(table);
    return EXIT_DONE;
}

int command_print_table(const struct paths *paths, const char *record_file, int all) {
    return print_record(paths, record_file, "report", all);
}

int command_show(const struct paths *paths, int argc, char **argv) {
    static const char usage[] = "usage: assay show RECORD [--all|--oracles]";
    const char *file = NULL, *module = "report";
    int all = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--all") == 0)
            all = 1;
        else if (strcmp(argv[i], "--oracles") == 0)
            module = "oracles";
        else if (argv[i][0] == '-' || file != NULL)
            return command_fail("show", usage);
        else
            file = argv[i];
    }
    if (file == NULL)
        return command_fail("show", "no record named; usage: assay show RECORD [--all|--oracles]");
    return print_record(paths, file, module, all);
}
