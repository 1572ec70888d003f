#!/usr/bin/env bats
# A virtual node has an architecture and any shape that the architecture's machine.lua allows: what programs see, and on which cores they
# are counted. Some architectures exist for this test only (tests/archs): they show that the code has no list of architectures.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

on() { # NODE COMMAND...: of an architecture for tests
    local name=$1
    shift
    run --separate-stderr "$build/vnode/vnode-run" --groups "$root/tests/archs" --node "$name" -- "$@"
    echo "$name: $* -> $status: $output" "$stderr"
    [ "$status" -eq 0 ]
}

# The "Cache groups" of likwid-topology's last level, one line.
last_level() {
    grep '^Cache groups:' <<<"$output" | tail -n 1 | tr -s '\t ' ' '
}

# bats test_tags=elsewhere
@test "likwid-topology: two sockets of 14 cores" {
    run -0 "$assay" vnode --node haswellEP-2x14 -- likwid-topology
    grep -Eq '^Sockets:\s+2$' <<<"$output"
    grep -Eq '^Cores per socket:\s+14$' <<<"$output"
    grep -Eq '^Size:\s+35 MB$' <<<"$output" # 14 slices
    [ "$(last_level)" = "Cache groups: ( $(seq -s ' ' 0 13) ) ( $(seq -s ' ' 14 27) )" ]
    grep -Eq "^Processors:\s+\( $(seq -s ' ' 14 27) \)" <<<"$output"
}

# bats test_tags=long
@test "likwid-topology: core complexes, victim last level, NUMA domains within a socket" {
    on complexes-1x16 likwid-topology -c
    grep -Eq '^CPU type:.*Zen3' <<<"$output"
    grep -Eq '^Size:\s+32 MB$' <<<"$output"
    [ "$(last_level)" = "Cache groups: ( $(seq -s ' ' 0 7) ) ( $(seq -s ' ' 8 15) )" ]
    [ "$(grep -c 'Non Inclusive' <<<"$output")" -eq 3 ]
    on complexes-1x13 likwid-topology # the last complex has one core fewer
    [ "$(last_level)" = "Cache groups: ( $(seq -s ' ' 0 6) ) ( $(seq -s ' ' 7 12) )" ]
    on victims-1x4 likwid-topology -c
    grep -Eq '^CPU type:.*Skylake SP' <<<"$output"
    grep -Eq '^Size:\s+5.50 MB$' <<<"$output"
    grep -Eq '^NUMA domains:\s+2$' <<<"$output"
    grep -Eq '^Distances:\s+10 12' <<<"$output"
}

@test "likwid-pin -p: sockets, last levels and NUMA domains" {
    on complexes-2x16 likwid-pin -p
    [ "$(grep -A1 '^Domain C3:' <<<"$output" | tail -n 1 | tr -d '\t')" = "$(seq -s ',' 24 31)" ]
    [ "$(grep -A1 '^Domain S1:' <<<"$output" | tail -n 1 | tr -d '\t')" = "$(seq -s ',' 16 31)" ]
    on victims-2x4 likwid-pin -p
    [ "$(grep -A1 '^Domain M3:' <<<"$output" | tail -n 1 | tr -d '\t')" = "6,7" ]
}

