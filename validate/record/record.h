/* record.h - reads, checks and atomically writes record files, schema 1 (keys are a contract: man page, RECORDS). */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include <jansson.h>

#include "validate/host/error.h"

enum { RECORD_SCHEMA = 1 };

/* Larger files are refused. All patterns on two sockets of 18 cores with ten repetitions give 50 000 samples, 22 MB
 * with metrics; the limit is RECORD_MARGIN times that. A sample takes about 410 bytes, 440 with metrics. */
enum { RECORD_BYTES_MAX = 128 << 20, RECORD_MARGIN = 6, RECORD_BYTES_OF_SAMPLE = 450 };

/* Significant digits of a record's numbers. */
enum { RECORD_DIGITS = 12 };

/* Flags of json_dump() for records: indented, keys sorted. */
#define RECORD_FORMAT (JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(RECORD_DIGITS))

/* Rounds all numbers of a value as a record does, so that a text printed of the value is also that of its record. */
void record_round(json_t *value);

/* Shell pattern of their names: a record in a file that ends in .gz is compressed. Any file may be when it is read. */
#define RECORD_FILES "*.json{,.gz}"

/* `file` NULL (no output requested): record_write(), record_check_target() and record_lock() do nothing. */

/* Writes `value` to the new file FILE.tmp (fresh.h), syncs and renames it, so FILE is never half-written. */
int record_write(const char *file, const json_t *value, struct error *error);

/* Writes a compact record for long-term storage like record_write(): without samples and counts, one metric per line.
 * Metrics keep the constants for checking a correction (lua/exchange/catalogue/metric.lua). */
int record_write_compact(const char *file, const json_t *record, struct error *error);

/* Adds the keys that the schema requires and the judgement left out, as null. */
void record_complete(json_t *metrics, json_t *samples);

/* Checks in advance whether a record can be written to `file`. 0, or -1 with the reason. A link is refused, because it
 * would be replaced, not followed. */
int record_check_target(const char *file, struct error *error);

/* Reads a record, checks it against docs/record.schema.json and cleans its texts (plain.h). A new reference, or NULL
 * with one line that names the file and the line or key path. */
json_t *record_read(const char *file, struct error *error);

/* The object or list under `key` of a record file, unchecked. The rest is skipped, not parsed. A new reference, or
 * NULL. */
json_t *record_part(const char *file, const char *key);

/* Like record_read() for any kind of record that a command writes. A campaign's record has no "kind"; others are
 * checked against docs/curves.schema.json, docs/sampling.schema.json, docs/analysis.schema.json or
 * docs/findings.schema.json. */
json_t *record_read_any(const char *file, struct error *error);

/* record_read() of the content of a file. `file`: its name for messages. */
json_t *record_read_bytes(const char *bytes, size_t size, const char *file, struct error *error);

/* Takes the lock FILE.lock for this process (released at exit; record_unlock() removes the file). Returns 0 and a
 * descriptor in `*lock` (-1 if `file` is NULL), or -1 with the reason if it fails. */
int record_lock(const char *file, int *lock, struct error *error);
void record_unlock(const char *file, int lock);

/* Writes the current time, "2026-01-02T03:04:05Z", to `text` (21 bytes). */
void record_time(char text[21]);

#endif
