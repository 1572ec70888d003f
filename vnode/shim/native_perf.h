/* native_perf.h - perf_event in a native LIKWID that is built for it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_NATIVE_PERF_H
#define ASSAY_SHIM_NATIVE_PERF_H

/* perf_event_open() as syscall() gets it from the code at `caller` in LIKWID's library. */
long native_perf_open(void *caller, const long *arguments);

#endif
