/* likwid.c - queries the installed LIKWID. SPDX-License-Identifier: GPL-3.0-or-later */
#include "likwid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/ask.h"
#include "validate/host/search.h"
#include "validate/likwid/remembered.h"

enum { PATIENCE = 20 /* seconds for a query */ };
enum { STATUS_LATE = 124, BY_SIGNAL = 128 }; /* process.h */

void likwid_prefer_prefix(void) {
    const char *prefix = getenv("LIKWID_PREFIX"), *path = getenv("PATH");
    if (prefix == NULL || prefix[0] == '\0')
        return;
    char *joined = NULL;
    if (asprintf(&joined, "%s/bin:%s/sbin:%s", prefix, prefix, path != NULL ? path : "/usr/bin:/bin") < 0)
        return;
    setenv("PATH", joined, 1);
    free(joined);
}

/* Runs a LIKWID program, below `setters` words that set its environment. Returns its stdout, freed by the caller, or
 * NULL. */
static char *answer(char *const argv[], int setters, struct error *error) {
    char *const *shown = argv + setters;
    int status = 0;
    struct error why;
    char *text = ask(argv, PATIENCE, &status, &why);
    if (text != NULL && text[0] != '\0')
        return text;
    error_set(error, "%s %s: no answer (status %d)%s%.600s; %s", shown[0], shown[1], status,
              why.text[0] != '\0' ? ": " : "", why.text,
              status > BY_SIGNAL      ? "it crashed: bring CPU 0 online, or try another LIKWID"
              : status == STATUS_LATE ? "does a script of that name start itself?"
                                      : "is LIKWID installed whole?");
    free(text);
    return NULL;
}

/* Lua runs this before likwid-perfctr, which is a Lua script. At its end likwid-perfctr then prints the path and the
 * configuration of its library; Assay may be built with another one. LIKWID has no configuration (maxNumThreads is 0)
 * if it finds no access daemon. A script that starts likwid-perfctr may add the option -M, which sets two global
 * variables. */
static const char print_configuration[] =
    "LUA_INIT=local leave, modes = os.exit, { [-1] = 'perf_event ', [0] = 'direct ' }\n"
    "os.exit = function(...)\n"
    "    local likwid = package.loaded.likwid\n"
    "    local known = likwid and likwid.getConfiguration() or {}\n"
    "    local mode, file = (known.maxNumThreads or 0) > 0 and known.daemonMode or 1, known.configFile or ''\n"
    "    if mode ~= -1 and set_access_modes then mode, file = access_mode, '" LIKWID_OPTION_DIRECT "' end\n"
    "    print('library ' .. (package.searchpath('liblikwid', package.cpath) or '-'))\n"
    "    print(modes[mode] and modes[mode] .. file or 'accessdaemon ' .. (known.daemonPath or 'likwid-accessD'))\n"
    "    leave(...)\n"
    "end";

/* LIKWID's configuration and version. LIKWID searches for its daemon in PATH, its configuration file and the library's
 * prefix; the prefix of likwid-perfctr, which may be another, is added. */
static char *ask_configuration(struct likwid *likwid, struct error *error) {
    const char *path = getenv("PATH");
    int folder = (int)(strrchr(likwid->perfctr, '/') - likwid->perfctr);
    char *with_prefix = NULL;
    if (asprintf(&with_prefix, "PATH=%s:%.*s/../sbin", path != NULL ? path : "", folder, likwid->perfctr) < 0)
        abort();
    char *const question[] = {"/usr/bin/env",
                              "-uLUA_INIT_5_2",
                              "-uLUA_INIT_5_3",
                              "-uLUA_INIT_5_4",
                              with_prefix,
                              (char *)print_configuration,
                              likwid->perfctr,
                              "-v",
                              NULL};
    char *text = answer(question, 6, error);
    free(with_prefix);
    return text;
}

