#!/usr/bin/env bats
# Every way in which programs on a virtual node ask about the machine gives the node's description.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

setup_file() {
    load common
    export NODE=haswellEP-2x4 # more cores than the hosts of developers
    cat >"$BATS_FILE_TMPDIR/raw.c" <<'C'
/* raw PATH...: their first line, by open and by openat, absolute and seen from the root, without the C library. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static void show(long fd) {
    char line[128] = "";
    long n = fd < 0 ? 0 : syscall(SYS_read, fd, line, sizeof line - 1);
    line[n < 0 ? 0 : n] = 0;
    line[strcspn(line, "\n")] = 0;
    puts(fd < 0 ? "missing" : line);
}
int main(int argc, char **argv) {
    long root = syscall(SYS_open, "/", O_RDONLY | O_DIRECTORY);
    for (int i = 1; i < argc; i++) {
        show(syscall(SYS_open, argv[i], O_RDONLY));
        show(syscall(SYS_openat, AT_FDCWD, argv[i], O_RDONLY));
        show(syscall(SYS_openat, root, argv[i] + 1, O_RDONLY));
        if (argv[i][0] != '/') /* the text has been left as it was */
            return 1;
    }
    return 0;
}
C
    cat >"$BATS_FILE_TMPDIR/identity.c" <<'C'
/* What CPUID, sysconf() and the auxiliary vector say, as "NAME VALUE" lines. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>
static unsigned r[4];
static void ask(unsigned leaf, unsigned index) {
    __cpuid_count(leaf, index, r[0], r[1], r[2], r[3]);
}
int main(int argc, char **argv, char **envp) {
    char brand[49] = "";
    (void)argc, (void)argv;
    for (unsigned i = 0; i < 3; i++) {
        ask(0x80000002 + i, 0);
        memcpy(brand + 16 * i, r, 16);
    }
    printf("brand %s\n", brand);
    for (unsigned i = 0; ask(4, i), r[0] & 31; i++)
        printf("cache %u.%u %u %u %u\n", r[0] >> 5 & 7, r[0] & 31, ((r[1] >> 22) + 1) * ((r[1] & 4095) + 1) * (r[2] + 1),
               (r[1] >> 22) + 1, (r[0] >> 14 & 4095) + 1);
    for (int core = 0; core < sysconf(_SC_NPROCESSORS_ONLN); core++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(core, &set);
        sched_setaffinity(0, sizeof set, &set);
        ask(1, 0);
        unsigned apic = r[1] >> 24;
        ask(11, 1);
        printf("core %d apic %u x2apic %u cores %u\n", core, apic, r[3], r[1]);
    }
    ask(1, 0);
    printf("signature %x\n1.ecx %u\n1.edx %u\n", r[0], r[2], r[3]);
    unsigned edx = r[3];
    ask(7, 0);
    printf("7.ebx %u\n7.rest %u\n", r[1], r[2] | r[3]);
    ask(0x80000001, 0);
    printf("x1.ecx %u\nx1.edx %u\n", r[2], r[3]);
    ask(0x80000006, 0);
    printf("x6 %u\n", r[2] >> 16);
    printf("l1d %ld\nl1i %ld\nl2 %ld\nl3 %ld\nways %ld\nline %ld\n", sysconf(_SC_LEVEL1_DCACHE_SIZE),
           sysconf(_SC_LEVEL1_ICACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_SIZE),
           sysconf(_SC_LEVEL3_CACHE_ASSOC), sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
    struct sysinfo info;
    sysinfo(&info);
    printf("processors %ld %ld\nmemory %ld %llu\n", sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_NPROCESSORS_CONF),
           sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), (unsigned long long)info.totalram * info.mem_unit);
    printf("getauxval %lu %lu\n", getauxval(AT_HWCAP) & 4, getauxval(AT_HWCAP2)); /* 4: AVX-512, for glibc */
    struct perf_event_attr clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK, .size = sizeof clock};
    long opened = syscall(SYS_perf_event_open, &clock, 0, -1, -1, 0);
    printf("perf_event_open %s\n", opened < 0 && errno == ENOSYS ? "ENOSYS" : opened < 0 ? strerror(errno) : "opened");
    while (*envp++)
        ;
    for (Elf64_auxv_t *a = (void *)envp; a->a_type; a++)
        if (a->a_type == AT_HWCAP)
            printf("hwcap %d\n", a->a_un.a_val == edx);
        else if (a->a_type == AT_HWCAP2)
            printf("hwcap2 %lu\n", (unsigned long)a->a_un.a_val);
    return 0;
}
C
    gcc -O1 -static -o "$BATS_FILE_TMPDIR/raw-static" "$BATS_FILE_TMPDIR/raw.c"
    gcc -O1 -o "$BATS_FILE_TMPDIR/raw" "$BATS_FILE_TMPDIR/raw.c"
    gcc -O1 -o "$BATS_FILE_TMPDIR/identity" "$BATS_FILE_TMPDIR/identity.c"
    on_node "$BATS_FILE_TMPDIR/identity" >"$BATS_FILE_TMPDIR/identities"
}

