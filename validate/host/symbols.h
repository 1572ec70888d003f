/* symbols.h - finds functions of an ELF file: by the offset of an instruction in the file, or by name. */
#ifndef ASSAY_SYMBOLS_H
#define ASSAY_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct symbols;

/* The functions of an x86-64 ELF file, from its symbol table, or from the dynamic symbol table if it is stripped. NULL:
 * not such a file, or unreadable. */
struct symbols *symbols_read(const char *file);

/* The name of the function at that offset of the file; NULL: unknown. Of several names the first in alphabetical order.
 * Valid until symbols_free(). */
const char *symbols_find(const struct symbols *symbols, uint64_t offset);

/* The code of the function with that name; NULL: there is none. Valid until symbols_free(). */
const unsigned char *symbols_code(const struct symbols *symbols, const char *name, size_t *size);

void symbols_free(struct symbols *symbols);

#endif
