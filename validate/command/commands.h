/* commands.h - the commands of `assay`: each returns an exit status. */
#ifndef ASSAY_COMMANDS_H
#define ASSAY_COMMANDS_H

#include "arguments.h"

extern const struct command command_analyse, command_bundle, command_calibrate, command_compact, command_compare,
    command_configuration, command_diagnose, command_diff, command_discover, command_doctor, command_events,
    command_fleet, command_groups, command_historical, command_history, command_laws, command_lint, command_list,
    command_mean, command_merge, command_report, command_sampling, command_show, command_signatures, command_subtract,
    command_tables, command_validate, command_vnode, command_why;

/* Prints "assay COMMAND: TEXT" to stderr and returns EXIT_USAGE. */
int command_fail(const char *command, const char *text);

/* Parses the arguments argv[1..] of a command, and runs it or prints its help. Prints the reason if it fails; returns
 * the exit status. */
int command_run(const struct command *command, const struct paths *paths, int argc, char **argv);

/* Runs another command of the program with one word, as far as the program has it. */
void command_also(const char *name, const struct paths *paths, const char *word);

/* Prints the record's table to stdout. `all`: with every metric. 0, or -1 with the reason. */
int command_print_table(const struct paths *paths, const char *record_file, int all, struct error *error);

#endif
