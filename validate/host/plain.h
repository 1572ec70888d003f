/* plain.h - removes terminal control characters from texts of files, records and names: ASCII and ISO 6429 controls
 * (U+0080 to U+009F), line and paragraph separators, changes of the writing direction, and invalid UTF-8. */
#ifndef ASSAY_PLAIN_H
#define ASSAY_PLAIN_H

/* Works in place: newlines and tabs become blanks unless `keeps_lines`; each byte of other control characters becomes
 * '?'. Nonzero if anything was changed. */
int plain_text(char *text, int keeps_lines);

/* Nonzero if plain_text() would change nothing. */
int plain_is(const char *text, int keeps_lines);

#endif
