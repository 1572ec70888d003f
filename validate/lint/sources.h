/* sources.h - the texts that `assay lint` reads: linted files, LIKWID's tables, the vendor's codes. */
#ifndef ASSAY_LINT_SOURCES_H
#define ASSAY_LINT_SOURCES_H

#include <jansson.h>
#include <limits.h>

#include "validate/host/error.h"
#include "validate/host/paths.h"
#include "validate/host/script.h"

/* A folder's name as it begins the names of its files: without slashes at its end. -1 with the reason. */
int sources_folder(char folder[PATH_MAX], const char *word, struct error *error);

/* All others return a new reference, or NULL with the reason. */

/* The linted files: { file, text, kind = "group" | "table", shown } each. `words`: files, folders (their *.txt, and
 * *.txt one folder below), or names in groups/. Without words: all files of `tree`, or, if that is NULL, all our
 * groups. Other groups in a named file's folder are in the array with shown = false. `tree`: a LIKWID source tree, or
 * NULL. */
json_t *sources_files(const struct paths *paths, char *const words[], int count, const char *tree, struct error *error);

/* What the doors "lint:.." take: `files` (sources_files()), and what they are compared with. `tree`, `perfmon`: folders
 * of a LIKWID source tree and of a clone of github intel/perfmon, or NULL. Without a tree LIKWID itself lists events;
 * architectures that it has no node for are appended to `unlisted`. */
json_t *sources_input(const struct paths *paths, struct script *script, const json_t *files, const char *tree,
                      const char *perfmon, json_t *unlisted, struct error *error);

#endif
