/* cubex.h - files of CUBE 4 (.cubex), which Cube's browser and its tools read: a tar archive of the description,
 * anchor.xml, and of each metric M.index and M.data.
 *
 * M.index: "CUBEX.INDEX", then the number 1, which tells the order of bytes (4 bytes), a version (2 bytes, 0), how the
 * index is kept (1 byte, 1: a list), how many call paths have values (4 bytes), and their numbers (4 bytes each).
 * M.data: "CUBEX.DATA", then of each of these call paths a value for each thread (8 bytes, IEEE 754). */
#ifndef ASSAY_CUBEX_H
#define ASSAY_CUBEX_H

#include <jansson.h>

#include "validate/host/error.h"

/* Writes what program.report.cube exports, through FILE.tmp and a rename. 0, or -1 and the reason. */
int cubex_write(const char *file, const json_t *cube, struct error *error);

#endif
