/* cubex.h - writes CUBE 4 files (.cubex) for the Cube browser and its tools: a tar archive of a description,
 * anchor.xml, and M.index and M.data for each metric M.
 *
 * M.index: "CUBEX.INDEX", the number 1 as byte-order mark (4 bytes), a version (2 bytes, 0), the index format (1 byte,
 * 1: a list), the number of call paths with values (4 bytes), their indices (4 bytes each). M.data: "CUBEX.DATA", then
 * for each of these call paths a value per thread (8 bytes, IEEE 754). */
#ifndef ASSAY_CUBEX_H
#define ASSAY_CUBEX_H

#include <jansson.h>

#include "validate/host/error.h"

/* Writes the export of program.report.cube to FILE.tmp and renames it. 0, or -1 with the reason. */
int cubex_write(const char *file, const json_t *cube, struct error *error);

#endif
