/* evidence.h - loads records and group files for `assay groups`: named files, or the newest in results/. */
#ifndef ASSAY_EVIDENCE_H
#define ASSAY_EVIDENCE_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* Reads a campaign's record and appends { file, record }, where file is `shown`. 0, or -1 with the reason. */
int evidence_add(json_t *records, const char *file, const char *shown, struct error *error);

/* Whether the record of an entry { file, record } has published figures (kind historical). */
int evidence_is_historical(const json_t *entry);

/* Appends the last record of LIKWID's counts, by name of the file, in each DATA/results/ARCH/NODE/, of one architecture
 * or (`arch` NULL) of all. */
int evidence_history(json_t *records, const struct paths *paths, const char *arch, struct error *error);

/* [{ file, record }] for the named files; with `count` 0 for those of evidence_history() that are not historical.
 * `arch` NULL: every architecture. No record at all, one that is not LIKWID's counts, or one of another architecture
 * than `arch`, is an error. A new reference, or NULL with the reason. */
json_t *evidence_records(const struct paths *paths, const char *arch, char *const files[], size_t count,
                         struct error *error);

/* [{ arch, file, text }]: the group files of the records' architectures. */
json_t *evidence_groups(const struct paths *paths, const json_t *records, struct error *error);

#endif