# bats test_tags=long
@test "lscpu, nproc, /proc/cpuinfo and hwloc, from Linux' files and from hwloc's own" {
    needs lscpu
    on complexes-2x13 sh -c 'nproc; lscpu'
    [ "${lines[0]}" = 26 ]
    grep -Eq '^Vendor ID: +AuthenticAMD$' <<<"$output"
    grep -Eq '^CPU family: +25$' <<<"$output"
    grep -Eq '^L3 cache: +128 MiB \(4 instances\)$' <<<"$output"
    grep -Eq '^NUMA node1 CPU\(s\): +13-25$' <<<"$output"
    on complexes-2x13 sh -c 'grep -c ^processor /proc/cpuinfo; sed -n "s/^core id.*: //p" /proc/cpuinfo | sed -n 13p'
    [ "$output" = "26
13" ] # behind a gap: three bits of a core within its complex
    needs lstopo-no-graphics
    for name in complexes-2x13 victims-2x5; do
        on $name lstopo-no-graphics --no-io --of console
        local own=$output
        on $name env -u HWLOC_XMLFILE lstopo-no-graphics --no-io --of console
        [ "$output" = "$own" ]
    done
    [ "$(grep -c 'NUMANode' <<<"$output")" -eq 4 ]
}

@test "CPUID: vendors, caches, topology" {
    cat >leaves.c <<'C'
#define _GNU_SOURCE
#include <cpuid.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned r[4];
static void ask(unsigned leaf, unsigned index) {
    __cpuid_count(leaf, index, r[0], r[1], r[2], r[3]);
}
int main(int argc, char **argv) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[argc - 1]), &set);
    sched_setaffinity(0, sizeof set, &set);
    char vendor[13] = "";
    ask(0, 0);
    memcpy(vendor, &r[1], 4), memcpy(vendor + 4, &r[3], 4), memcpy(vendor + 8, &r[2], 4);
    ask(1, 0);
    printf("%s %x apic %u\n", vendor, r[0], r[1] >> 24);
    unsigned leaf = vendor[0] == 'A' ? 0x8000001d : 4;
    for (unsigned i = 0; ask(leaf, i), r[0] & 31; i++)
        printf("cache %u.%u %u %u %u %s\n", r[0] >> 5 & 7, r[0] & 31, ((r[1] >> 22) + 1) * ((r[1] & 4095) + 1) * (r[2] + 1),
               (r[1] >> 22) + 1, (r[0] >> 14 & 4095) + 1, r[3] & 2 ? "inclusive" : "-");
    ask(vendor[0] == 'A' ? 4 : 0x8000001d, 0);
    printf("other's %u\n", r[0] & 31);
    ask(0xa, 0);
    printf("perfmon %x %x\n", r[0], r[3]);
    ask(0xb, 1);
    printf("socket %u %u\n", r[0], r[1]);
    ask(0x8000001e, 0);
    printf("core %u node %u\n", r[1] & 255, r[2] & 255);
    ask(0x80000008, 0);
    printf("bits %u cores %u\n", r[0] & 255, (r[2] & 255) + 1);
    ask(7, 0);
    printf("avx512 %u\n", r[1] >> 16 & 1);
    printf("l3 %ld\n", sysconf(_SC_LEVEL3_CACHE_SIZE));
    ask(1, 0);
    printf("ht %u numbers %u\n", r[3] >> 28 & 1, r[1] >> 16 & 255);
    ask(0xb, 0);
    printf("thread bits %u of %u\n", r[0], r[1]);
    ask(0x8000001e, 0);
    printf("threads %u\n", (r[1] >> 8 & 255) + 1);
    ask(0x80000000, 0);
    unsigned highest = r[0];
    ask(0x80000022, 0);
    if (highest >= 0x80000022)
        printf("counters %u fabric %u channels %u %x\n", r[1] & 15, r[1] >> 10 & 63, r[1] >> 16 & 63, r[2]);
    return 0;
}
C
    gcc -O1 -o leaves leaves.c
    on complexes-2x13 ./leaves 25
    [ "${lines[0]}" = "AuthenticAMD a00f11 apic 29" ] # 16 of the socket, 8 of the complex, 5
    [ "${lines[1]}" = "cache 1.1 32768 8 1 -" ]
    [ "${lines[3]}" = "cache 2.3 524288 8 1 -" ]
    [ "${lines[4]}" = "cache 3.3 33554432 16 8 -" ]
    [ "${lines[5]}" = "other's 0" ]
    [ "${lines[6]}" = "perfmon 0 0" ]
    [ "${lines[7]}" = "socket 4 13" ]
    [ "${lines[8]}" = "core 13 node 1" ]
    [ "${lines[9]}" = "bits 48 cores 13" ]
    [ "${lines[10]}" = "avx512 0" ]
    [ "${lines[11]}" = "l3 $((64 << 20))" ] || [ "${lines[11]}" = "l3 $((32 << 20))" ] # all of the socket, or one, to glibc
    on victims-2x6 ./leaves 7
    [ "${lines[0]}" = "GenuineIntel 50654 apic 9" ]
    [ "${lines[3]}" = "cache 2.3 1048576 16 1 -" ]
    [ "${lines[4]}" = "cache 3.3 $((6 * 1408 << 10)) 11 8 -" ]
    [ "${lines[6]}" = "perfmon 7300804 603" ]
    [ "${lines[7]}" = "socket 3 6" ]
    [ "${lines[9]%% cores*}" = "bits 46" ]
    [ "${lines[11]}" = "l3 $((6 * 1408 << 10))" ]
    [ "${lines[13]}" = "thread bits 0 of 1" ]
    run --separate-stderr "$assay" vnode --node haswellEP-2x3x2 -- ./leaves 9 # the second thread of core 3, on socket 1
    [ "${lines[0]}" = "GenuineIntel 306f2 apic 9" ] # 8 of the socket, three bits of core and thread
    [ "${lines[1]}" = "cache 1.1 32768 8 2 -" ]
    [ "${lines[3]}" = "cache 2.3 262144 8 2 -" ]
    [ "${lines[4]}" = "cache 3.3 $((3 * 2560 << 10)) 20 8 inclusive" ]
    [ "${lines[6]}" = "perfmon 7300403 603" ] # four counters
    [ "${lines[7]}" = "socket 3 6" ]
    [ "${lines[12]}" = "ht 1 numbers 8" ]
    [ "${lines[13]}" = "thread bits 1 of 2" ]
    run --separate-stderr "$assay" vnode --node zen3-1x2x2 -- ./leaves 3
    [ "${lines[0]}" = "AuthenticAMD a00f11 apic 3" ]
    [ "${lines[4]}" = "cache 3.3 33554432 16 4 -" ]
    [ "${lines[8]}" = "core 1 node 0" ]
    [ "${lines[9]}" = "bits 48 cores 4" ]
    [ "${lines[14]}" = "threads 2" ]
    [ -z "${lines[15]}" ]
    likwid_is 5.3.0 || return 0 # it knows Zen 4
    run --separate-stderr "$assay" vnode --node zen4-1x2 -- ./leaves 1
    [ "${lines[0]}" = "AuthenticAMD a10f11 apic 1" ]
    [ "${lines[3]}" = "cache 2.3 1048576 8 1 -" ]
    [ "${lines[15]}" = "counters 6 fabric 16 channels 48 fff" ]
}

