/* record.c - record files. SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "indices.h"
#include "shape.h"
#include "validate/host/exclusive.h"
#include "validate/host/fresh.h"
#include "validate/host/paths.h"
#include "validate/host/plain_json.h"

void record_round(json_t *value) {
    const char *key;
    size_t index;
    json_t *inner;
    if (json_is_real(value)) {
        char text[RECORD_DIGITS + 16];
        snprintf(text, sizeof text, "%.*g", RECORD_DIGITS, json_real_value(value));
        json_real_set(value, strtod(text, NULL));
    }
    json_object_foreach(value, key, inner) record_round(inner);
    json_array_foreach(value, index, inner) record_round(inner);
}

static int write_whole(FILE *stream, const json_t *value) {
    return json_dumpf(value, stream, RECORD_FORMAT) == 0 && fputc('\n', stream) != EOF ? 0 : -1;
}

/* Writes each list entry on its own line, so that line-based diffs show the changes between records. */
static int write_lines(FILE *stream, const json_t *record) {
    const size_t format = JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_REAL_PRECISION(RECORD_DIGITS);
    const char *key, *before = "{\n";
    json_t *value, *entry;
    size_t index;
    int failed = 0;
    json_object_foreach((json_t *)record, key, value) {
        json_t *name = json_string(key);
        failed |= fputs(before, stream) == EOF || json_dumpf(name, stream, format) != 0 || fputs(": ", stream) == EOF;
        json_decref(name);
        if (!json_is_array(value) || !json_is_object(json_array_get(value, 0))) {
            failed |= json_dumpf(value, stream, format) != 0;
        } else {
            json_array_foreach(value, index, entry) failed |=
                fputs(index > 0 ? ",\n " : "[\n ", stream) == EOF || json_dumpf(entry, stream, format) != 0;
            failed |= fputc(']', stream) == EOF;
        }
        before = ",\n";
    }
    return failed || fputs("}\n", stream) == EOF ? -1 : 0;
}

typedef int write_value_fn(FILE *stream, const json_t *value);

static ssize_t put_compressed(void *stream, const char *bytes, size_t size) {
    return gzwrite(stream, bytes, (unsigned)size);
}

static int end_compressed(void *stream) {
    return gzclose(stream) == Z_OK ? 0 : EOF;
}

/* Compresses what `write_value` writes. */
static int write_compressed(FILE *stream, const json_t *value, write_value_fn *write_value) {
    const cookie_io_functions_t compressed = {.write = put_compressed, .close = end_compressed};
    int copy = dup(fileno(stream));
    gzFile file = copy >= 0 ? gzdopen(copy, "wb9") : NULL;
    FILE *text = file != NULL ? fopencookie(file, "w", compressed) : NULL;
    if (text == NULL) {
        if (file != NULL)
            gzclose(file);
        else if (copy >= 0)
            close(copy);
        return -1;
    }
    int status = write_value(text, value);
    return fclose(text) == 0 ? status : -1;
}

static int is_compressed(const char *file) {
    const char *dot = strrchr(file, '.');
    return dot != NULL && strcmp(dot, ".gz") == 0;
}

/* Writes FILE.tmp with `write_value`, syncs and renames it. */
static int write_file(const char *file, const json_t *value, write_value_fn *write_value, struct error *error) {
    char temporary[PATH_MAX];
    if (paths_format(temporary, error, "%s.tmp", file) != 0)
        return -1;
    FILE *stream = fresh_open(temporary);
    if (stream == NULL)
        return error_set(error, "%s: cannot write: %s; choose another file with --out", temporary, strerror(errno));
    errno = 0;
    int status = is_compressed(file) ? write_compressed(stream, value, write_value) : write_value(stream, value);
    int failed = status != 0 || fflush(stream) != 0 || fsync(fileno(stream)) != 0;
    int why = errno;
    if (fclose(stream) != 0 && !failed) {
        failed = 1;
        why = errno;
    }
    if (!failed && rename(temporary, file) != 0) {
        failed = 1;
        why = errno;
    }
    if (failed) {
        unlink(temporary);
        return error_set(error, "%s: cannot write: %s; free space or choose another file with --out", file,
                         strerror(why != 0 ? why : EIO));
    }
    return 0;
}

int record_write(const char *file, const json_t *value, struct error *error) {
    return file != NULL ? write_file(file, value, write_whole, error) : 0;
}

