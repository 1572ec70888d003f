/* monitor.c - monitor SET ROUNDS: what a monitoring daemon does, with LIKWID's C API in a process of its own.
 *
 * Reads the set's first two events of core 1, a line each round, until the second one has counted in ROUNDS rounds: the
 * host may let the other program wait.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUND_US = 100000, ROUNDS_MAX = 1000 };

static int read_once(int group, double value[2]) {
    if (perfmon_setupCounters(group) < 0 || perfmon_startCounters() < 0)
        return -1;
    usleep(ROUND_US);
    if (perfmon_stopCounters() < 0)
        return -1;
    for (int event = 0; event < 2; event++)
        value[event] = perfmon_getLastResult(group, event, 1);
    return 0;
}

int main(int argc, char **argv) {
    int cores[] = {0, 1}, group, left = argc > 2 ? atoi(argv[2]) : 0;
    topology_init();
    HPMmode(ACCESSMODE_DAEMON);
    if (argc != 3 || perfmon_init(2, cores) < 0 || (group = perfmon_addEventSet(argv[1])) < 0)
        return 1;
    for (int i = 0; i < ROUNDS_MAX && left > 0; i++) {
        double value[2];
        if (read_once(group, value) != 0)
            return 1;
        printf("%.0f %.0f\n", value[0], value[1]);
        left -= value[1] > 0;
    }
    perfmon_finalize();
    return left > 0;
}