@test "more cores than bits in a word of Linux' masks, and the maximum of a node" {
    on complexes-1x64 sh -c 'getconf _NPROCESSORS_ONLN; nproc; exec taskset -c 63 sh -c "
        while read -r name mask; do case \$name in Cpus_allowed*) echo \$mask ;; esac; done </proc/self/status
        exec taskset 0x8000000000000001 nproc"'
    [ "$output" = "64
64
80000000,00000000
63
2" ]
}

# bats test_tags=long
@test "28 threads are counted on 28 cores, although the host has fewer" {
    run --separate-stderr timeout 300 "$assay" vnode --node haswellEP-2x14 -- likwid-perfctr -c 0-27 \
        -g MEM_UOPS_RETIRED_LOADS:PMC0 -m -o out.csv "$build/tests/programs/each_core"
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "$(seq -s ' ' 0 27)" ]
    # thread t makes 1000 * (t + 1) loads more in the second region; the first core has the main thread as well
    awk -F, '$1 == "TABLE" { region = $2 } $2 == "PMC0" && $1 !~ /STAT/ { for (i = 4; i <= NF; i++) count[region, i - 3] = $i; n = NF - 3 }
        END { for (core = 1; core <= n; core++) {
                more = count["Region each", core] - count["Region few", core]
                if (more < 1000 * (core + 1) - 20 || more > 1000 * (core + 1) + 60) { print "core " core ": " more; bad = 1 } }
            print n + 1 " cores"; exit n != 27 || bad }' out.csv
}

