/* calibration.h - likwid-perfctr's measurement of the time-stamp clock.
 *
 * It runs natively, so its time stamps are the host's, but its metrics must use the node's clock. When it starts it
 * counts time stamps over two sleeps of half a second between two gettimeofday(). Here gettimeofday() is told from the
 * time stamps themselves, as if they ticked at the node's clock, and the two sleeps are cut short.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_CALIBRATION_H
#define ASSAY_SHIM_CALIBRATION_H

#include <stdint.h>
#include <time.h>

/* Time of day in ns for likwid-perfctr, 0 in any other process. */
int64_t calibration_time(void);

/* 1 if a sleep was part of the measurement and is over. */
int calibration_sleep(const struct timespec *wanted);

#endif
