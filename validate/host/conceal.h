/* conceal.h - removes users' folders from texts that are sent to others. */
#ifndef ASSAY_CONCEAL_H
#define ASSAY_CONCEAL_H

/* Shortens paths in place: "~" for `home` (NULL: unknown), ".../NAME" for other absolute paths outside the system's
 * folders (/dev, /etc, /proc, /usr, ...), and "..." for those with fewer than three parts, whose last may be a user's
 * name. A path ends at a blank, a quote or punctuation. */
void conceal_paths(char *text, const char *home);

#endif
