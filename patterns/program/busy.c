/* busy.c - processor time inside regions. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/busy.h"

#include <stdio.h>
#include <sys/resource.h>

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

double busy_now(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? seconds(usage.ru_utime) + seconds(usage.ru_stime) : 0;
}

void busy_print(double used) {
    printf("cpu_seconds_in_regions %.6f\n", used);
}