# What identity.c printed on the node.
identities() {
    cat "$BATS_FILE_TMPDIR/identities"
}

on_node() {
    "$build/vnode/vnode-run" --node "$NODE" -- "$@"
}

# "line VALUE" of identity's output that begins with NAME
value() {
    sed -n "s/^$1 //p" <<<"$output"
}

# bats test_tags=long
@test "/proc/cpuinfo: the node's processor, natively and simulated" {
    run -0 on_node cat /proc/cpuinfo
    [ "$(grep -c '^processor' <<<"$output")" -eq "$(described $NODE 'd.sockets * d.cores_per_socket')" ]
    [ "$(sed -n 's/^model name.*: //p' <<<"$output" | sort -u)" = "$(described $NODE d.cpu)" ]
    [ "$(grep -c avx512 <<<"$output")" -eq 0 ]
    native=$output
    run on_node python3 -c 'print(open("/proc/cpuinfo").read(), end="")'
    [ "$output" = "$native" ]
}

@test "perf_event is the node's: as Linux with perf_event_paranoid 2 it does not count its kernel" {
    run identities
    [ "$(value perf_event_open)" = "Permission denied" ]
}

@test "system calls without the C library and static programs see the node" {
    cores=0-$(($(described $NODE 'd.sockets * d.cores_per_socket') - 1))
    for program in raw raw-static; do
        run on_node "$BATS_FILE_TMPDIR/$program" /sys/devices/system/cpu/online /proc/cpuinfo /sys//devices/./system/cpu/possible \
            /sys/devices/system/node/node1/cpulist /sys/devices/system/cpu/vulnerabilities/meltdown \
            /proc/sys/kernel/perf_event_paranoid /sys/bus/event_source/devices/software/type /sys/devices/cpu/type
        [ "$status" -eq 0 ]
        [ "$(sed -n 1,3p <<<"$output" | sort -u)" = "$cores" ]
        [ "$(sed -n 4,6p <<<"$output" | sort -u)" = "processor	: 0" ]
        [ "$(sed -n 7,9p <<<"$output" | sort -u)" = "$cores" ]
        [ "$(sed -n 10,12p <<<"$output" | sort -u)" = 4-7 ]
        [ "$(sed -n '13,$p' <<<"$output" | uniq -c | tr -s ' ' | xargs)" = "3 missing 3 2 3 1 3 4" ]
    done
}

@test "CPUID: name, caches and topology, core by core" {
    run -0 identities
    echo "$output"
    [ "$(value brand)" = "$(described $NODE 'd.cpu:sub(1, 47)')" ]
    [ "$(value signature)" = "$(described $NODE 'string.format("%x", d.signature)')" ]
    [ "$(value 'cache 1.1')" = "$(described $NODE 'd.L1.size .. " " .. d.L1.ways .. " 1"')" ]
    [ "$(value 'cache 1.2')" = "$(described $NODE 'd.L1I.size .. " " .. d.L1I.ways .. " 1"')" ]
    [ "$(value 'cache 2.3')" = "$(described $NODE 'd.L2.size .. " " .. d.L2.ways .. " 1"')" ]
    [ "$(value 'cache 3.3')" = "$(described $NODE 'd.last .. " " .. d.L3.ways .. " " .. d.cores_per_socket')" ]
    [ "$(value x6)" = "$(described $NODE 'd.L2.size // 1024')" ]
    [ "$(grep -c '^core' <<<"$output")" -eq 8 ]
    for core in 0 1 2 3 4 5 6 7; do # four cores a socket: no gaps
        grep -qx "core $core apic $core x2apic $core cores 4" <<<"$output"
    done
}

