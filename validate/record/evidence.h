/* evidence.h - records and group files for `assay groups`: those named, or the newest of the committed history. */
#ifndef ASSAY_EVIDENCE_H
#define ASSAY_EVIDENCE_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* Reads a campaign's record and appends { file, record } with the name that is `shown`. 0, or -1 and the reason. */
int evidence_add(json_t *records, const char *file, const char *shown, struct error *error);

/* [{ file, record }] for the named files; with `count` 0 the history: of DATA/results/ARCH/NODE/ the last file by name.
 * `arch` NULL: every architecture. A record of another architecture than
 * `arch` is an error, and so is finding none. A new reference, or NULL and the reason. */
json_t *evidence_records(const struct paths *paths, const char *arch, char *const files[], size_t count,
                         struct error *error);

/* [{ arch, file, text }]: the group files of every architecture that a record is about. */
json_t *evidence_groups(const struct paths *paths, const json_t *records, struct error *error);

#endif
