/* arguments.h - parses the arguments of all commands and prints their help.
 *
 * A command is described by a table of its words and options, with a line about each. The parser, `assay COMMAND
 * --help` and the overview of `assay --help` use this table. Values are texts; the command interprets them. (glibc's
 * argp is not used because it cannot report an error in one line of ours: it prints two of its own, or none.) */
#ifndef ASSAY_ARGUMENTS_H
#define ASSAY_ARGUMENTS_H

#include <stdio.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"

enum { ARGUMENTS_MAX = 20 };

/* An option. */
struct argument {
    const char *name;  /* "out" of --out */
    const char *value; /* its value's name in the help; NULL: no value; "FILE...": also takes the words after it */
    const char *about; /* text of the help; further lines are indented like the first */
};

struct arguments;

struct command {
    const char *name;
    const char *words;              /* name of the non-option words in the help, or "" */
    int least, most;                /* their number */
    int is_prefix;                  /* the words are another program's command: no options after the first */
    const char *missing;            /* the message if there are fewer than `least` */
    const char *about;              /* one line */
    const struct argument *options; /* ends with an entry without name; NULL: none */
    /* Returns an exit status, or -1; with -1, EXIT_USAGE and EXIT_INTERRUPTED the error has the reason, or is empty
     * if there is nothing to say. */
    int (*run)(const struct paths *paths, const struct arguments *arguments, struct error *error);
};

struct arguments {
    const struct command *command;
    const char *value[ARGUMENTS_MAX]; /* by index in the table; NULL: not given; the last one wins; UTF-8, except
                                         names of files and folders */
    char **words; /* in command-line order, NULL-terminated, including values of a "FILE..." option */
    int count;
    char **line; /* the whole command line, from the command's name on */
    int length;
};

/* Parses argv[1..] by the command's table. 0; 1: help is requested; -1 with the reason. Call arguments_free() in any
 * case. */
int arguments_parse(struct arguments *arguments, const struct command *command, int argc, char **argv,
                    struct error *error);
void arguments_free(struct arguments *arguments);

/* The value of an option by name; NULL: not given, or the command has no such option. */
const char *arguments_value(const struct arguments *arguments, const char *option);

/* Stores an option's value, a whole number from 1 to `most`, in `*value`, unchanged if not given. 0, or -1 with the
 * reason. */
int arguments_whole(const struct arguments *arguments, const char *option, int most, int *value, struct error *error);

/* The index of an option's value among the choices, which end with NULL; 0: not given. -1 with the reason, in which all
 * of them are named. */
int arguments_choice(const struct arguments *arguments, const char *option, const char *const choices[],
                     struct error *error);

/* Print the text of `assay COMMAND --help`, and the command's line of `assay --help`. */
void arguments_help(const struct command *command, FILE *out);
void arguments_overview(const struct command *command, FILE *out);

#endif
