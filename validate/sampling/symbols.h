/* symbols.h - which function of an ELF file an instruction belongs to, by its offset in the file. */
#ifndef ASSAY_SYMBOLS_H
#define ASSAY_SYMBOLS_H

#include <stdint.h>

struct symbols;

/* The functions of an x86-64 ELF file: of its symbol table, or of the table of what it exports where it has been
 * stripped. NULL: it is none, or cannot be read. */
struct symbols *symbols_read(const char *file);

/* The function at that offset of the file, NULL: none that is known. Of several names of one place the first in the
 * alphabet. As long as the symbols. */
const char *symbols_find(const struct symbols *symbols, uint64_t offset);

void symbols_free(struct symbols *symbols);

#endif
