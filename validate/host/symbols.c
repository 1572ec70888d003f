/* symbols.c - finds functions of an ELF file. SPDX-License-Identifier: GPL-3.0-or-later */
#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbol {
    uint64_t begin, end; /* offsets in the file */
    const char *name;
};

struct symbols {
    const unsigned char *bytes; /* the file, mapped */
    uint64_t size;
    struct symbol *list; /* sorted by `begin` */
    size_t count;
};

/* The file's contents at `offset`; NULL if fewer than `bytes` follow. */
static const void *at(const struct symbols *file, uint64_t offset, uint64_t bytes) {
    return offset <= file->size && bytes <= file->size - offset ? file->bytes + offset : NULL;
}

/* Like at(), for structures, whose offset must be aligned. */
static const void *words_at(const struct symbols *file, uint64_t offset, uint64_t bytes) {
    return offset % sizeof(uint64_t) == 0 ? at(file, offset, bytes) : NULL;
}

static const Elf64_Shdr *section(const struct symbols *file, const Elf64_Ehdr *header, unsigned number) {
    return number < header->e_shnum
               ? words_at(file, header->e_shoff + (uint64_t)number * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr))
               : NULL;
}

/* Adds a function. Its file offset is computed from its address and its section. */
static int take(struct symbols *file, const Elf64_Ehdr *header, const Elf64_Sym *symbol, const char *name) {
    const Elf64_Shdr *code = section(file, header, symbol->st_shndx);
    unsigned char type = ELF64_ST_TYPE(symbol->st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_size == 0 || !code ||
        symbol->st_value < code->sh_addr)
        return 0;
    uint64_t begin = symbol->st_value - code->sh_addr + code->sh_offset;
    file->list[file->count++] = (struct symbol){begin, begin + symbol->st_size, name};
    return 1;
}

/* Adds the functions of a symbol table; returns their number. */
static size_t take_table(struct symbols *file, const Elf64_Ehdr *header, const Elf64_Shdr *table) {
    const Elf64_Shdr *names = section(file, header, table->sh_link);
    const char *text = names ? at(file, names->sh_offset, names->sh_size) : NULL;
    const Elf64_Sym *symbol = words_at(file, table->sh_offset, table->sh_size);
    size_t count = table->sh_size / sizeof *symbol, taken = 0;
    if (!text || !symbol || names->sh_size == 0 || text[names->sh_size - 1] != '\0')
        return 0;
    file->list = calloc(count, sizeof *file->list);
    for (size_t i = 0; file->list && i < count; i++)
        if (symbol[i].st_name < names->sh_size)
            taken += (size_t)take(file, header, &symbol[i], text + symbol[i].st_name);
    return taken;
}

static int compare(const void *a, const void *b) {
    const struct symbol *one = a, *two = b;
    if (one->begin != two->begin)
        return one->begin < two->begin ? -1 : 1;
    return strcmp(one->name, two->name);
}

static void take_functions(struct symbols *file) {
    static const Elf64_Word kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
    const Elf64_Ehdr *header = at(file, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_machine != EM_X86_64 ||
        header->e_shentsize != sizeof(Elf64_Shdr))
        return;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && file->count == 0; kind++)
        for (unsigned i = 0; i < header->e_shnum && file->count == 0; i++) {
            const Elf64_Shdr *table = section(file, header, i);
            if (table && table->sh_type == kinds[kind] && take_table(file, header, table) == 0) {
                free(file->list);
                file->list = NULL;
            }
        }
    if (file->count > 0)
        qsort(file->list, file->count, sizeof *file->list, compare);
}

struct symbols *symbols_read(const char *path) {
    struct stat status;
    struct symbols *file = calloc(1, sizeof *file);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *bytes = MAP_FAILED;
    if (file && fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (bytes == MAP_FAILED) {
        free(file);
        return NULL;
    }
    file->bytes = bytes;
    file->size = (uint64_t)status.st_size;
    take_functions(file);
    if (file->count > 0)
        return file;
    symbols_free(file);
    return NULL;
}

const char *symbols_find(const struct symbols *symbols, uint64_t offset) {
    size_t low = 0, high = symbols->count;
    while (low < high) { /* finds the first that begins after it */
        size_t middle = (low + high) / 2;
        if (symbols->list[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    const struct symbol *found = NULL;
    for (size_t i = low; i > 0 && (!found || symbols->list[i - 1].begin == found->begin); i--)
        if (offset < symbols->list[i - 1].end)
            found = &symbols->list[i - 1];
        else if (!found)
            break;
    return found ? found->name : NULL;
}

const unsigned char *symbols_code(const struct symbols *symbols, const char *name, size_t *size) {
    for (size_t i = 0; i < symbols->count; i++) {
        const struct symbol *symbol = &symbols->list[i];
        *size = symbol->end - symbol->begin;
        if (strcmp(symbol->name, name) == 0)
            return at(symbols, symbol->begin, *size);
    }
    return NULL;
}

void symbols_free(struct symbols *symbols) {
    if (!symbols)
        return;
    munmap((void *)(uintptr_t)symbols->bytes, symbols->size);
    free(symbols->list);
    free(symbols);
}