int record_write_compact(const char *file, const json_t *record, struct error *error) {
    json_t *less = json_copy((json_t *)record);
    if (less == NULL || json_object_set_new(less, "samples", json_array()) != 0 ||
        (json_object_get(less, "counts") != NULL && json_object_set_new(less, "counts", json_array()) != 0)) {
        json_decref(less);
        return error_set(error, "%s: no memory for the record", file);
    }
    int status = write_file(file, less, write_lines, error);
    json_decref(less);
    return status;
}

static void complete(json_t *objects, const char *const keys[], size_t count) {
    size_t index;
    json_t *object;
    json_array_foreach(objects, index, object) {
        for (size_t k = 0; k < count; k++) {
            if (json_object_get(object, keys[k]) == NULL)
                json_object_set_new(object, keys[k], json_null());
        }
        json_t *errata = json_object_get(object, "errata");
        if (json_is_object(errata) && json_object_size(errata) == 0)
            json_object_set_new(object, "errata", json_array());
    }
}

void record_complete(json_t *metrics, json_t *samples) {
    static const char *const metric_keys[] = {"pattern", "code",          "level",      "placement", "group",
                                              "metric",  "unit",          "n",          "expected",  "error_pct",
                                              "fit",     "tolerance_pct", "class",      "verdict",   "reason",
                                              "errata",  "correction",    "resolution", "threshold", "oracles"};
    static const char *const sample_keys[] = {"code",  "point",  "rep",      "thread",
                                              "group", "metric", "measured", "expected"};
    complete(metrics, metric_keys, sizeof metric_keys / sizeof metric_keys[0]);
    complete(samples, sample_keys, sizeof sample_keys / sizeof sample_keys[0]);
}

/* Embeds the schemas of docs/ in the program. */
__asm__(".pushsection .rodata\n"
        "record_schema_text: .incbin \"docs/record.schema.json\"\n"
        "curves_schema_text: .incbin \"docs/curves.schema.json\"\n"
        "sampling_schema_text: .incbin \"docs/sampling.schema.json\"\n"
        "analysis_schema_text: .incbin \"docs/analysis.schema.json\"\n"
        "findings_schema_text: .incbin \"docs/findings.schema.json\"\n"
        "record_schemas_end: .byte 0\n"
        ".popsection\n");
extern const char record_schema_text[], curves_schema_text[], sampling_schema_text[], analysis_schema_text[],
    findings_schema_text[], record_schemas_end[];

/* A kind of record file, named by its key "kind", which a campaign's record does not have. */
struct form {
    const char *kind, *begin, *end;
};
static const struct form forms[] = {{NULL, record_schema_text, curves_schema_text},
                                    {"curves", curves_schema_text, sampling_schema_text},
                                    {"sampling", sampling_schema_text, analysis_schema_text},
                                    {"analysis", analysis_schema_text, findings_schema_text},
                                    {"events", findings_schema_text, record_schemas_end},
                                    {"noise", findings_schema_text, record_schemas_end},
                                    {"discovery", findings_schema_text, record_schemas_end},
                                    {"configuration", findings_schema_text, record_schemas_end},
                                    {"laws", findings_schema_text, record_schemas_end},
                                    {"diagnosis", findings_schema_text, record_schemas_end},
                                    {"fleet", findings_schema_text, record_schemas_end}};
enum { FORM_ANY = sizeof forms / sizeof *forms };

/* The form for `kind` (NULL: a campaign's record); NULL with the reason if there is none. */
static const struct form *find_form(const char *file, const json_t *kind, struct error *error) {
    if (kind == NULL)
        return &forms[0];
    for (size_t i = 1; i < FORM_ANY && json_is_string(kind); i++) {
        if (strcmp(forms[i].kind, json_string_value(kind)) == 0)
            return &forms[i];
    }
    error_set(error, "%s: kind %.60s is none that this program writes; use the Assay that wrote it", file,
              json_is_string(kind) ? json_string_value(kind) : "of another type than a text");
    return NULL;
}

static int check_form(const char *file, const json_t *record, const struct form *form, struct error *error) {
    json_t *schema = json_loadb(form->begin, (size_t)(form->end - form->begin), 0, NULL);
    if (schema == NULL)
        return error_set(error, "%s: no memory to check it", file);
    int status = shape_check(schema, record, file, error);
    json_decref(schema);
    return status == 0 ? indices_check(record, file, error) : status;
}

