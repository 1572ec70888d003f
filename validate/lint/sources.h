/* sources.h - the texts that `assay lint` reads: linted files, LIKWID's tables, the vendor's codes. */
#ifndef ASSAY_LINT_SOURCES_H
#define ASSAY_LINT_SOURCES_H

#include <jansson.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* All functions return a new reference, or NULL with the reason. */

/* The linted files: { file, text, kind = "group" | "table", shown } each. `words`: files, folders (their *.txt, and
 * *.txt one folder below), or names in groups/. Without words: all files of `tree`, or, if that is NULL, all our
 * groups. Other groups in a named file's folder are in the array with shown = false. `tree`: a LIKWID source tree, or
 * NULL. */
json_t *sources_files(const struct paths *paths, char *const words[], int count, const char *tree, struct error *error);

/* { file, text } of the files of a LIKWID source tree that lua/lint/source_tree.lua reads. */
json_t *sources_tree(const char *tree, struct error *error);

/* { arch, text } with the output of likwid-perfctr -e for each architecture of the files, on its virtual node.
 * Architectures without a node, or all if LIKWID is missing, are named on stderr. */
json_t *sources_listed(const struct paths *paths, const json_t *files);

/* { arch, text } with pmu.vendor of all architectures. */
json_t *sources_vendor(const struct paths *paths, struct error *error);

/* { arch, list } with the lists of a clone of github intel/perfmon for the architectures of `source` (sources_tree());
 * an empty array without `folder`. */
json_t *sources_perfmon(struct script *script, const char *folder, json_t *source, struct error *error);

#endif