int likwid_find(struct likwid *likwid, const struct paths *paths, struct error *error) {
    char kept[PATH_MAX];
    *likwid = (struct likwid){0};
    if (search_program("likwid-perfctr", likwid->perfctr) != 0)
        return error_set(
            error, "likwid-perfctr: not found in PATH; install LIKWID (`make deps` says how) or set LIKWID_PREFIX");
    const char *prefix = getenv("LIKWID_PREFIX");
    size_t length = prefix != NULL ? strlen(prefix) : 0;
    if (length > 0 &&
        (strncmp(likwid->perfctr, prefix, length) != 0 || strncmp(likwid->perfctr + length, "/bin/", 5) != 0))
        return error_set(error, "LIKWID_PREFIX=%.300s: no bin/likwid-perfctr there; correct or unset it", prefix);
    int may_keep = paths != NULL && remembered_file(paths, likwid->perfctr, kept) == 0;
    char *text = may_keep ? remembered_read(kept) : NULL;
    int is_new = text == NULL;
    if (is_new && (text = ask_configuration(likwid, error)) == NULL)
        return -1;
    const char *version = strstr(text, "Version "), *library = strstr(text, "\nlibrary ");
    int found = version != NULL && sscanf(version, "Version %31[0-9.]", likwid->version) == 1;
    if (library != NULL)
        sscanf(library, "\nlibrary %4095[^\n] %15s %4095[^\n]", likwid->library, likwid->mode, likwid->path);
    if (is_new && may_keep && found && library != NULL)
        remembered_write(kept, text);
    free(text);
    return found ? 0 : error_set(error, "%s -v: names no version; is this LIKWID?", likwid->perfctr);
}

int likwid_arch(const struct likwid *likwid, char arch[32], struct error *error) {
    char *const question[] = {(char *)likwid->perfctr, "-i", NULL};
    char name[32] = "nil";
    char *text = answer(question, 0, error);
    const char *line = text != NULL ? strstr(text, "CPU short:") : NULL;
    if (line != NULL)
        sscanf(line, "CPU short: %31s", name);
    int is_answered = text != NULL, is_known = strcmp(name, "nil") != 0;
    free(text);
    strcpy(arch, is_known ? name : "");
    if (is_answered && !is_known)
        error_set(error, "LIKWID %s does not know this processor; a newer LIKWID may", likwid->version);
    return is_known ? 0 : -1;
}

/* The program `name` of the installed LIKWID. -1 if its path is too long. */
static int find_tool(const struct likwid *likwid, const char *name, char tool[PATH_MAX]) {
    const char *slash = strrchr(likwid->perfctr, '/');
    int length = slash != NULL ? (int)(slash + 1 - likwid->perfctr) : 0;
    return snprintf(tool, PATH_MAX, "%.*s%s", length, likwid->perfctr, name) < PATH_MAX ? 0 : -1;
}

char *likwid_features(const struct likwid *likwid) {
    char tool[PATH_MAX];
    struct error ignored;
    if (find_tool(likwid, "likwid-features", tool) != 0)
        return NULL;
    char *const question[] = {tool, "-c", "0", "-l", NULL};
    return answer(question, 0, &ignored);
}

/* The last line of likwid-pin -p is the list of CPUs that a list of numbers selects. */
static json_t *read_numbers(char *text) {
    char *rest = NULL, *last = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        last = line;
    json_t *numbers = json_object();
    int number = 0;
    for (char *cpu = last != NULL ? strtok_r(last, ",", &rest) : NULL; cpu != NULL; cpu = strtok_r(NULL, ",", &rest))
        json_object_set_new(numbers, cpu, json_integer(number++));
    return numbers;
}

json_t *likwid_numbers(const struct likwid *likwid, int cpus, struct error *error) {
    char tool[PATH_MAX], list[32];
    snprintf(list, sizeof list, "0-%d", cpus - 1);
    if (find_tool(likwid, "likwid-pin", tool) != 0) {
        error_set(error, "likwid-pin: its path is too long");
        return NULL;
    }
    char *const question[] = {tool, "-p", "-c", list, NULL};
    char *text = answer(question, 0, error);
    json_t *numbers = text != NULL ? read_numbers(text) : NULL;
    free(text);
    return numbers;
}