/* Checks a record of any kind, or (`is_any` 0) only a campaign's record. */
static int check(const char *file, const json_t *record, int is_any, struct error *error) {
    if (!json_is_object(record))
        return error_set(error, "%s:1: no JSON object; make the record again, with --out FILE", file);
    const json_t *number = json_object_get(record, "schema");
    if (json_is_integer(number) && json_integer_value(number) != RECORD_SCHEMA)
        return error_set(error, "%s:1: schema %lld, this program reads %d; use the Assay that wrote it", file,
                         (long long)json_integer_value(number), RECORD_SCHEMA);
    const struct form *form = find_form(file, json_object_get(record, "kind"), error);
    if (form == NULL)
        return -1;
    if (form->kind != NULL && !is_any)
        return error_set(error, "%s: kind is %s; a record of assay validate is read here, assay show shows any", file,
                         form->kind);
    return check_form(file, record, form, error);
}

/* State while reading a record file, compressed or not. */
struct source {
    gzFile stream;
    size_t taken;
    int failed; /* errno; EBADMSG: damaged */
};

/* Reads for json_load_callback(), up to RECORD_BYTES_MAX. */
static size_t take(void *buffer, size_t room, void *context) {
    struct source *source = context;
    int n = gzread(source->stream, buffer, (unsigned)room), why;
    gzerror(source->stream, &why);
    if (why != Z_OK)
        source->failed = why == Z_ERRNO ? errno : EBADMSG;
    else if ((source->taken += (size_t)n) > RECORD_BYTES_MAX)
        source->failed = EFBIG;
    return source->failed != 0 ? (size_t)-1 : (size_t)n;
}

/* Text of a record file, read in pieces. */
struct text {
    struct source source;
    char piece[1 << 16];
    size_t used, size;
};

/* The next character; EOF at the end and if the file cannot be read. */
static int next_character(struct text *text) {
    if (text->used == text->size) {
        size_t size = take(text->piece, sizeof text->piece, &text->source);
        if (size == 0 || size == (size_t)-1)
            return EOF;
        text->size = size;
        text->used = 0;
    }
    return (unsigned char)text->piece[text->used++];
}

/* Reads for json_load_callback(), from the next character on. */
static size_t take_rest(void *buffer, size_t room, void *context) {
    struct text *text = context;
    int first = next_character(text);
    if (first == EOF)
        return text->source.failed != 0 ? (size_t)-1 : 0;
    size_t more = text->size - text->used < room - 1 ? text->size - text->used : room - 1;
    *(char *)buffer = (char)first;
    memcpy((char *)buffer + 1, text->piece + text->used, more);
    text->used += more;
    return more + 1;
}

/* Reads the rest of a string; returns whether it is `word`, without an escape. */
static int is_string(struct text *text, const char *word) {
    size_t i = 0, length = strlen(word);
    int is_same = 1, c;
    while ((c = next_character(text)) != EOF && c != '"') {
        if (c == '\\')
            next_character(text);
        is_same = is_same && i < length && c == word[i++];
    }
    return is_same && i == length;
}

/* Skips to the value of the outermost object's `key`; returns whether there is one. */
static int skip_to(struct text *text, const char *key) {
    int depth = 0, is_key = 0, c;
    while ((c = next_character(text)) != EOF) {
        if (c == '"')
            is_key = is_string(text, key) && depth == 1;
        else if (c == ':' && is_key)
            return 1;
        else if (c == '{' || c == '[')
            depth++;
        else if (c == '}' || c == ']')
            depth--;
    }
    return 0;
}

static json_t *parse_file(const char *file, json_error_t *where, int *failed) {
    struct stat status;
    struct source source = {.stream = gzopen(file, "r")};
    if (source.stream == NULL) {
        *failed = errno;
        return NULL;
    }
    if (stat(file, &status) == 0 && status.st_size > RECORD_BYTES_MAX)
        source.failed = EFBIG;
    json_t *record = source.failed == 0 ? json_load_callback(take, &source, JSON_REJECT_DUPLICATES, where) : NULL;
    gzclose(source.stream);
    *failed = source.failed;
    return record;
}

