/* plain.c - removes control characters from texts. SPDX-License-Identifier: GPL-3.0-or-later */
#include "plain.h"

#include <string.h>

#include "utf8.h"

/* Length of the control character at the start of the text; 1 for an invalid byte, 0 for other text. Bytes 0x80 to 0x9f
 * control an 8-bit terminal. */
static size_t control_length(const char *text) {
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < ' ' || byte[0] == 127 || utf8_length(text) == 0)
        return 1;
    if (byte[0] == 0xc2)
        return byte[1] <= 0x9f ? 2 : 0;
    if (byte[0] != 0xe2)
        return 0;
    int is_separator = byte[1] == 0x80 && byte[2] >= 0xa8 && byte[2] <= 0xae;
    return is_separator || (byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9) ? 3 : 0;
}

int plain_is(const char *text, int keeps_lines) {
    for (; *text != '\0'; text += utf8_length(text)) {
        int is_blank = *text == '\n' || *text == '\t';
        if (control_length(text) > 0 && !(is_blank && keeps_lines))
            return 0;
    }
    return 1;
}

int plain_text(char *text, int keeps_lines) {
    int changed = 0;
    while (*text != '\0') {
        size_t length = control_length(text);
        int is_blank = *text == '\n' || *text == '\t';
        if (length > 0 && !(is_blank && keeps_lines)) {
            memset(text, is_blank ? ' ' : '?', length);
            changed = 1;
        }
        text += length > 0 ? length : utf8_length(text);
    }
    return changed;
}
