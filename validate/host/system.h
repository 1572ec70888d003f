/* system.h - what of a native node's software may change its counts: the record says on which of it they were made; and
 * how the kernel's small files are read. */
#ifndef ASSAY_SYSTEM_H
#define ASSAY_SYSTEM_H

#include <jansson.h>

/* The kernel's release; null if it does not say. A new reference. */
json_t *system_kernel(void);

/* The processor's microcode revision as /proc/cpuinfo writes it ("0x49"); null if it does not say. A new reference. */
json_t *system_microcode(void);

/* One number from a file of /proc or /sys; -1 if it is not there. */
int system_number(const char *file);

/* Its first word; -1 if it is not there. */
int system_word(const char *file, char word[64]);

#endif
