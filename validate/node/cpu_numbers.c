/* cpu_numbers.c - asks LIKWID how it numbers CPUs. SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_numbers.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* LIKWID's number of a CPU, or NULL. */
static json_t *number_of(const json_t *numbers, const json_t *cpu) {
    char key[32];
    snprintf(key, sizeof key, "%lld", (long long)json_integer_value(cpu));
    return json_object_get(numbers, key);
}

static int check(const json_t *numbers, const json_t *description, struct error *error) {
    size_t part, index;
    json_t *cpus, *cpu;
    json_array_foreach(json_object_get(description, "cpus_by_socket"), part, cpus) {
        json_array_foreach(cpus, index, cpu) {
            if (number_of(numbers, cpu) == NULL)
                return error_set(error, "likwid-pin -p does not list CPU %lld of the cpuset; run with other CPUs",
                                 (long long)json_integer_value(cpu));
        }
    }
    return 0;
}

int cpu_numbers_find(json_t **numbers, const struct likwid *likwid, const json_t *description, struct error *error) {
    cpu_set_t usable;
    *numbers = NULL;
    if (sched_getaffinity(0, sizeof usable, &usable) != 0 ||
        CPU_COUNT(&usable) >= sysconf(_SC_NPROCESSORS_CONF)) /* LIKWID sees no cpuset, by the same test */
        return 0;
    *numbers = likwid_numbers(likwid, CPU_COUNT(&usable), error);
    return *numbers != NULL ? check(*numbers, description, error) : -1;
}

json_t *cpu_numbers_translate(const json_t *numbers, const json_t *cpus) {
    json_t *list = json_array(), *cpu;
    size_t index;
    json_array_foreach(cpus, index, cpu) {
        json_t *number = number_of(numbers, cpu);
        json_array_append(list, number != NULL ? number : cpu);
    }
    return list;
}
