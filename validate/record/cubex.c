/* cubex.c - writes CUBE 4 files. SPDX-License-Identifier: GPL-3.0-or-later */
#include "cubex.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/plain_json.h"
#include "validate/host/tar.h"
#include "validate/host/text.h"

/* A file of the archive; both fields are set by open_memstream(). */
struct part {
    char *bytes;
    size_t size;
};

static void put(FILE *stream, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, stream); /* the stream keeps its error state */
}

static void put_number(FILE *stream, uint32_t number) {
    put(stream, &number, sizeof number);
}

static void write_index(FILE *stream, const json_t *rows) {
    const uint16_t version = 0;
    const uint8_t list = 1;
    size_t i;
    json_t *row;
    put(stream, "CUBEX.INDEX", strlen("CUBEX.INDEX"));
    put_number(stream, 1);
    put(stream, &version, sizeof version);
    put(stream, &list, sizeof list);
    put_number(stream, (uint32_t)json_array_size(rows));
    json_array_foreach(rows, i, row) put_number(stream, (uint32_t)json_integer_value(json_object_get(row, "cnode")));
}

static void write_data(FILE *stream, const json_t *rows) {
    size_t i, k;
    json_t *row, *value;
    put(stream, "CUBEX.DATA", strlen("CUBEX.DATA"));
    json_array_foreach(rows, i, row) {
        json_array_foreach(json_object_get(row, "values"), k, value) {
            double number = json_number_value(value);
            put(stream, &number, sizeof number);
        }
    }
}

/* Adds METRIC.KIND; `write` writes it from the metric's rows. */
static int add_part(FILE *archive, const json_t *metric, const char *kind, void (*write)(FILE *, const json_t *)) {
    char name[TAR_NAME_MAX + 1];
    struct part part = {0};
    FILE *stream = open_memstream(&part.bytes, &part.size);
    if (stream == NULL)
        return -1;
    write(stream, json_object_get(metric, "rows"));
    int failed = ferror(stream);
    snprintf(name, sizeof name, "%lld.%s", (long long)json_integer_value(json_object_get(metric, "id")), kind);
    if (fclose(stream) != 0 || failed || tar_add(archive, name, part.bytes, part.size) != 0)
        failed = 1;
    free(part.bytes);
    return failed ? -1 : 0;
}

static int write_archive(FILE *archive, const json_t *cube) {
    const char *anchor = json_word(cube, "anchor");
    int failed = tar_add(archive, "anchor.xml", anchor, strlen(anchor));
    size_t i;
    json_t *metric;
    json_array_foreach(json_object_get(cube, "metrics"), i, metric) {
        failed |= add_part(archive, metric, "index", write_index);
        failed |= add_part(archive, metric, "data", write_data);
    }
    return failed | tar_end(archive);
}

int cubex_write(const char *file, const json_t *cube, struct error *error) {
    struct part whole = {0};
    FILE *archive = open_memstream(&whole.bytes, &whole.size);
    int failed = archive == NULL || write_archive(archive, cube) != 0;
    if (archive != NULL && fclose(archive) != 0)
        failed = 1;
    int status = failed ? error_set(error, "%s: no memory for the cube", file)
                        : text_replace_bytes(file, whole.bytes, whole.size, error);
    free(whole.bytes);
    return status;
}
