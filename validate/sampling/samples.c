/* samples.c - reads sample files and finds the functions. SPDX-License-Identifier: GPL-3.0-or-later */
#include "samples.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/paths.h"
#include "validate/host/plain_json.h"
#include "validate/host/symbols.h"
#include "vnode/sampling_file.h"

/* A file with code: a program or a shared library. */
struct object {
    char *path;
    struct symbols *symbols; /* NULL: none */
};

struct reader {
    uint32_t events, periods;
    struct object *objects;
    size_t count;
    size_t *known; /* of the current file: number -> object */
    size_t known_count;
    json_t *functions; /* { "FUNCTION\nPATH": entry } */
    uint64_t units, lost, unfinished;
    const char *file;
    unsigned line;
    struct error *error;
};

static int refuse(const struct reader *reader, const char *what) {
    return error_set(reader->error, "%s:%u: %s; the node's engine is of another version, or its disk was full",
                     reader->file, reader->line, what);
}

static size_t find_object(struct reader *reader, const char *path) {
    for (size_t i = 0; i < reader->count; i++)
        if (strcmp(reader->objects[i].path, path) == 0)
            return i;
    reader->objects = realloc(reader->objects, (reader->count + 1) * sizeof *reader->objects);
    char *copy = strdup(path);
    if (reader->objects == NULL || copy == NULL)
        abort();
    reader->objects[reader->count] = (struct object){copy, path[0] == '/' ? symbols_read(path) : NULL};
    return reader->count++;
}

/* Reads a line "K PATH"; K increases from line to line. */
static int take_object(struct reader *reader, const char *text) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end != ' ' || number != reader->known_count)
        return refuse(reader, "no object that follows the one before");
    reader->known = realloc(reader->known, (reader->known_count + 1) * sizeof *reader->known);
    if (reader->known == NULL)
        abort();
    reader->known[reader->known_count++] = find_object(reader, end + 1);
    return 0;
}

/* The entry of a function; a new one has counts of 0. */
static json_t *entry_of(struct reader *reader, const struct object *object, uint64_t offset) {
    const char *name = object->symbols != NULL ? symbols_find(object->symbols, offset) : NULL;
    char key[PATH_MAX + 512];
    snprintf(key, sizeof key, "%.500s\n%s", name != NULL ? name : "", object->path);
    json_t *entry = json_object_get(reader->functions, key), *counts;
    if (entry != NULL)
        return entry;
    entry = json_pack("{s:o*, s:o, s:o}", "function", name != NULL ? plain_name(name) : NULL, "object",
                      plain_name(object->path), "counts", counts = json_array());
    for (uint32_t event = 0; event < reader->events; event++) {
        json_t *of_event = json_array();
        for (uint32_t i = 0; i <= reader->periods; i++)
            json_array_append_new(of_event, json_integer(0));
        json_array_append_new(counts, of_event);
    }
    json_object_set_new_nocheck(reader->functions, key, entry); /* the name may contain any bytes */
    return entry;
}

/* Reads a line "K OFFSET COUNT ...". */
static int take_instruction(struct reader *reader, const char *text) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    unsigned long long offset = strtoull(end, &end, 16);
    if (number >= reader->known_count)
        return refuse(reader, "an object that was not named");
    json_t *counts = json_object_get(entry_of(reader, &reader->objects[reader->known[number]], offset), "counts");
    for (uint32_t event = 0; event < reader->events; event++) {
        json_t *of_event = json_array_get(counts, event);
        for (uint32_t i = 0; i <= reader->periods; i++) {
            const char *from = end;
            json_t *sum = json_array_get(of_event, i);
            unsigned long long count = strtoull(from, &end, 10);
            if (end == from)
                return refuse(reader, "too few counts");
            json_integer_set(sum, json_integer_value(sum) + (json_int_t)count);
        }
    }
    return *end == '\0' ? 0 : refuse(reader, "more counts than events and periods");
}

static const char *behind(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

/* Returns 1 at the end of the file. */
static int take_line(struct reader *reader, const char *line) {
    const char *rest;
    if ((rest = behind(line, "object ")) != NULL)
        return take_object(reader, rest);
    if ((rest = behind(line, "at ")) != NULL)
        return take_instruction(reader, rest);
    if ((rest = behind(line, "units ")) != NULL)
        reader->units += strtoull(rest, NULL, 10);
    else if ((rest = behind(line, "lost ")) != NULL)
        reader->lost += strtoull(rest, NULL, 10);
    else
        return strcmp(line, "end") == 0 ? 1 : refuse(reader, "no line of samples");
    return 0;
}

static int read_file(struct reader *reader, const char *path) {
    FILE *stream = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    int status = 0;
    if (stream == NULL)
        return error_set(reader->error, "%s: cannot be read", path);
    reader->file = path;
    reader->line = 0;
    reader->known_count = 0;
    while (status == 0 && getline(&line, &room, stream) > 0) {
        reader->line++;
        line[strcspn(line, "\n")] = '\0';
        status = take_line(reader, line);
    }
    free(line);
    fclose(stream);
    if (reader->line == 0) {
        reader->unfinished++;
        return 0;
    }
    return status == 1 ? 0 : status == 0 ? refuse(reader, "it has no end") : -1;
}

static int read_folder(struct reader *reader, const char *folder) {
    DIR *files = opendir(folder);
    int status = files != NULL ? 0 : error_set(reader->error, "%s: the node's folder has gone", folder);
    struct dirent *entry;
    while (status == 0 && (entry = readdir(files)) != NULL) {
        char path[PATH_MAX];
        if (behind(entry->d_name, SAMPLES_FILE_PREFIX) == NULL)
            continue;
        status = paths_join(path, folder, entry->d_name, reader->error) == 0 ? read_file(reader, path) : -1;
    }
    if (files != NULL)
        closedir(files);
    return status;
}

/* An array of the entries. */
static json_t *list_functions(const json_t *functions) {
    json_t *list = json_array(), *entry;
    const char *key;
    json_object_foreach((json_t *)functions, key, entry) json_array_append(list, entry);
    return list;
}

json_t *samples_read(const char *folder, uint32_t events, uint32_t periods, struct error *error) {
    struct reader reader = {.events = events, .periods = periods, .functions = json_object(), .error = error};
    json_t *found = NULL;
    if (read_folder(&reader, folder) == 0)
        found = json_pack("{s:o, s:I, s:I, s:I}", "functions", list_functions(reader.functions), "units",
                          (json_int_t)reader.units, "lost", (json_int_t)reader.lost, "unfinished",
                          (json_int_t)reader.unfinished);
    for (size_t i = 0; i < reader.count; i++) {
        symbols_free(reader.objects[i].symbols);
        free(reader.objects[i].path);
    }
    free(reader.objects);
    free(reader.known);
    json_decref(reader.functions);
    return found;
}
