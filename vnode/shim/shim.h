/* shim.h - the preloaded library that presents the virtual node to processes, native or simulated.
 *
 * Every process of the node loads it (LD_PRELOAD). No caller can hold a preloaded library's state, so shim() returns
 * the one structure that has it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_SHIM_H
#define ASSAY_SHIM_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "vnode/identity.h"
#include "vnode/sim/config.h"

struct shim {
    int active;    /* the process belongs to a node; other members are valid only then */
    int simulated; /* it runs under the engine */
    uint32_t cores;
    uint64_t all; /* mask of all cores */
    uint64_t clock_hz;
    struct sim_config config;
    struct identity_perfmon2 perfmon2;
    uint64_t memory_bytes; /* per memory */
    char folder[4096], tools[4096];
    int64_t realtime_offset; /* of simulated processes: CLOCK_REALTIME less CLOCK_MONOTONIC */
};

const struct shim *shim(void);

/* shim_affinity(): cores that the calling thread may use. shim_place(): these and its memory policy as an environment
 * entry, NAME=text (place.h). */
uint64_t shim_affinity(void);
void shim_place(char *out, size_t size);

/* The function that this library overrides. */
#define REAL(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&name) real_##name;                                                                          \
        if (!real_##name)                                                                                              \
            real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                  \
        real_##name;                                                                                                   \
    })

/* The file name of the LIKWID library (liblikwid, liblikwidpin) that contains the address; NULL: other code. */
const char *likwid_library_at(void *address);

/* In a native process, call when the code at `caller` asks for access() to a file, as LIKWID's library does before it
 * executes CPUID: it then gets the node's answer to a leaf (native_cpuid.c). */
void native_cpuid_answer(void *caller);

/* See perfctr.c. perfctr_is_self(): this process is likwid-perfctr. perfctr_await_start(): call before the user's
 * program is executed; in likwid-perfctr's child it waits until the counters run. */
int perfctr_is_self(void);
void perfctr_await_start(void);

/* In likwid-perfctr: the measured program, 0: none. Sleeps end when it ends. */
pid_t perfctr_program(void);

/* In likwid-perfctr without a program, before its first sleep: reports the events that are not counted. `caller`:
 * address of the code that sleeps. */
void perfctr_before_sleep(void *caller);

#endif
