/* likwid_version.h - the version of the installed LIKWID.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_LAUNCH_LIKWID_VERSION_H
#define ASSAY_LAUNCH_LIKWID_VERSION_H

#include <stdint.h>

/* 50202 for "5.2.2", 50300 for "5.3"; 0: no version. */
uint32_t likwid_version_number(const char *text);

/* 50202 for "likwid-perfctr -- Version 5.2.2 (commit: ...)"; 0: no version in the text. */
uint32_t likwid_version_of(const char *text);

/* Format and arguments that print a version. */
#define LIKWID_VERSION "%u.%u.%u"
#define LIKWID_VERSION_NUMBERS(version) (version) / 10000, (version) / 100 % 100, (version) % 100

/* The version of the likwid-perfctr in PATH, 0: not found. */
uint32_t likwid_version(void);

#endif
