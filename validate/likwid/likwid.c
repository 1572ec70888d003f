/* likwid.c - queries the installed LIKWID. SPDX-License-Identifier: GPL-3.0-or-later */
#include "likwid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/ask.h"
#include "validate/host/search.h"

enum { PATIENCE = 20 /* seconds for a query */ };

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

/* Runs a LIKWID program. Returns its stdout, freed by the caller, or NULL. */
static char *answer(char *const argv[], struct error *error) {
    int status = 0;
    struct error why;
    char *text = ask(argv, PATIENCE, &status, &why);
    if (text != NULL && text[0] != '\0')
        return text;
    error_set(error, "%s %s: no answer (status %d)%s%.600s; is LIKWID installed whole?", argv[0], argv[1], status,
              why.text[0] != '\0' ? ": " : "", why.text);
    free(text);
    return NULL;
}

int likwid_find(struct likwid *likwid, struct error *error) {
    if (search_program("likwid-perfctr", likwid->perfctr) != 0)
        return error_set(
            error, "likwid-perfctr: not found in PATH; install LIKWID (`make deps` says how) or set LIKWID_PREFIX");
    char *const question[] = {likwid->perfctr, "-v", NULL};
    char *text = answer(question, error);
    if (text == NULL)
        return -1;
    const char *version = strstr(text, "Version ");
    int found = version != NULL && sscanf(version, "Version %31[0-9.]", likwid->version) == 1;
    free(text);
    return found ? 0 : error_set(error, "%s -v: names no version; is this LIKWID?", likwid->perfctr);
}

int likwid_arch(const struct likwid *likwid, char arch[32], struct error *error) {
    char *const question[] = {(char *)likwid->perfctr, "-i", NULL};
    char name[32] = "nil";
    char *text = answer(question, error);
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
    return answer(question, &ignored);
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
    char *text = answer(question, error);
    json_t *numbers = text != NULL ? read_numbers(text) : NULL;
    free(text);
    return numbers;
}
