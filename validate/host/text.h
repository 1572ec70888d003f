/* text.h - whole files as strings. */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include <stddef.h>

#include "error.h"

/* The file's text, NUL-terminated, to be freed; NULL and the reason. Files above 64 MiB are refused. */
char *text_read(const char *file, struct error *error);

/* Writes the text to the file, replacing it. */
int text_write(const char *file, const char *text, struct error *error);

/* Like text_write, through FILE.tmp and a rename: FILE is never half-written, and a link is replaced, not followed. */
int text_replace(const char *file, const char *text, struct error *error);

/* The same of `size` bytes that are no text. */
int text_replace_bytes(const char *file, const void *bytes, size_t size, struct error *error);

/* Names (without suffix) of the files in `folder` that end in `suffix`, sorted: array of strings to be freed, with
 * a NULL at the end. NULL and the reason. */
char **text_names(const char *folder, const char *suffix, struct error *error);
/* Names below `folder` that match a pattern as shells have it, such as x/y.lua of "*" "/" "*.lua", sorted, in the same
 * form; none is an error. */
char **text_match(const char *folder, const char *pattern, struct error *error);
void text_free_names(char **names);

#endif