@test "flags of /proc/cpuinfo, CPUID and the auxiliary vector agree" {
    run identities
    [ "$(value hwcap)" = 1 ]
    [ "$(value hwcap2)" = 0 ] || [ -z "$(value hwcap2)" ]
    [ "$(value 7.rest)" = 0 ]
    [ "$(value getauxval)" = "0 0" ]
    identity=$output
    flags=" $(on_node cat /proc/cpuinfo | sed -n 's/^flags.*: //p' | head -n 1) "
    # word, bit and Linux' name of features by which programs choose their code
    while read -r word bit name; do
        word=$(sed -n "s/^$word //p" <<<"$identity")
        in_cpuid=$((word >> bit & 1)) in_flags=0
        case $flags in *" $name "*) in_flags=1 ;; esac
        echo "$name: CPUID $in_cpuid, flags $in_flags"
        [ "$in_cpuid" -eq "$in_flags" ]
    done <<'T'
1.edx 25 sse
1.edx 26 sse2
1.ecx 0 pni
1.ecx 1 pclmulqdq
1.ecx 9 ssse3
1.ecx 12 fma
1.ecx 13 cx16
1.ecx 19 sse4_1
1.ecx 20 sse4_2
1.ecx 22 movbe
1.ecx 23 popcnt
1.ecx 25 aes
1.ecx 26 xsave
1.ecx 28 avx
1.ecx 29 f16c
1.ecx 30 rdrand
1.ecx 31 hypervisor
7.ebx 0 fsgsbase
7.ebx 3 bmi1
7.ebx 4 hle
7.ebx 5 avx2
7.ebx 8 bmi2
7.ebx 9 erms
7.ebx 11 rtm
7.ebx 16 avx512f
7.ebx 17 avx512dq
7.ebx 18 rdseed
7.ebx 19 adx
7.ebx 29 sha_ni
7.ebx 30 avx512bw
7.ebx 31 avx512vl
x1.ecx 0 lahf_lm
x1.ecx 5 abm
x1.ecx 6 sse4a
x1.ecx 16 fma4
x1.edx 27 rdtscp
x1.edx 29 lm
x1.edx 31 3dnow
T
}

# bats test_tags=elsewhere
@test "sysconf: processors, caches and memory, natively and simulated" {
    run identities
    echo "$output"
    [ "$(value l1d)" = "$(described $NODE d.L1.size)" ]
    [ "$(value l1i)" = "$(described $NODE d.L1I.size)" ]
    [ "$(value l2)" = "$(described $NODE d.L2.size)" ]
    [ "$(value l3)" = "$(described $NODE 'd.last')" ]
    [ "$(value ways)" = "$(described $NODE d.L3.ways)" ]
    [ "$(value line)" = "$(described $NODE d.line)" ]
    [ "$(value processors)" = "8 8" ]
    [ "$(value memory)" = "$(described $NODE 'd.memory_bytes * d.sockets .. " " .. d.memory_bytes * d.sockets')" ]
    # the shell's own file test, and a program that runs natively
    run on_node sh -c 'test ! -e /sys/devices/system/cpu/cpu8 && test -d /sys/devices/system/cpu/cpu7 && nproc'
    [ "$status" -eq 0 ]
    [ "$output" = 8 ]
    run on_node ls /sys/devices/system/node
    [[ "$output" == *node0*node1* ]]
}

@test "sysconf of a native process: the node's processors, caches and memory" {
    "$build/tests/engine/node_tool" create .
    run -0 env ASSAY_NODE_DIR=. ASSAY_NODE_TOOLS="$build/vnode" LD_PRELOAD="$build/vnode/libassay-node.so" "$BATS_FILE_TMPDIR/identity"
    echo "$output"
    # as tests/engine/node_tool.c has them
    [ "$(value l1d)" -eq $((32 << 10)) ]
    [ "$(value l2)" -eq $((256 << 10)) ]
    [ "$(value l3)" -eq $((4 * 2560 << 10)) ]
    [ "$(value ways)" -eq 20 ]
    [ "$(value line)" -eq 64 ]
    [ "$(value processors)" = "4 4" ]
    [ "$(value memory)" = "$((1 << 32)) $((1 << 32))" ]
    [ "$(value getauxval)" = "0 0" ]
}

