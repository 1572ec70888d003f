/* text.h - whole files as strings. */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include <stddef.h>

#include "error.h"

enum { TEXT_MOST = 64 << 20 };

/* The file's text, NUL-terminated, freed by the caller; NULL with the reason. Files above TEXT_MOST are refused. */
char *text_read(const char *file, struct error *error);

/* Like text_read() for a file that may contain NULs: also stores its size. */
char *text_read_bytes(const char *file, size_t *size, struct error *error);

/* Writes the text to the file, replacing it. */
int text_write(const char *file, const char *text, struct error *error);

/* Like text_write(), but writes FILE.tmp and renames it: FILE is never half-written, and a link is replaced, not
 * followed. */
int text_replace(const char *file, const char *text, struct error *error);

/* Like text_replace(), for `size` bytes of binary data. */
int text_replace_bytes(const char *file, const void *bytes, size_t size, struct error *error);

/* Names of the files in `folder` that end in `suffix`, without the suffix, sorted: a NULL-terminated array, freed by
 * text_free_names(). NULL with the reason. */
char **text_names(const char *folder, const char *suffix, struct error *error);
/* Names below `folder` that match a shell pattern with braces, such as x/y.lua for "*" "/" "*.{c,lua}", in the same
 * form. No match is an error. */
char **text_match(const char *folder, const char *pattern, struct error *error);
void text_free_names(char **names);

#endif
