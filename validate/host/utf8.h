/* utf8.h - checks for UTF-8: JSON allows nothing else, and other bytes may control a terminal. */
#ifndef ASSAY_UTF8_H
#define ASSAY_UTF8_H

#include <stddef.h>

/* Length in bytes of the first character; 0: not UTF-8, or the end of the text. */
size_t utf8_length(const char *text);

/* The line, from 1, of the first byte that is not UTF-8; 0: the whole text is UTF-8. */
size_t utf8_wrong_line(const char *text);

#endif
