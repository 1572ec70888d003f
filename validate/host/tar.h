/* tar.h - writes tar archives (POSIX ustar), of regular files only: readable by everybody, dated 1970, so that the same
 * contents are the same bytes. */
#ifndef ASSAY_TAR_H
#define ASSAY_TAR_H

#include <stddef.h>
#include <stdio.h>

enum { TAR_BLOCK = 512, TAR_NAME_MAX = 99 };

/* One more file. 0; -1: the stream failed, the name is longer than TAR_NAME_MAX, or the file larger than 8 GiB. */
int tar_add(FILE *stream, const char *name, const void *bytes, size_t size);

/* The end, behind the last file. 0 or -1. */
int tar_end(FILE *stream);

#endif
