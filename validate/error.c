/* error.c - formats one-line errors. SPDX-License-Identifier: GPL-3.0-or-later */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The length of the control character that the text begins with, in UTF-8; 0: none. Beside ASCII's those of ISO 6429
 * (U+0080 to U+009F), line and paragraph separators and changes of the writing direction. */
static size_t control_length(const unsigned char *text) {
    if (text[0] < ' ' || text[0] == 127)
        return 1;
    if (text[0] == 0xc2 && text[1] >= 0x80 && text[1] <= 0x9f)
        return 2;
    if (text[0] == 0xe2 && text[1] == 0x80 && text[2] >= 0xa8 && text[2] <= 0xae)
        return 3;
    return text[0] == 0xe2 && text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9 ? 3 : 0;
}

static void make_plain(char *text) {
    while (*text != '\0') {
        size_t length = control_length((const unsigned char *)text);
        if (length > 0)
            memset(text, *text == '\n' || *text == '\t' ? ' ' : '?', length);
        text += length > 0 ? length : 1;
    }
}

int error_set(struct error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    make_plain(error->text);
    return -1;
}
