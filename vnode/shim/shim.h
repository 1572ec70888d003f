/* shim.h - the preloaded library that makes processes believe in the virtual node, natively or simulated.
 *
 * Every process of the node loads it (LD_PRELOAD). A preloaded library has no caller to hold its state: it lives in the
 * one structure behind shim().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_SHIM_H
#define ASSAY_SHIM_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "vnode/sim/config.h"

struct shim {
    int active;    /* the process belongs to a node; all else is valid only then */
    int simulated; /* it runs under the engine */
    uint32_t cores;
    uint64_t all; /* mask of all cores */
    uint64_t clock_hz;
    struct sim_config config;
    uint64_t memory_bytes; /* per NUMA domain */
    char folder[4096], tools[4096];
    int64_t realtime_offset; /* of simulated processes: CLOCK_REALTIME less CLOCK_MONOTONIC */
};

const struct shim *shim(void);

/* The cores that the calling thread may use; and these and its memory policy as an entry of the environment, NAME=text
 * (place.h). */
uint64_t shim_affinity(void);
void shim_place(char *out, size_t size);

/* The function that this library hides. */
#define REAL(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&name) real_##name;                                                                          \
        if (!real_##name)                                                                                              \
            real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                  \
        real_##name;                                                                                                   \
    })

/* The file name of LIKWID's library (liblikwid, liblikwidpin) that holds the code at an address; NULL: other code. */
const char *likwid_library_at(void *address);

/* See perfctr.c. Whether this process is likwid-perfctr itself; and called before the user's program is executed: in
 * likwid-perfctr's child it waits until the counters run. */
int perfctr_is_self(void);
void perfctr_await_start(void);

/* In likwid-perfctr: the program that it measures, 0: none. Its sleeps end with that. */
pid_t perfctr_program(void);

/* In likwid-perfctr that measures without a program, before its first sleep: names the events that are not counted.
 * `caller`: who wants to sleep. */
void perfctr_before_sleep(void *caller);

#endif
