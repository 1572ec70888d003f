/* record.h - record files, schema 1 (its keys are a contract: man page, RECORDS): read, check, write whole or not at
 * all. */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include <jansson.h>

#include "validate/host/error.h"

enum { RECORD_SCHEMA = 1 };

/* Larger files are no records: all patterns on two sockets of 18 cores each, ten repetitions, are 50 000 samples, in 22
 * MB with their metrics; RECORD_MARGIN times that. A sample takes some 410 bytes. */
enum { RECORD_BYTES_MAX = 128 << 20, RECORD_MARGIN = 6, RECORD_BYTES_OF_SAMPLE = 450 };

/* How values are written (flags of json_dump): readable, keys sorted, numbers with twelve digits. */
#define RECORD_FORMAT (JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(12))

/* In what follows no file (NULL), which a command has not been asked for, is right: nothing is written or locked. */

/* Writes `value` to FILE.tmp, a new file (fresh.h), syncs and renames it, so that FILE is never half-written. */
int record_write(const char *file, const json_t *value, struct error *error);

/* The same for a record without its samples, a metric a line: what is kept over time. Metrics have the constants from
 * which a correction can be checked (lua/exchange/catalogue/metric.lua). */
int record_write_compact(const char *file, const json_t *record, struct error *error);

/* Whether a record can be written to `file`, as far as can be told before: -1 and why not. A link is not: it would be
 * replaced, not followed. */
int record_check_target(const char *file, struct error *error);

/* Reads a record, checks it against docs/record.schema.json and makes its texts plain (plain.h). A new reference, or
 * NULL and a line that names the file and the line or the key path in it. */
json_t *record_read(const char *file, struct error *error);

/* The same of a record of any kind that a command writes: a campaign's has no "kind", others are checked against
 * docs/curves.schema.json, docs/sampling.schema.json, docs/analysis.schema.json and docs/findings.schema.json. */
json_t *record_read_any(const char *file, struct error *error);

/* Takes the lock FILE.lock for this process (released at exit; the file is removed by record_unlock). 0 and a
 * descriptor in `*lock`, -1 there without a file; or -1 if another campaign holds it. */
int record_lock(const char *file, int *lock, struct error *error);
void record_unlock(const char *file, int lock);

/* "2026-01-02T03:04:05Z", now. `text` holds at least 21 bytes. */
void record_time(char text[21]);

#endif
