/* cmd_lint.c - `assay lint`: checks group files and event tables without counting anything.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sources.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/command/version.h"
#include "validate/host/plain_json.h"

enum { FORMAT, LIKWID_SOURCE, PERFMON, FIX, RULES };

/* Formats, and the doors that make them; no door: the findings as they are. */
static const char *const formats[] = {"text", "json", "sarif", "github", "junit", NULL};
static const char *const doors[] = {"report:lint", NULL, "report:lint_sarif", "report:lint_github",
                                    "report:lint_junit"};

/* Findings of the event tables in `input`, or of its other files. */
static json_t *find_part(struct script *script, const json_t *input, int is_tables, struct error *error) {
    json_t *part = json_copy((json_t *)input), *files = json_array(), *file;
    size_t i;
    json_array_foreach(json_object_get(input, "files"), i, file) {
        if ((strcmp(json_word(file, "kind"), "table") == 0) == is_tables)
            json_array_append(files, file);
    }
    json_object_set_new(part, "files", files);
    return script_call(script, "lint:findings", part, error);
}

/* Findings of a whole tree. Event tables take as long as groups, so a second process checks them at the same time.
 * Their findings come last: src/ is behind groups/. */
static json_t *find_in_tree(struct script *script, json_t *input, struct error *error) {
    FILE *kept = tmpfile();
    int status = -1;
    pid_t child = kept != NULL ? fork() : -1;
    if (child == 0) {
        json_t *tables = find_part(script, input, 1, error);
        _exit(tables == NULL || json_dumpf(tables, kept, JSON_COMPACT) != 0 || fflush(kept) != 0);
    }
    json_t *findings = find_part(script, input, 0, error);
    int is_kept = child > 0 && waitpid(child, &status, 0) == child && status == 0 && fseek(kept, 0, SEEK_SET) == 0;
    json_t *tables = findings != NULL && is_kept ? json_loadf(kept, 0, NULL) : NULL;
    if (findings != NULL && tables == NULL) /* or with the reason */
        tables = find_part(script, input, 1, error);
    if (kept != NULL)
        fclose(kept);
    int failed = tables == NULL || json_array_extend(findings, tables) != 0;
    json_decref(tables);
    json_decref(input);
    if (!failed)
        return findings;
    json_decref(findings);
    return NULL;
}

static void print_unlisted(const json_t *unlisted) {
    json_t *arch;
    size_t i;
    json_array_foreach(unlisted, i, arch) {
        fprintf(stderr, "%s%s",
                i > 0 ? ", " : "assay lint: not compared with LIKWID's event tables (--likwid-source DIR has them): ",
                json_string_value(arch));
    }
    if (json_array_size(unlisted) > 0)
        fputc('\n', stderr);
}

/* The result of a door "lint:..". */
static json_t *find(const struct paths *paths, struct script *script, const struct arguments *arguments,
                    const char *door, struct error *error) {
    char folder[PATH_MAX];
    const char *tree = arguments->value[LIKWID_SOURCE] != NULL ? folder : NULL;
    if (tree != NULL && sources_folder(folder, arguments->value[LIKWID_SOURCE], error) != 0)
        return NULL;
    json_t *files = sources_files(paths, arguments->words, arguments->count, tree, error), *unlisted = json_array();
    json_t *input =
        files != NULL ? sources_input(paths, script, files, tree, arguments->value[PERFMON], unlisted, error) : NULL;
    int is_tree = tree != NULL && arguments->count == 0 && strcmp(door, "lint:findings") == 0;
    print_unlisted(unlisted);
    json_decref(unlisted);
    json_decref(files);
    return input == NULL ? NULL
           : is_tree     ? find_in_tree(script, input, error)
                         : script_call(script, door, input, error);
}

static int print_findings(json_t *findings, struct error *error) {
    json_t *whole = json_pack("{s:i, s:s, s:O}", "schema", 1, "assay", ASSAY_VERSION, "findings", findings);
    int status = print_value(whole, error);
    json_decref(whole);
    return status;
}

static int print_fixes(const struct paths *paths, const struct arguments *arguments, struct script *script,
                       struct error *error) {
    json_t *patch = find(paths, script, arguments, "lint:fix", error);
    if (patch == NULL)
        return -1;
    int mended = (int)json_integer_value(json_object_get(patch, "mended"));
    fputs(json_word(patch, "text"), stdout);
    fprintf(stderr, "assay lint: %d lines mended, of %d findings\n", mended,
            (int)json_integer_value(json_object_get(patch, "findings")));
    json_decref(patch);
    return mended > 0;
}

/* 1 if there are findings, with --fix if there are mended lines; -1 with the reason. */
static int lint(const struct paths *paths, const struct arguments *arguments, struct script *script,
                struct error *error) {
    if (arguments->value[RULES] != NULL)
        return print_rendered(script, "report:lint_rules", json_object(), error);
    if (arguments->value[PERFMON] != NULL && arguments->value[LIKWID_SOURCE] == NULL)
        return error_set(error, "--perfmon: needs --likwid-source, which tells the processor of an architecture");
    int format = arguments_choice(arguments, "format", formats, error);
    if (arguments->value[FIX] != NULL && arguments->value[FORMAT] != NULL)
        return error_set(error, "--fix: prints a patch; leave out --format");
    if (arguments->value[FIX] != NULL)
        return print_fixes(paths, arguments, script, error);
    json_t *findings = format >= 0 ? find(paths, script, arguments, "lint:findings", error) : NULL;
    if (findings == NULL)
        return -1;
    int status =
        doors[format] == NULL
            ? print_findings(findings, error)
            : print_rendered(script, doors[format],
                             json_pack("{s:O, s:s}", "findings", findings, "program", "assay " ASSAY_VERSION), error);
    if (status == 0)
        status = json_array_size(findings) > 0;
    json_decref(findings);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct script *script = script_open(paths->data, error);
    int status = script != NULL ? lint(paths, arguments, script, error) : -1;
    script_close(script);
    return status > 0 ? EXIT_DRIFT : status;
}

static const struct argument options[] = {
    [FORMAT] = {"format", "FORMAT", "text, json, sarif, github or junit (text)"},
    [LIKWID_SOURCE] = {"likwid-source", "DIR",
                       "compare with the event tables of LIKWID's sources; without words: lint them"},
    [PERFMON] = {"perfmon", "DIR", "compare with the lists of a clone of github intel/perfmon"},
    [FIX] = {"fix", NULL, "print a patch for what a rule can mend"},
    [RULES] = {"rules", NULL, "list the rules"},
    {0},
};

const struct command command_lint = {
    .name = "lint",
    .words = "[FILE|FOLDER|ARCH...]",
    .most = INT_MAX,
    .about = "static checks of group files, event tables, and PAPI's, perf's and ClusterCockpit's metrics",
    .options = options,
    .run = run,
};
