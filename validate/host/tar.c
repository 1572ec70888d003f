/* tar.c - tar archives. SPDX-License-Identifier: GPL-3.0-or-later */
#include "tar.h"

#include <stdlib.h>
#include <string.h>

/* The header block of a file; numbers are octal text. */
struct header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100];
    char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};
_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is a block");

/* Writes `digits` octal digits and a NUL. */
static void put_octal(char *field, int digits, unsigned long long value) {
    for (field[digits] = '\0'; digits > 0; value >>= 3)
        field[--digits] = (char)('0' + (value & 7));
}

/* The sum of all bytes of a header; its checksum field must hold blanks. */
static unsigned sum(const struct header *header) {
    const unsigned char *byte = (const unsigned char *)header;
    unsigned total = 0;
    for (size_t i = 0; i < sizeof *header; i++)
        total += byte[i];
    return total;
}

int tar_add(FILE *stream, const char *name, const void *bytes, size_t size) {
    static const char nothing[TAR_BLOCK];
    struct header header = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
    if (strlen(name) > TAR_NAME_MAX || (unsigned long long)size >> 33 != 0)
        return -1;
    strcpy(header.name, name);
    put_octal(header.mode, 7, 0644);
    put_octal(header.uid, 7, 0);
    put_octal(header.gid, 7, 0);
    put_octal(header.size, 11, size);
    put_octal(header.mtime, 11, 0);
    memset(header.checksum, ' ', sizeof header.checksum);
    put_octal(header.checksum, 6, sum(&header)); /* followed by NUL and a blank */
    size_t fill = (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK;
    return fwrite(&header, sizeof header, 1, stream) == 1 && fwrite(bytes, 1, size, stream) == size &&
                   fwrite(nothing, 1, fill, stream) == fill
               ? 0
               : -1;
}

int tar_end(FILE *stream) {
    static const char nothing[2 * TAR_BLOCK];
    return fwrite(nothing, sizeof nothing, 1, stream) == 1 ? 0 : -1;
}

int tar_is(const char *bytes, size_t size) {
    return size >= TAR_BLOCK && memcmp(bytes + offsetof(struct header, magic), "ustar", strlen("ustar")) == 0;
}

int tar_is_whole(const char *bytes, size_t size) {
    static const char nothing[2 * TAR_BLOCK];
    return size >= sizeof nothing && memcmp(bytes + size - sizeof nothing, nothing, sizeof nothing) == 0;
}

const char *tar_find(const char *bytes, size_t size, const char *name, size_t *length) {
    while (tar_is(bytes, size)) {
        const struct header *header = (const struct header *)bytes;
        char digits[sizeof header->size + 1] = "";
        memcpy(digits, header->size, sizeof header->size);
        unsigned long long content = strtoull(digits, NULL, 8);
        bytes += TAR_BLOCK;
        size -= TAR_BLOCK;
        if (content > size)
            return NULL;
        if (strncmp(header->name, name, sizeof header->name) == 0) {
            *length = (size_t)content;
            return bytes;
        }
        size_t blocks = ((size_t)content + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
        if (blocks > size)
            return NULL;
        bytes += blocks;
        size -= blocks;
    }
    return NULL;
}