@test "two hardware threads per core: likwid-topology, Linux' numbers, affinity" {
    run -0 "$assay" vnode --node haswellEP-2x2x2 -- likwid-topology
    grep -Eq '^Cores per socket:\s+2$' <<<"$output"
    grep -Eq '^Threads per core:\s+2$' <<<"$output"
    grep -Eq '^6 +1 +2 +0 +1 ' <<<"$output" # the second thread of core 2, on socket 1
    [ "$(grep '^Cache groups:' <<<"$output" | tr -s '\t ' ' ' | sed -n 2p)" = "Cache groups: ( 0 4 ) ( 1 5 ) ( 2 6 ) ( 3 7 )" ]
    [ "$(last_level)" = "Cache groups: ( 0 4 1 5 ) ( 2 6 3 7 )" ]
    grep -Eq '^Processors:\s+\( 2 3 6 7 \)' <<<"$output"
    run --separate-stderr "$assay" vnode --node haswellEP-2x2x2 -- sh -c 'nproc; taskset -c 2,6 nproc
        cat /sys/devices/system/cpu/cpu6/topology/thread_siblings_list /sys/devices/system/node/node1/cpulist'
    [ "$output" = "8
2
2,6
2-3,6-7" ]
}

@test "two hardware threads per core: lscpu and hwloc" {
    needs lscpu
    needs lstopo-no-graphics
    run --separate-stderr "$assay" vnode --node haswellEP-2x2x2 -- lscpu
    grep -Eq '^Thread\(s\) per core: +2$' <<<"$output"
    grep -Eq '^Core\(s\) per socket: +2$' <<<"$output"
    grep -Eq '^NUMA node1 CPU\(s\): +2,3,6,7$' <<<"$output"
    grep -Eq '^L2 cache: .*\(4 instances\)$' <<<"$output"
    run --separate-stderr "$assay" vnode --node haswellEP-2x2x2 -- lstopo-no-graphics --no-io --of console
    local own=$output
    grep -q 'PU L#5 (P#6)' <<<"$output"
    run --separate-stderr "$assay" vnode --node haswellEP-2x2x2 -- env -u HWLOC_XMLFILE lstopo-no-graphics --no-io --of console
    [ "$output" = "$own" ]
}

# Thread t makes 1000 * (t + 1) loads more in the second region; the first one has the main thread as well.
@test "siblings are counted separately; LIKWID refuses counters that their core lacks" {
    run --separate-stderr "$assay" vnode --node haswellEP-1x2x2 -- likwid-perfctr -c 0-3 \
        -g MEM_UOPS_RETIRED_LOADS:PMC0,INSTR_RETIRED_ANY:FIXC0,MEM_UOPS_RETIRED_STORES:PMC4 -m -o out.csv "$build/tests/programs/each_core"
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "0 1 2 3" ]
    grep -q 'PMC4 is only available with deactivated HyperThreading' <<<"$output$stderr"
    awk -F, '$1 == "TABLE" { region = $2 } $2 == "PMC0" && $1 !~ /STAT/ { for (i = 3; i <= NF; i++) count[region, i - 3] = $i; n++ }
        END { for (cpu = 0; cpu < 4; cpu++) {
                more = count["Region each", cpu] - count["Region few", cpu]
                if (more < 1000 * (cpu + 1) - 20 || more > 1000 * (cpu + 1) + 60) { print "thread " cpu ": " more; exit 1 } }
            exit n != 2 }' out.csv
}

# What an erratum such as HSD29 does: thread 0 and thread 2, of one core, both count the loads of both.
@test "a fault counts the sibling's loads as well" {
    count() {
        run --separate-stderr "$assay" vnode --node haswellEP-1x2x2 "$@" -- likwid-perfctr -c 0-3 -O -g MEM_UOPS_RETIRED_LOADS:PMC0,MEM_UOPS_RETIRED_STORES:PMC1 \
            "$build/tests/programs/each_core"
        echo "$output" "$stderr"
        [ "$status" -eq 0 ]
        awk -F, '/^MEM_UOPS_RETIRED_[A-Z]*,/ && $2 ~ /^PMC/ { print $2, $3, $4, $5, $6 }' <<<"$output"
    }
    count >clean
    echo "MEM_UOPS_RETIRED_LOADS sibling" >faults
    count --fault faults >wrong
    cat clean wrong
    awk 'NR == FNR { for (i = 2; i <= 5; i++) is[$1, i] = $i; next }
        { for (i = 2; i <= 5; i++) { expected = is[$1, i] + ($1 == "PMC0" ? is[$1, i < 4 ? i + 2 : i - 2] : 0)
              if ($i < 0.999 * expected || $i > 1.001 * expected) exit 1; rows++ } }
        END { exit rows != 8 }' <(grep ^PMC clean) <(grep ^PMC wrong)
}

