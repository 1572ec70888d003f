/* utf8.h - which bytes are UTF-8: JSON holds nothing else, and a terminal may obey the others. */
#ifndef ASSAY_UTF8_H
#define ASSAY_UTF8_H

#include <stddef.h>

/* The bytes of the character that the text begins with; 0: they are not UTF-8, or it is the end. */
size_t utf8_length(const char *text);

/* The line, from 1, of the text's first byte that is not UTF-8; 0: all of it is. */
size_t utf8_wrong_line(const char *text);

#endif
