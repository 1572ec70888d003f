/* system.h - versions of a native node's kernel and microcode, recorded because they may change counts; reads small
 * files of /proc and /sys. */
#ifndef ASSAY_SYSTEM_H
#define ASSAY_SYSTEM_H

#include <jansson.h>

/* The kernel's release; null if unknown. A new reference. */
json_t *system_kernel(void);

/* The processor's microcode revision as written in /proc/cpuinfo ("0x49"); null if missing. A new reference. */
json_t *system_microcode(void);

/* The number in a file of /proc or /sys; -1 if there is none. */
int system_number(const char *file);

/* Stores the first word of such a file; -1 if there is none. */
int system_word(const char *file, char word[64]);

#endif
