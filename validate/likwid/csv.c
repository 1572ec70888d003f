/* csv.c - likwid-perfctr's CSV to JSON. SPDX-License-Identifier: GPL-3.0-or-later */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 512, CPU_DIGITS = 6 };

struct line {
    char *field[FIELDS_MAX]; /* point into the line's text */
    size_t fields;
};

struct reader {
    const char *file;
    unsigned number; /* of the line, from 1 */
    json_t *regions;
    json_t *threads;     /* of the current raw table, borrowed; NULL outside */
    int counters_follow; /* after the line "Event,Counter,HWThread ..." */
    int metrics_follow;  /* the table contains LIKWID's metrics */
    double clock_hz;     /* 0: not printed */
};

/* Splits the line at commas and drops the padding at its end. */
static void split(char *text, struct line *line) {
    line->fields = 0;
    for (char *field = text; field != NULL && line->fields < FIELDS_MAX;) {
        char *comma = strchr(field, ',');
        if (comma != NULL)
            *comma++ = '\0';
        line->field[line->fields++] = field;
        field = comma;
    }
    while (line->fields > 1 && line->field[line->fields - 1][0] == '\0')
        line->fields--;
}

/* JSON allows only UTF-8: other names of regions and counters would be lost. */
static int is_utf8(const char *text) {
    json_t *string = json_string(text);
    json_decref(string);
    return string != NULL;
}

static int ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A line "TABLE,Region NAME,Group 1 Raw,GROUP,n" or "TABLE,Group 1 Raw,GROUP,n" starts a table. Only raw and metric
 * tables are read. */
static void open_table(struct reader *reader, const struct line *line) {
    static const char region_word[] = "Region ";
    const char *region = "";
    size_t title = 1;
    if (line->fields > 2 && strncmp(line->field[1], region_word, sizeof region_word - 1) == 0) {
        region = line->field[1] + sizeof region_word - 1;
        title = 2;
    }
    reader->threads = NULL;
    reader->counters_follow = 0;
    reader->metrics_follow = line->fields > title && ends_with(line->field[title], " Metric");
    if (line->fields <= title || !(reader->metrics_follow || ends_with(line->field[title], " Raw")))
        return;
    reader->threads = json_object_get(reader->regions, region);
    if (reader->threads == NULL) {
        reader->threads = json_array();
        json_object_set_new(reader->regions, region, reader->threads);
    }
}

/* -1: not the number of a hardware thread. */
static int cpu_number(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= CPU_DIGITS && text[digits] == '\0' ? atoi(text) : -1;
}

/* Reads the table's threads from its first line: "Region Info,HWThread 0,..." or "Event,Counter,HWThread 0,...". */
static int name_threads(struct reader *reader, const struct line *line, size_t first, struct error *error) {
    static const char word[] = "HWThread ";
    size_t count = line->fields - first;
    if (json_array_size(reader->threads) != 0 && json_array_size(reader->threads) != count)
        return error_set(error, "%s:%u: %zu hardware threads here, %zu above; the file is damaged, measure again",
                         reader->file, reader->number, count, json_array_size(reader->threads));
    for (size_t i = json_array_size(reader->threads); i < count; i++) {
        const char *name = line->field[first + i];
        int number = strncmp(name, word, sizeof word - 1) == 0 ? cpu_number(name + sizeof word - 1) : -1;
        if (number < 0)
            return error_set(error, "%s:%u: \"%s\" where a hardware thread is expected; is this likwid-perfctr's CSV?",
                             reader->file, reader->number, name);
        json_t *thread =
            json_pack("{s:i, s:{}, s:{}, s:{}, s:{}}", "cpu", number, "counts", "events", "absent", "metrics");
        if (reader->clock_hz > 0)
            json_object_set_new(thread, "clock_hz", json_real(reader->clock_hz));
        json_array_append_new(reader->threads, thread);
    }
    return 0;
}

/* Larger than any real count of a region: a negative difference of 48-bit counters after a wrap. */
static const double wrapped_from = 0x1p47;

