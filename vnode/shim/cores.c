/* cores.c - how many cores there are, and which one this is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/engine/requests.h"

long sysconf(int name) {
    if ((name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) && shim()->active)
        return shim()->cores;
    return REAL(sysconf)(name);
}

int get_nprocs(void) {
    return shim()->active ? (int)shim()->cores : REAL(get_nprocs)();
}

int get_nprocs_conf(void) {
    return shim()->active ? (int)shim()->cores : REAL(get_nprocs_conf)();
}

/* A native process runs on no core of the node: it is told the first one that it may use. */
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
        *node = current() / shim()->cores_per_socket;
    return 0;
}