/* Checks what was parsed. `failed`: why the file could not be read, or 0; `where`: what is wrong in its text. */
static json_t *accept(json_t *record, const char *file, int failed, const json_error_t *where, int is_any,
                      struct error *error) {
    if (failed == EFBIG)
        error_set(error, "%s: too large: records are read up to %d MiB, %d times what a campaign writes; name a record",
                  file, RECORD_BYTES_MAX >> 20, RECORD_MARGIN);
    else if (failed == EBADMSG)
        error_set(error, "%s: damaged or cut off where it is compressed; copy it again", file);
    else if (failed != 0)
        error_set(error, "%s: cannot read: %s; name a record that was made with --out FILE", file, strerror(failed));
    else if (record == NULL)
        error_set(error, "%s:%d: %s; make the record again, with --out FILE", file, where->line, where->text);
    else if (check(file, record, is_any, error) == 0) {
        plain_record(record);
        return record;
    }
    json_decref(record);
    return NULL;
}

static json_t *read_file(const char *file, int is_any, struct error *error) {
    json_error_t where;
    int failed;
    json_t *record = parse_file(file, &where, &failed);
    return accept(record, file, failed, &where, is_any, error);
}

json_t *record_part(const char *file, const char *key) {
    struct text text = {.source.stream = gzopen(file, "r")};
    if (text.source.stream == NULL)
        return NULL;
    json_t *part = skip_to(&text, key) ? json_load_callback(take_rest, &text, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    gzclose(text.source.stream);
    return part;
}

json_t *record_read(const char *file, struct error *error) {
    return read_file(file, 0, error);
}

json_t *record_read_any(const char *file, struct error *error) {
    return read_file(file, 1, error);
}

json_t *record_read_bytes(const char *bytes, size_t size, const char *file, struct error *error) {
    json_error_t where;
    return accept(json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &where), file, 0, &where, 0, error);
}

/* Stores the file's folder. */
static void folder_of(const char *file, char folder[PATH_MAX]) {
    const char *slash = strrchr(file, '/');
    if (slash == NULL)
        snprintf(folder, PATH_MAX, ".");
    else
        snprintf(folder, PATH_MAX, "%.*s", slash == file ? 1 : (int)(slash - file), file);
}

int record_check_target(const char *file, struct error *error) {
    char folder[PATH_MAX];
    struct stat there, around;
    if (file == NULL)
        return 0;
    const char *slash = strrchr(file, '/');
    if (strlen(file) >= PATH_MAX || file[0] == '\0' || (slash != NULL && slash[1] == '\0'))
        return error_set(error, "--out %.200s: names no file", file);
    folder_of(file, folder);
    if (stat(folder, &around) != 0)
        return error_set(error, "--out %s: %s: %s; make the folder first", file, folder, strerror(errno));
    if (access(folder, W_OK | X_OK) != 0)
        return error_set(error, "--out %s: %s: %s; choose another file", file, folder, strerror(errno));
    if (lstat(file, &there) != 0)
        return errno == ENOENT ? 0 : error_set(error, "--out %s: %s; choose another file", file, strerror(errno));
    if (!S_ISREG(there.st_mode))
        return error_set(error, "--out %s: %s; choose another file", file,
                         S_ISDIR(there.st_mode)   ? "a folder"
                         : S_ISLNK(there.st_mode) ? "a link, which would be replaced"
                                                  : "no regular file");
    /* in a sticky folder only the owner of the file or the folder may replace it */
    if ((around.st_mode & S_ISVTX) != 0 && geteuid() != 0 && there.st_uid != geteuid() && around.st_uid != geteuid())
        return error_set(error, "--out %s: another user's file; choose another file", file);
    return 0;
}

int record_lock(const char *file, int *lock, struct error *error) {
    char name[PATH_MAX];
    *lock = -1;
    if (file == NULL)
        return 0;
    if (paths_format(name, error, "%s.lock", file) != 0)
        return -1;
    char busy[PATH_MAX + 128];
    snprintf(busy, sizeof busy,
             "%s: another campaign is writing this record; wait for it or choose another file with --out", file);
    *lock = exclusive_take(name, busy, error);
    return *lock >= 0 ? 0 : -1;
}

void record_unlock(const char *file, int lock) {
    char name[PATH_MAX];
    struct error ignored;
    if (lock >= 0 && paths_format(name, &ignored, "%s.lock", file) == 0)
        exclusive_release(name, lock);
}

void record_time(char text[21]) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 21, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