/* Stores a cell as a number, or the reason why it has none. */
static void store(json_t *thread, const char *counter, const char *cell) {
    char *end;
    double value = strtod(cell, &end);
    const char *why = NULL;
    if (strcmp(cell, "-") == 0)
        why = "dash";
    else if (strcmp(cell, "nan") == 0 || value != value)
        why = "nan";
    else if (end == cell || *end != '\0')
        why = "unreadable";
    else if (value < 0 || value >= wrapped_from)
        why = "wrapped";
    json_t *counts = json_object_get(thread, "counts"), *absent = json_object_get(thread, "absent");
    json_object_del(why != NULL ? counts : absent, counter); /* a repeated counter replaces the earlier one */
    if (why != NULL)
        json_object_set_new(absent, counter, json_string(why));
    else
        json_object_set_new(counts, counter, json_real(value));
}

static int read_row(struct reader *reader, const struct line *line, struct error *error) {
    const char *name = line->field[0];
    if (strcmp(name, "Region Info") == 0)
        return name_threads(reader, line, 1, error);
    if (strcmp(name, "Event") == 0) {
        reader->counters_follow = 1;
        return name_threads(reader, line, 2, error);
    }
    if (reader->metrics_follow && strcmp(name, "Metric") == 0)
        return name_threads(reader, line, 1, error);
    size_t first = reader->counters_follow ? 2 : 1;
    size_t index;
    json_t *thread;
    json_array_foreach(reader->threads, index, thread) {
        if (first + index >= line->fields)
            return error_set(error, "%s:%u: no value for hardware thread %zu; the file is cut off, measure again",
                             reader->file, reader->number, index);
        const char *cell = line->field[first + index];
        if (reader->metrics_follow) {
            json_object_set_new(json_object_get(thread, "metrics"), name, json_string(cell));
        } else if (!reader->counters_follow) {
            if (strcmp(name, "RDTSC Runtime [s]") == 0)
                json_object_set_new(thread, "seconds", json_real(atof(cell)));
            else if (strcmp(name, "call count") == 0)
                json_object_set_new(thread, "calls", json_integer(atoll(cell)));
        } else if (strcmp(line->field[1], "TSC") == 0) {
            json_object_set_new(thread, "seconds", json_real(atof(cell)));
        } else {
            json_object_set_new(json_object_get(thread, "events"), line->field[1], json_string(name));
            store(thread, line->field[1], cell);
        }
    }
    return 0;
}

/* "CPU clock:,2.300320019 GHz" */
static double read_clock(const struct line *line) {
    static const char unit[] = " GHz";
    char *end;
    double value = strtod(line->field[1], &end);
    return strcmp(end, unit) == 0 ? value * 1e9 : 0;
}

json_t *csv_read(const char *text, const char *file, struct error *error) {
    struct reader reader = {.file = file, .regions = json_object()};
    char *copy = strdup(text);
    int tables = 0;
    int status = copy != NULL ? 0 : error_set(error, "no memory to read %s", file);
    for (char *next = copy; status == 0 && next != NULL && *next != '\0';) {
        char *start = next;
        next = strchr(start, '\n');
        if (next != NULL)
            *next++ = '\0';
        reader.number++;
        if (!is_utf8(start)) {
            status = error_set(error, "%s:%u: not UTF-8; the file is damaged, measure again", file, reader.number);
            break;
        }
        struct line line;
        split(start, &line);
        if (strcmp(line.field[0], "TABLE") == 0) {
            open_table(&reader, &line);
            tables++;
        } else if (strcmp(line.field[0], "STRUCT") == 0) {
            reader.threads = NULL;
        } else if (strcmp(line.field[0], "CPU clock:") == 0 && line.fields > 1) {
            reader.clock_hz = read_clock(&line);
        } else if (reader.threads != NULL && line.fields > 1) {
            status = read_row(&reader, &line, error);
        }
    }
    free(copy);
    if (status == 0 && tables == 0)
        status = error_set(
            error, "%s: no table in it; likwid-perfctr found no region (is the program built with the Marker API?)",
            file);
    if (status != 0) {
        json_decref(reader.regions);
        return NULL;
    }
    return reader.regions;
}
