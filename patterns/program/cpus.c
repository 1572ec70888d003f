/* cpus.c - lists of hardware threads, and pinning. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/cpus.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

int parse_whole(const char **text, unsigned long limit, unsigned long *value) {
    char *end;
    if (!isdigit((unsigned char)**text))
        return -1;
    errno = 0;
    *value = strtoul(*text, &end, 10);
    *text = end;
    return errno != 0 || *value > limit ? -1 : 0;
}

int cpus_parse(const char *list, int cpu[CPUS_MAX], size_t *count, struct error *error) {
    const char *at = list;
    *count = 0;
    do {
        unsigned long first, last;
        if (parse_whole(&at, CPUS_MAX - 1, &first) != 0)
            break;
        last = first;
        if (*at == '-' && (at++, parse_whole(&at, CPUS_MAX - 1, &last) != 0))
            break;
        for (unsigned long next = first; next <= last; next++) {
            for (size_t i = 0; i < *count; i++) {
                if (cpu[i] == (int)next)
                    return error_set(error, "--cpus %s: CPU %lu twice; name each once", list, next);
            }
            cpu[(*count)++] = (int)next;
        }
        if (*at == '\0' && first <= last)
            return 0;
    } while (*at++ == ',');
    return error_set(error, "--cpus '%s'; give numbers below %d, as in 0,2 or 0-3", list, CPUS_MAX);
}

int cpu_pin(int cpu, struct error *error) {
    cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
    if (set == NULL)
        return error_set(error, "no memory to pin to CPU %d; free some", cpu);
    CPU_ZERO_S(CPU_ALLOC_SIZE(CPUS_MAX), set);
    CPU_SET_S((size_t)cpu, CPU_ALLOC_SIZE(CPUS_MAX), set);
    int failed = pthread_setaffinity_np(pthread_self(), CPU_ALLOC_SIZE(CPUS_MAX), set);
    CPU_FREE(set);
    if (failed != 0)
        return error_set(error, "CPU %d: %s; name CPUs that this process may run on", cpu, strerror(failed));
    return 0;
}
