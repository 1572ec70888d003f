/* gather.c - reads and reduces records. SPDX-License-Identifier: GPL-3.0-or-later */
#include "gather.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/host/paths.h"
#include "validate/host/plain_json.h"
#include "validate/record/record.h"

static const char *const identity[] = {"pattern", "code", "level", "placement", "group", "metric"};
enum { KEYS = sizeof identity / sizeof *identity, KEY_ROOM = 1024, SIDE_BY_SIDE_MOST = 16 };

struct reduction {
    json_t *metrics, *nodes, *broken;
    json_t *places;         /* { identity: index in metrics } */
    const json_t *verdicts; /* array of words */
};

/* The metric's index; a metric of no earlier record gets a new one. */
static size_t place_of(struct reduction *r, const json_t *metric) {
    char key[KEY_ROOM];
    size_t used = 0;
    for (size_t k = 0; k < KEYS && used < sizeof key; k++) {
        const char *word = json_word(metric, identity[k]);
        used += (size_t)snprintf(key + used, sizeof key - used, "%s\t", word != NULL ? word : "-");
    }
    json_t *known = json_object_get(r->places, key);
    if (known != NULL)
        return (size_t)json_integer_value(known);
    size_t place = json_array_size(r->metrics);
    json_t *entry = json_object();
    for (size_t k = 0; k < KEYS; k++)
        json_object_set(entry, identity[k], json_object_get(metric, identity[k]));
    json_object_set(entry, "tolerance_pct", json_object_get(metric, "tolerance_pct"));
    json_array_append_new(r->metrics, entry);
    json_object_set_new(r->places, key, json_integer((json_int_t)place));
    return place;
}

/* The metric's mean deviation in %; NULL if it has none. */
static json_t *deviation_of(const json_t *metric) {
    static const char *const kinds[] = {"error_pct", "residue_pct"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        json_t *average = json_object_get(json_object_get(metric, kinds[k]), "avg");
        if (json_is_number(average))
            return average;
    }
    return NULL;
}

static char verdict_letter(const struct reduction *r, const json_t *metric) {
    const char *verdict = json_word(metric, "verdict");
    size_t index;
    json_t *word;
    json_array_foreach(r->verdicts, index, word) {
        if (verdict != NULL && strcmp(verdict, json_string_value(word)) == 0)
            return (char)('a' + index);
    }
    return '-';
}

/* Adds `values` and `verdicts` of a record. 0, or -1 if out of memory. */
static int add_metrics(struct reduction *r, const json_t *record, json_t *node) {
    const json_t *metrics = json_object_get(record, "metrics");
    size_t room = json_array_size(r->metrics) + json_array_size(metrics), index;
    json_t **values = calloc(room + 1, sizeof *values), *metric, *list = json_array();
    char *verdicts = malloc(room + 1);
    int status = values != NULL && verdicts != NULL && list != NULL ? 0 : -1;
    if (status == 0)
        memset(verdicts, '-', room + 1);
    json_array_foreach(metrics, index, metric) {
        if (status != 0)
            break;
        size_t place = place_of(r, metric);
        values[place] = deviation_of(metric);
        verdicts[place] = verdict_letter(r, metric);
    }
    for (size_t i = 0; status == 0 && i < json_array_size(r->metrics); i++) {
        status = values[i] != NULL ? json_array_append_new(list, json_real(json_number_value(values[i])))
                                   : json_array_append_new(list, json_null());
    }
    if (status == 0) {
        json_object_set(node, "values", list);
        json_object_set_new(node, "verdicts", json_stringn(verdicts, json_array_size(r->metrics)));
    }
    json_decref(list);
    free(values);
    free(verdicts);
    return status;
}

static json_t *blame_texts(const json_t *record) {
    json_t *texts = json_array(), *entry;
    size_t index;
    json_array_foreach(json_object_get(record, "blame"), index, entry) {
        json_t *text = json_object_get(entry, "text");
        if (json_is_string(text))
            json_array_append(texts, text);
    }
    return texts;
}

static int add_record(struct reduction *r, const char *host, const json_t *record) {
    json_t *node =
        json_pack("{s:s, s:O, s:O, s:O, s:O, s:I, s:o}", "host", host, "node", json_object_get(record, "node"), "assay",
                  json_object_get(record, "assay"), "started", json_object_get(record, "started"), "faults",
                  json_object_get(record, "faults"), "failures",
                  (json_int_t)json_array_size(json_object_get(record, "failures")), "blame", blame_texts(record));
    if (node == NULL || add_metrics(r, record, node) != 0) {
        json_decref(node);
        return -1;
    }
    return json_array_append_new(r->nodes, node);
}

/* A host's file, read by its own thread. */
struct reading {
    pthread_t thread;
    const char *host;
    char file[PATH_MAX];
    json_t *record;
    int is_there, is_started;
    struct error why;
};

static void *read_file(void *context) {
    struct reading *reading = context;
    reading->record = record_read(reading->file, &reading->why);
    return NULL;
}

static void begin(struct reading *reading, const char *folder, const char *host) {
    char name[PATH_MAX];
    *reading = (struct reading){.host = host};
    reading->is_there = snprintf(name, sizeof name, "%s.json", host) < (int)sizeof name &&
                        paths_join(reading->file, folder, name, &reading->why) == 0 && access(reading->file, F_OK) == 0;
    reading->is_started = reading->is_there && pthread_create(&reading->thread, NULL, read_file, reading) == 0;
    if (reading->is_there && !reading->is_started)
        read_file(reading);
}

/* Reduces the record and releases it. */
static int end(struct reduction *r, struct reading *reading) {
    if (reading->is_started)
        pthread_join(reading->thread, NULL);
    if (!reading->is_there)
        return 0;
    int status = reading->record != NULL
                     ? add_record(r, reading->host, reading->record)
                     : json_array_append_new(r->broken, json_pack("{s:s, s:o}", "host", reading->host, "why",
                                                                  plain_name(reading->why.text)));
    json_decref(reading->record);
    return status;
}

/* Reads as many files in parallel as there are cores, at most SIDE_BY_SIDE_MOST; adds them in the hosts' order, so the
 * result is reproducible. */
static int add_hosts(struct reduction *r, const char *folder, const json_t *hosts) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t places = cores < 1 ? 1 : cores < SIDE_BY_SIDE_MOST ? (size_t)cores : SIDE_BY_SIDE_MOST;
    struct reading readings[SIDE_BY_SIDE_MOST];
    int status = 0;
    for (size_t first = 0; status == 0 && first < json_array_size(hosts); first += places) {
        size_t count = 0;
        for (; count < places && first + count < json_array_size(hosts); count++)
            begin(&readings[count], folder, json_string_value(json_array_get(hosts, first + count)));
        for (size_t i = 0; i < count; i++)
            status |= end(r, &readings[i]);
    }
    return status;
}

json_t *gather_records(const char *folder, const json_t *hosts, const json_t *verdicts, struct error *error) {
    struct reduction r = {json_array(), json_array(), json_array(), json_object(), verdicts};
    int status = add_hosts(&r, folder, hosts);
    json_decref(r.places);
    json_t *all = json_pack("{s:o, s:o, s:o}", "metrics", r.metrics, "nodes", r.nodes, "broken", r.broken);
    if (status == 0 && all != NULL)
        return all;
    json_decref(all);
    error_set(error, "%s: no memory for its records", folder);
    return NULL;
}