# bats test_tags=long,elsewhere
@test "lscpu, numactl and hwloc show the node, also without LIKWID's and hwloc's files" {
    needs lscpu
    run on_node env -u HWLOC_XMLFILE lscpu
    echo "$output"
    grep -Eq '^Model name: +'"$(described $NODE d.cpu | sed 's/[()]/\\&/g')"'$' <<<"$output"
    grep -Eq '^CPU\(s\): +8$' <<<"$output"
    grep -Eq '^Socket\(s\): +2$' <<<"$output"
    grep -Eq '^L3.* 20 MiB \(2 instances\)$' <<<"$output"
    grep -Eq '^NUMA node1 CPU\(s\): +4-7$' <<<"$output"
    needs numactl
    run on_node numactl --hardware
    [[ "$output" == *"available: 2 nodes (0-1)"* ]]
    [[ "$output" == *"node 1 cpus: 4 5 6 7"* ]]
    [[ "$output" == *"node 1 size: $(described $NODE 'd.memory_bytes // 1048576') MB"* ]]
    needs lstopo-no-graphics
    run on_node env -u HWLOC_XMLFILE lstopo-no-graphics --no-io --of console
    echo "$output"
    [ "$(grep -c 'L3 L#. (10MB)' <<<"$output")" -eq 2 ]
    [ "$(grep -c 'L2 (256KB)\|L2 L#.* (256KB) + L1d L#.* (32KB) + L1i L#.* (32KB)' <<<"$output")" -eq 8 ]
}

# bats test_tags=long
@test "Python and Open MPI count the node's processors" {
    run on_node python3 -c 'import os; print(os.cpu_count())'
    [ "$output" = 8 ]
    run on_node python3 -c 'print([l.split()[1] for l in open("/proc/self/status") if l.startswith(("Cpus_allowed_list", "Mems_allowed_list"))])'
    [ "$output" = "['0-7', '0-1']" ]
    needs mpirun
    run on_node env -u HWLOC_XMLFILE OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        mpirun -n 6 --bind-to none --display-map true
    echo "$output"
    [ "$status" -eq 0 ] # six slots on a host with fewer
}

# bats test_tags=long
@test "a host without /sys" {
    unshare -rm true || skip "no mount namespaces for this user"
    run unshare -rm sh -c "mount -t tmpfs none /sys && '$build/vnode/vnode-run' --node $NODE -- '$BATS_FILE_TMPDIR/raw' \
        /sys/devices/system/cpu/online && '$build/vnode/vnode-run' --node $NODE -- cat /sys/devices/system/node/online &&
        '$build/vnode/vnode-run' --node $NODE -- '$BATS_FILE_TMPDIR/identity'"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 0-7 ]
    [ "${lines[3]}" = 0-1 ]
    [ "$(value processors)" = "8 8" ]
}

@test "the node leaves no files behind" {
    mkdir scratch
    TMPDIR=$PWD/scratch on_node true
    [ -z "$(ls -A scratch)" ]
}

# bats test_tags=long,elsewhere
@test "likwid-features shows the node's features: no prefetchers on any core" {
    command -v likwid-features || skip "not part of this LIKWID"
    for node in haswellEP-1x2 broadwellEP-1x2 skylakeX-1x2; do
        run "$assay" vnode --node $node -- likwid-features -c 0,1 -l
        echo "$output"
        [[ "$output" != *"Cannot read"* ]]
        [ "$(grep -cE '^(HW|CL|DCU|IP)_PREFETCHER +off\s+off' <<<"$output")" -eq 4 ]
        [ "$(grep -cE '^(FAST_STRINGS|PEBS|BRANCH_TRACE_STORAGE|TURBO_MODE) +off\s+off' <<<"$output")" -eq 4 ]
        [ "$(grep -cE '^(PERF_MON|MONITOR|XD_BIT) +on\s+on' <<<"$output")" -eq 3 ]
    done
    run "$assay" vnode --node haswellEP-1x1 -- sh -c 'likwid-features -c 0 -e HW_PREFETCHER; likwid-features -c 0 -l'
    [[ "$output" =~ HW_PREFETCHER\ +off ]] # prefetchers cannot be switched on
    run "$assay" vnode --node zen3-1x1 -- likwid-features -c 0 -l # LIKWID's own message
    [[ "$output" == *"only available on Intel"* ]]
}
