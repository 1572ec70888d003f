/* utf8.c - a decoder for UTF-8 (RFC 3629). SPDX-License-Identifier: GPL-3.0-or-later */
#include "utf8.h"

#include <stdint.h>

/* The character's length, given by its first byte; 0: not a first byte. */
static size_t announced(unsigned char byte) {
    return byte == 0 ? 0 : byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
}

size_t utf8_length(const char *text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* smaller values have shorter forms */
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = announced(byte[0]);
    if (length < 2)
        return length;
    uint32_t code = byte[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte[i] & 0x3f);
    }
    int is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[length] || is_surrogate || code > 0x10ffff ? 0 : length;
}

size_t utf8_wrong_line(const char *text) {
    size_t line = 1;
    while (*text != '\0') {
        size_t length = utf8_length(text);
        if (length == 0)
            return line;
        line += *text == '\n';
        text += length;
    }
    return 0;
}
