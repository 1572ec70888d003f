/* arguments.h - the one way in which all commands take their arguments, and in which their help is told.
 *
 * A command is a table: what words and options it takes, and a line about each. From it follow how the command line is
 * read, `assay COMMAND --help` and the overview of `assay --help`. Values are texts here; what they mean is the
 * command's own matter. (glibc's argp cannot say in one line of ours what is wrong: it prints two of its own, or none.)
 */
#ifndef ASSAY_ARGUMENTS_H
#define ASSAY_ARGUMENTS_H

#include <stdio.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"

enum { ARGUMENTS_MAX = 16 };

/* An option. */
struct argument {
    const char *name; /* "out" of --out */
    const char
        *value; /* how the help calls its value; NULL: it takes none; "FILE...": words behind it are values, too */
    const char *about; /* the help's line; what stands behind a newline is indented alike */
};

struct arguments;

struct command {
    const char *name;
    const char *words;              /* how the help calls the words that are no options, or "" */
    int least, most;                /* how many of them */
    int is_prefix;                  /* the words are another program's command: options end at the first */
    const char *missing;            /* the message if there are fewer than `least` */
    const char *about;              /* one line */
    const struct argument *options; /* until one without a name; NULL: none */
    int (*run)(const struct paths *paths, const struct arguments *arguments);
};

struct arguments {
    const struct command *command;
    const char *value[ARGUMENTS_MAX]; /* by place in the table; NULL: not given; the last one counts; UTF-8, but for
                                         names of files and folders */
    char **words; /* in the order of the command line, NULL at the end; values of an option "FILE..." among them */
    int count;
    char **line; /* all of the command line, from the command's name on */
    int length;
};

/* Reads argv[1..] as the command's table says. 0; 1: help is asked for; -1 and the reason. arguments_free() in any
 * case. */
int arguments_parse(struct arguments *arguments, const struct command *command, int argc, char **argv,
                    struct error *error);
void arguments_free(struct arguments *arguments);

/* The value of an option by its name; NULL: it is not given, or the command has none of that name. */
const char *arguments_value(const struct arguments *arguments, const char *option);

/* The same as a whole number from 1 to `most`; without one `*value` stays. 0, or -1 and the reason. */
int arguments_whole(const struct arguments *arguments, const char *option, int most, int *value, struct error *error);

/* What `assay COMMAND --help` prints, and the command's line of the overview. */
void arguments_help(const struct command *command, FILE *out);
void arguments_overview(const struct command *command, FILE *out);

#endif
