/* perf.c - runs perf and reads its output. SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/host/plain_json.h"
#include "validate/host/process.h"

enum { WORDS_MAX = 16 };

/* Runs perf with `words` and, if not NULL, the program's words after them. 0: success. */
static int run_perf(const struct perf_run *run, const char *const words[], char *const program[],
                    struct process *process, struct error *error) {
    size_t count = 0, used = 0;
    while (program != NULL && program[count] != NULL)
        count++;
    char **all = calloc(count + WORDS_MAX + 2, sizeof *all);
    if (all == NULL)
        abort();
    for (size_t i = 0; words[i] != NULL; i++)
        all[used++] = (char *)words[i];
    for (size_t i = 0; i < count; i++)
        all[used++] = program[i];
    *process = (struct process){.out = -1, .err = -1};
    int status = process_start(process, all, environ, NULL, run->timeout, error);
    if (status == 0)
        process_wait_or_stop(process);
    free(all);
    return status;
}

/* Sets the error to the first line of perf's stderr, or says that perf is missing. */
static int complain(const struct process *process, const char *event, struct error *error) {
    const char *text = process->messages != NULL ? process->messages : "";
    size_t length = strcspn(text, "\n");
    if (process->status == 127)
        return error_set(error, "perf: not found; install linux-perf (Debian), perf (others)");
    return error_set(error, "perf: %s: %.*s", event, (int)(length < 200 ? length : 200),
                     length > 0 ? text : "it says nothing");
}

/* A line of `perf stat -x,`: COUNT,UNIT,EVENT,... */
static int read_count(const char *text, uint64_t *count) {
    for (; text != NULL && *text != '\0'; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0')) {
        char *end;
        unsigned long long value = strtoull(text, &end, 10);
        if (end != text && *end == ',') {
            *count = value;
            return 0;
        }
    }
    return -1;
}

int perf_count(const struct perf_run *run, const char *event, uint64_t *count, struct error *error) {
    struct process process;
    const char *const words[] = {"perf", "stat", "-x,", "-e", event, "--", NULL};
    int status = run_perf(run, words, run->program, &process, error);
    if (status == 0 && read_count(process.messages, count) != 0)
        status = complain(&process, event, error);
    process_free(&process);
    return status;
}

/* "  ADDRESS NAME (OBJECT)" */
static int read_line(const char *line, size_t length, char name[512], char object[PATH_MAX]) {
    const char *end = line + length, *at = line + strspn(line, " \t");
    const char *behind = at + strspn(at, "0123456789abcdef");
    if (behind == at || behind >= end || *behind != ' ' || end[-1] != ')')
        return -1;
    const char *open = end - 1;
    while (open > behind && !(open[0] == '(' && open[-1] == ' '))
        open--;
    if (open == behind)
        return -1;
    behind++;
    snprintf(name, 512, "%.*s", (int)(open - 1 > behind ? open - 1 - behind : 0), behind);
    snprintf(object, PATH_MAX, "%.*s", (int)(end - 1 - open - 1), open + 1);
    return 0;
}

json_t *perf_read(const char *text) {
    json_t *known = json_object(), *list = json_array(), *entry;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char name[512], object[PATH_MAX], key[PATH_MAX + 512];
        if (read_line(text, length, name, object) == 0) {
            snprintf(key, sizeof key, "%s\n%s", name, object);
            entry = json_object_get(known, key);
            if (entry == NULL) {
                json_t *function = name[0] != '\0' && strcmp(name, "[unknown]") != 0 ? plain_name(name) : NULL;
                entry = json_pack("{s:o*, s:o, s:i}", "function", function, "object", plain_name(object), "samples", 0);
                json_object_set_new_nocheck(known, key, entry);
                json_array_append(list, entry);
            }
            json_t *samples = json_object_get(entry, "samples");
            json_integer_set(samples, json_integer_value(samples) + 1);
        }
        text += length + (text[length] != '\0');
    }
    json_decref(known);
    return list;
}

/* The number of lost samples, from lines such as "PERF_RECORD_LOST lost N". */
static json_int_t count_lost(const char *text) {
    json_int_t lost = 0;
    for (const char *at = strstr(text, "PERF_RECORD_LOST"); at != NULL; at = strstr(at + 1, "PERF_RECORD_LOST")) {
        const char *number = strpbrk(at, "0123456789\n");
        lost += number != NULL ? strtoll(number, NULL, 10) : 0;
    }
    return lost;
}

json_t *perf_sample(const struct perf_run *run, const char *event, uint64_t period, struct error *error) {
    struct process process;
    char file[PATH_MAX], number[32];
    json_t *found = NULL;
    snprintf(file, sizeof file, "%s/perf.data", run->work);
    snprintf(number, sizeof number, "%ju", (uintmax_t)period);
    const char *const record[] = {"perf", "record", "-q", "-N", "-e", event, "-c", number, "-o", file, "--", NULL};
    const char *const script[] = {"perf", "script", "-i", file, "-F", "ip,sym,dso", "--show-lost-events", NULL};
    int status = run_perf(run, record, run->program, &process, error);
    if (status == 0 && access(file, R_OK) != 0)
        status = complain(&process, event, error);
    process_free(&process);
    if (status != 0)
        return NULL;
    status = run_perf(run, script, NULL, &process, error);
    if (status == 0 && process.status == 0 && process.output != NULL)
        found = json_pack("{s:o, s:I}", "functions", perf_read(process.output), "lost", count_lost(process.output));
    else if (status == 0)
        complain(&process, event, error);
    process_free(&process);
    unlink(file);
    return found;
}
