/* native_checks.h - LIKWID's repeated questions for devices (native_checks.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_NATIVE_CHECKS_H
#define ASSAY_SHIM_NATIVE_CHECKS_H

/* In a native process, before LIKWID's library first writes to a daemon. `caller`: an address in that library. */
void native_checks_begin(void *caller);

#endif
