/* tar.h - writes and reads tar archives (POSIX ustar) of regular files. Every file is readable by all users and dated
 * 1970, so equal contents give equal archives. */
#ifndef ASSAY_TAR_H
#define ASSAY_TAR_H

#include <stddef.h>
#include <stdio.h>

enum { TAR_BLOCK = 512, TAR_NAME_MAX = 99 };

/* Adds a file. Returns 0, or -1 if the stream failed, the name is longer than TAR_NAME_MAX, or the file is larger than
 * 8 GiB. */
int tar_add(FILE *stream, const char *name, const void *bytes, size_t size);

/* Writes the end of the archive, after the last file. Returns 0 or -1. */
int tar_end(FILE *stream);

/* Whether the bytes begin with a header. */
int tar_is(const char *bytes, size_t size);

/* Whether the archive ends with an end mark, and so is not cut off. */
int tar_is_whole(const char *bytes, size_t size);

/* The content of the file `name` in an archive, and its length. NULL if there is none, or the archive ends early. */
const char *tar_find(const char *bytes, size_t size, const char *name, size_t *length);

#endif
