/* arguments.c - parses command lines by tables. SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/utf8.h"

enum { LONG = 256 }; /* added to getopt_long()'s values: `optopt` then distinguishes -q from --quick */
enum { HELP = LONG + ARGUMENTS_MAX, WORD = 1 };
enum { TEXT_COLUMN = 23, WORDS_MOST = 60 };

/* Whether the option takes several words: "FILE..." does, "CODE,..." is one list. */
static int takes_words(const struct argument *option) {
    const char *dots = option->value != NULL ? strstr(option->value, "...") : NULL;
    return dots != NULL && dots > option->value && dots[-1] != ',';
}

/* Whether the value is a file or folder: these may contain any bytes, like words that are no options; other values must
 * be UTF-8. */
static int names_a_place(const struct argument *option) {
    static const char *const places[] = {"FILE", "FILE...", "FOLDER", "DIR", "PATH"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strcmp(option->value, places[i]) == 0)
            return 1;
    }
    return 0;
}

static int check_text(const struct argument *option, const char *text, struct error *error) {
    return text == NULL || names_a_place(option) || utf8_wrong_line(text) == 0
               ? 0
               : error_set(error, "--%s %.200s: not UTF-8; give it in UTF-8", option->name, text);
}

static void fill(struct option known[ARGUMENTS_MAX + 2], const struct argument *option) {
    int i = 0;
    for (; option != NULL && option->name != NULL; option++, i++)
        known[i] =
            (struct option){option->name, option->value != NULL ? required_argument : no_argument, NULL, LONG + i};
    known[i] = (struct option){"help", no_argument, NULL, HELP};
    known[i + 1] = (struct option){0};
}

/* Reports what getopt_long() refused: the word at argv[optind - 1], or the letter `optopt` of a word with several. */
static int refuse(const struct command *command, int found, char **argv, struct error *error) {
    if (found == ':')
        return error_set(error, "%s: a value is missing; see assay %s --help", argv[optind - 1], command->name);
    if (optopt != 0 && optopt < LONG)
        return error_set(error, "-%c: unknown option; see assay %s --help", isascii(optopt) ? optopt : '?',
                         command->name);
    return error_set(error, "%s: %s; see assay %s --help", argv[optind - 1],
                     optopt == 0 ? "unknown option" : "this option takes no value", command->name);
}

/* "assay show RECORD [--all] [--oracles]", or [OPTION...] if there are many. */
static void print_usage(const struct command *command, char *text, size_t room) {
    char options[WORDS_MOST + 1] = "";
    size_t length = 0;
    for (const struct argument *option = command->options; option != NULL && option->name != NULL; option++) {
        if (length < sizeof options)
            length += (size_t)snprintf(options + length, sizeof options - length, " [--%s%s%s]", option->name,
                                       option->value != NULL ? " " : "", option->value != NULL ? option->value : "");
    }
    const char *shown = length < sizeof options ? options : " [OPTION...]";
    snprintf(text, room, "assay %s%s%s%s%s", command->name, command->is_prefix ? shown : "",
             command->words[0] != '\0' ? " " : "", command->words, command->is_prefix ? "" : shown);
}

static int check_words(const struct arguments *arguments, struct error *error) {
    const struct command *command = arguments->command;
    char usage[256];
    print_usage(command, usage, sizeof usage);
    if (arguments->count < command->least)
        return error_set(error, "%s; usage: %s", command->missing, usage);
    if (arguments->count > command->most)
        return error_set(error, "%.200s: unexpected; usage: %s", arguments->words[command->most], usage);
    return 0;
}

/* Returns 0 to continue. A word belongs to the command, or is a value of the option before it. */
static int take(struct arguments *arguments, int found, int *last, char **argv, struct error *error) {
    const struct command *command = arguments->command;
    if (found == HELP)
        return 1;
    if (found == ':' || found == '?')
        return refuse(command, found, argv, error);
    if (found != WORD) {
        *last = found - LONG;
        arguments->value[*last] = optarg != NULL ? optarg : "";
        if (check_text(&command->options[*last], optarg, error) != 0)
            return -1;
    }
    if (found == WORD || takes_words(&command->options[*last]))
        arguments->words[arguments->count++] = optarg;
    return 0;
}

int arguments_parse(struct arguments *arguments, const struct command *command, int argc, char **argv,
                    struct error *error) {
    struct option known[ARGUMENTS_MAX + 2];
    int found, last = -1, status = 0;
    *arguments = (struct arguments){.command = command, .line = argv, .length = argc};
    arguments->words = calloc((size_t)argc + 1, sizeof *arguments->words);
    if (arguments->words == NULL)
        return error_set(error, "no memory for %d words; give fewer", argc);
    fill(known, command->options);
    opterr = 0;
    optind = 0; /* GNU: reset, also after parsing stopped inside a word */
    while (status == 0 && (found = getopt_long(argc, argv, command->is_prefix ? "+:" : "-:", known, NULL)) != -1)
        status = take(arguments, found, &last, argv, error);
    if (status != 0)
        return status;
    for (int i = optind; i < argc; i++)
        arguments->words[arguments->count++] = argv[i];
    return check_words(arguments, error);
}

void arguments_free(struct arguments *arguments) {
    free(arguments->words);
}

const char *arguments_value(const struct arguments *arguments, const char *option) {
    const struct argument *options = arguments->command->options;
    for (int i = 0; options != NULL && options[i].name != NULL; i++) {
        if (strcmp(options[i].name, option) == 0)
            return arguments->value[i];
    }
    return NULL;
}

int arguments_whole(const struct arguments *arguments, const char *option, int most, int *value, struct error *error) {
    const char *text = arguments_value(arguments, option);
    char *end;
    if (text == NULL)
        return 0;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < 1 || number > most)
        return error_set(error, "--%s %s: a whole number from 1 to %d is expected", option, text, most);
    *value = (int)number;
    return 0;
}

int arguments_choice(const struct arguments *arguments, const char *option, const char *const choices[],
                     struct error *error) {
    const char *text = arguments_value(arguments, option);
    char all[sizeof error->text] = "";
    size_t used = 0;
    for (int i = 0; choices[i] != NULL; i++) {
        if (text == NULL || strcmp(text, choices[i]) == 0)
            return i;
        if (used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    return error_set(error, "--%s %.60s: unknown; one of %s", option, text, all);
}

/* Prints `left` in the left column and `text` next to it, or below if `left` is too wide. */
static void print_row(const char *left, const char *text, FILE *out) {
    int length = fprintf(out, "  %s", left);
    if (length >= TEXT_COLUMN)
        length = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", TEXT_COLUMN - length, "");
    for (; *text != '\0'; text++) {
        fputc(*text, out);
        if (*text == '\n')
            fprintf(out, "%*s", TEXT_COLUMN, "");
    }
    fputc('\n', out);
}

void arguments_help(const struct command *command, FILE *out) {
    char text[256];
    print_usage(command, text, sizeof text);
    fprintf(out, "usage: %s\n\n%s\n\n", text, command->about);
    for (const struct argument *option = command->options; option != NULL && option->name != NULL; option++) {
        snprintf(text, sizeof text, "--%s%s%s", option->name, option->value != NULL ? " " : "",
                 option->value != NULL ? option->value : "");
        print_row(text, option->about, out);
    }
    print_row("--help", "this text", out);
}

void arguments_overview(const struct command *command, FILE *out) {
    char left[128];
    snprintf(left, sizeof left, "%s%s%s", command->name, command->words[0] != '\0' ? " " : "", command->words);
    print_row(left, command->about, out);
}
