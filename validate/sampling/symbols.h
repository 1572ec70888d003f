/* symbols.h - finds the function of an instruction in an ELF file, by its offset in the file. */
#ifndef ASSAY_SYMBOLS_H
#define ASSAY_SYMBOLS_H

#include <stdint.h>

struct symbols;

/* The functions of an x86-64 ELF file, from its symbol table, or from the dynamic symbol table if it is stripped. NULL:
 * not such a file, or unreadable. */
struct symbols *symbols_read(const char *file);

/* The name of the function at that offset of the file; NULL: unknown. Of several names the first in alphabetical order.
 * Valid until symbols_free(). */
const char *symbols_find(const struct symbols *symbols, uint64_t offset);

void symbols_free(struct symbols *symbols);

#endif
