/* commands.h - the commands of `assay`: each takes its own argv (argv[0] is its name) and returns an exit status. */
#ifndef ASSAY_COMMANDS_H
#define ASSAY_COMMANDS_H

#include "paths.h"

int command_calibrate(const struct paths *paths, int argc, char **argv);
int command_diff(const struct paths *paths, int argc, char **argv);
int command_doctor(const struct paths *paths, int argc, char **argv);
int command_groups(const struct paths *paths, int argc, char **argv);
int command_history(const struct paths *paths, int argc, char **argv);
int command_list(const struct paths *paths, int argc, char **argv);
int command_report(const struct paths *paths, int argc, char **argv);
int command_show(const struct paths *paths, int argc, char **argv);
int command_tables(const struct paths *paths, int argc, char **argv);
int command_validate(const struct paths *paths, int argc, char **argv);
int command_vnode(const struct paths *paths, int argc, char **argv);

/* Prints "assay COMMAND: TEXT" to stderr and returns EXIT_USAGE. */
int command_fail(const char *command, const char *text);

/* Prints the record's table to stdout. `all`: every metric. */
int command_print_table(const struct paths *paths, const char *record_file, int all);

#endif