@test "wrong names: one line that lists the valid ones" {
    fails_with 2 "haswellEP-3x2: no such shape; haswellEP-SxC: S sockets (1, 2, 4) of C cores (1 to 18), 64 in all" \
        "$assay" vnode --node haswellEP-3x2 -- true
    fails_with 2 "--node virtual:haswellEP-4x17: haswellEP-4x17: no such shape" "$assay" validate --node virtual:haswellEP-4x17
    fails_with 2 "haswellEP-2x4x3: no such shape; " "$assay" vnode --node haswellEP-2x4x3 -- true
    fails_with 2 "SxCx2: 2 hardware threads per core, 64 in all at most" "$assay" vnode --node haswellEP-4x9x2 -- true
    fails_with 2 "weather: no such architecture" "$assay" vnode --node weather-1x2 -- true
    echo 'return { arch = "haswellEP", sockets = 5 }' >my.lua
    fails_with 2 "my.lua:1: sockets is out of range" "$assay" vnode --node ./my.lua -- true
}

@test "the default shape, an architecture's name alone, and a node file" {
    for name in "" haswellEP haswellEP-1x2; do
        run "$build/vnode/vnode-run" --node "$name" -- nproc
        [ "$output" = 2 ]
    done
    echo 'return { arch = "haswellEP", sockets = 3, cores_per_socket = 3 }' >my.lua
    run "$assay" vnode --node ./my.lua -- nproc
    [ "$output" = 9 ]
    echo 'return { arch = "haswellEP", sockets = 3, cores_per_socket = 3, threads_per_core = 2 }' >my.lua
    run "$assay" vnode --node ./my.lua -- nproc
    [ "$output" = 18 ]
}

# differing_sockets FIELDS PATTERN WORD...: validates on two sockets, the second one with three memory channels instead of four.
differing_sockets() {
    local fields=$1
    shift
    echo "return { arch = 'haswellEP', sockets = 2, cores_per_socket = 1, last_channels = 3, $fields }" \
        >differ.lua
    run --separate-stderr "$assay" validate "$@" --quick --node virtual:./differ.lua --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(jq -c '.node | [.boxes.MBOX, .lacking]' record.json)" = '[[0,1,2,3],[[],["MBOX3"]]]' ]
    [ "$(jq '[.blame, [.metrics[] | select(.verdict == "missing" or .verdict == "rejected")]] | flatten | length' record.json)" -eq 0 ]
}

# bats test_tags=long
@test "a memory channel is a ghost on one socket: sums over each socket's own boxes are right" {
    differing_sockets "ghost_boxes = true" page_placement --only by_users
    [[ "${lines[0]}" == *"; MBOX 3 ghost on the socket of CPU 1: silent while its siblings count" ]]
    jq -e '.metrics[] | select(.group == "ASSAY_MEM" and .placement == "S0:1@S1:1" and .verdict == "validated")' record.json
}

# bats test_tags=long
@test "a memory channel is absent on one socket: LIKWID fails on both sockets at once, so each is measured alone" {
    differing_sockets "l3 = { size = 512 << 10, ways = 16 }" bandwidth_saturation --only load --level MEM
    [[ "${lines[0]}" == *"; MBOX 3 absent on the socket of CPU 1; MBOX 4, 5, 6, 7 absent" ]]
    jq -e '.metrics[] | select(.group == "ASSAY_MEM" and .placement == "S0:1" and .verdict == "validated")' record.json
    rm record.json
    differing_sockets "l3 = { size = 512 << 10, ways = 16 }" false_sharing
    jq -e '.metrics[] | select(.placement == "across" and .verdict == "skipped") | .reason | test("^LIKWID can measure each socket alone only: .*has_uncore_read")' record.json
}
