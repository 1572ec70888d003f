/* cores.c - number of cores and current core. In native processes also what their C library reports of the host's
 * caches, memory and instruction sets; in simulated ones the engine presents these to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sched.h>
#include <sys/auxv.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/engine/requests.h"

/* glibc's names for size, ways and line of L1I are followed by those of L1D, L2 and L3, in this order. */
_Static_assert(_SC_LEVEL1_DCACHE_SIZE == _SC_LEVEL1_ICACHE_SIZE + 3 &&
                   _SC_LEVEL2_CACHE_SIZE == _SC_LEVEL1_ICACHE_SIZE + 6 &&
                   _SC_LEVEL3_CACHE_SIZE == _SC_LEVEL1_ICACHE_SIZE + 9,
               "order of glibc's names");

static long cache_property(int name) {
    const struct sim_config *config = &shim()->config;
    const struct sim_cache_config *caches[] = {&config->l1i, &config->l1d, &config->l2, &config->l3};
    int at = name - _SC_LEVEL1_ICACHE_SIZE, is_shared = at / 3 == 3;
    const struct sim_cache_config *cache = caches[at / 3];
    const long properties[] = {(long)cache->size * (is_shared ? (long)config->slices : 1), cache->ways, config->line};
    return properties[at % 3];
}

static uint64_t memory(void) {
    return shim()->memory_bytes * sim_memories(&shim()->config);
}

long sysconf(int name) {
    if (!shim()->active)
        return REAL(sysconf)(name);
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        return shim()->cores;
    if (shim()->simulated)
        return REAL(sysconf)(name);
    if (name >= _SC_LEVEL1_ICACHE_SIZE && name <= _SC_LEVEL3_CACHE_LINESIZE)
        return cache_property(name);
    if (name == _SC_PHYS_PAGES || name == _SC_AVPHYS_PAGES)
        return (long)(memory() / (uint64_t)REAL(sysconf)(_SC_PAGESIZE));
    return REAL(sysconf)(name);
}

long get_phys_pages(void) {
    return sysconf(_SC_PHYS_PAGES);
}

long get_avphys_pages(void) {
    return sysconf(_SC_AVPHYS_PAGES);
}

int sysinfo(struct sysinfo *out) {
    int result = REAL(sysinfo)(out);
    if (result != 0 || !shim()->active || shim()->simulated)
        return result;
    *out = (struct sysinfo){.uptime = out->uptime,
                            .loads = {out->loads[0], out->loads[1], out->loads[2]},
                            .procs = out->procs,
                            .totalram = memory(),
                            .freeram = memory(),
                            .mem_unit = 1};
    return 0;
}

/* On x86-64, glibc's AT_HWCAP has only bits for 64-bit mode and AVX-512, which no node has; AT_HWCAP2 is for
 * instructions that the engine does not execute. */
unsigned long getauxval(unsigned long type) {
    enum { HAS_AVX512 = 4 };
    unsigned long value = REAL(getauxval)(type);
    if (!shim()->active || shim()->simulated)
        return value;
    if (type == AT_HWCAP)
        return value & ~(unsigned long)HAS_AVX512;
    return type == AT_HWCAP2 ? 0 : value;
}

int get_nprocs(void) {
    return shim()->active ? (int)shim()->cores : REAL(get_nprocs)();
}

int get_nprocs_conf(void) {
    return shim()->active ? (int)shim()->cores : REAL(get_nprocs_conf)();
}

/* A native process runs on no core of the node: reports the first one that it may use. */
static unsigned current(void) {
    return shim()->simulated ? engine_get_cpu() : (unsigned)__builtin_ctzll(shim_affinity());
}

int sched_getcpu(void) {
    return shim()->active ? (int)current() : REAL(sched_getcpu)();
}

int getcpu(unsigned *cpu, unsigned *node) {
    if (!shim()->active)
        return REAL(getcpu)(cpu, node);
    if (cpu)
        *cpu = current();
    if (node)
        *node = sim_numa_of(&shim()->config, current());
    return 0;
}
