/* plain.h - texts from files, records and names without what a terminal would obey: control characters of ASCII and of
 * ISO 6429 (U+0080 to U+009F), separators of lines and paragraphs, changes of the writing direction, and bytes that are
 * not UTF-8. */
#ifndef ASSAY_PLAIN_H
#define ASSAY_PLAIN_H

/* In place: newlines and tabs become blanks unless the text `keeps_lines`, the others '?' per byte. Nonzero if anything
 * was changed. */
int plain_text(char *text, int keeps_lines);

/* Nonzero if plain_text() would change nothing. */
int plain_is(const char *text, int keeps_lines);

#endif
