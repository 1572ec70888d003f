/* remembered.h - keeps LIKWID's answer about itself in the cache folder, until a file or a variable that it depends on
 * changes. */
#ifndef ASSAY_REMEMBERED_H
#define ASSAY_REMEMBERED_H

#include <limits.h>
#include <stdio.h>

#include "validate/host/paths.h"

/* Stores the name of the file for the answer of `perfctr` in `file`. -1: the answer must not be kept, because
 * `perfctr` is not LIKWID's own Lua script and may start anything, or because there is no cache folder. */
int remembered_file(const struct paths *paths, const char *perfctr, char file[PATH_MAX]);

/* The answer, freed by the caller; NULL if there is none, or if LIKWID's library has changed since. */
char *remembered_read(const char *file);

/* Prints a line that changes if the file is changed, replaced, made or removed. */
void remembered_identity(FILE *out, const char *path);

/* Keeps an answer. A failure has no effect: LIKWID is then asked again. */
void remembered_write(const char *file, const char *answer);

#endif
