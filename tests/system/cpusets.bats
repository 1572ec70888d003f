#!/usr/bin/env bats
# Machines of which a process may use only a part: the intended core is measured (rig.bash, taskset, hwloc's XML files).
# SPDX-License-Identifier: GPL-3.0-or-later
load common
load rig

# described TOPOLOGY [EDIT]: the plan of some patterns on a haswellEP of hwloc's synthetic TOPOLOGY, its XML edited by sed.
described_plan() {
    lstopo-no-graphics -f -i "$1" whole.xml 2>/dev/null
    sed "${2:-}" whole.xml >there.xml
    HWLOC_XMLFILE=there.xml "$assay" validate --plan --quick --node native:haswellEP split_loads page_placement >plan || { cat plan; return 1; }
    cat plan
}

# The values of -C in the plan.
measured() {
    grep -o -- ' -C [0-9,]*' plan | sort -u | paste -sd ' ' | tr -s ' '
}

@test "only CPUs of the cpuset are planned, and placements that need others are skipped with the reason" {
    described_plan "pack:2 numa:1 l3:1 l2:4 l1d:1 core:1 pu:1" 's/allowed_cpuset="[^"]*"/allowed_cpuset="0x000000f0"/'
    grep "^2 sockets of 4 cores.*; measured: CPU 4-7$" plan
    grep "^not used: CPU 0-3: outside of the cpuset$" plan
    grep "^  page_placement (across): the CPUs that may be used are on one socket, two are needed$" plan
    [ "$(measured)" = " -C 4" ]
    [ "$(grep "^  job" plan | grep -vc ": S1:1, CPU 4;")" -eq 0 ] # LIKWID's name for the socket, as its S0 is empty
}

@test "two cores are needed: those of the second socket, if the first one has one usable core" {
    described_plan "pack:2 numa:1 l3:1 l2:4 l1d:1 core:1 pu:1" 's/allowed_cpuset="[^"]*"/allowed_cpuset="0x00000068"/'
    grep "; measured: CPU 3,5-6$" plan
    HWLOC_XMLFILE=there.xml "$assay" validate --plan --quick --node native:haswellEP line_sharing >plan
    grep "^  job line_sharing.*S1:2, CPU 5-6;" plan
    grep "^  job line_sharing.*S0:1@S1:1, CPU 3,5;" plan
}

@test "CPUs whose memory is missing, or outside of the cpuset, are left out with the reason" {
    whole="pack:2 numa:1 l3:1 l2:4 l1d:1 core:1 pu:1"
    described_plan "$whole" 's/allowed_nodeset="[^"]*"/allowed_nodeset="0x00000001"/'
    grep "^not used: CPU 4-7: their NUMA domain has no memory that may be used$" plan
    grep "^  page_placement (across): the CPUs that may be used are on one socket, two are needed$" plan
    described_plan "$whole" '0,/local_memory="[0-9]*"/s//local_memory="0"/' # no DIMM on the first socket
    grep "^not used: CPU 0-3: their NUMA domain has no memory that may be used$" plan
    [ "$(measured)" = " -C 4" ]
}

@test "any numbering of siblings, and a partly allowed core: one usable hardware thread per core" {
    described_plan "pack:2 numa:1 l3:1 l2:2 l1d:1 core:1 pu:2(indexes=0,4,1,5,2,6,3,7)" 's/allowed_cpuset="[^"]*"/allowed_cpuset="0x000000f4"/'
    grep "2 hardware threads a core.*; measured: CPU 4-5,2,7$" plan
    [ "$(measured)" = " -C 4 -C 4,2" ]
}

# online CPUS TOPOLOGY: the plan for a machine whose other CPUs are offline: they are missing in hwloc's topology.
online() {
    lstopo-no-graphics -f -i "$2" --restrict "$1" --of xml whole.xml
    cp whole.xml there.xml
    HWLOC_XMLFILE=there.xml "$assay" validate --plan --quick --node native:haswellEP split_loads page_placement >plan
    cat plan
}

@test "offline cores and hardware threads: sockets of different sizes, and SMT on some cores" {
    whole="pack:2 numa:1 l3:1(size=20971520) l2:8(size=262144) l1d:1 core:1"
    online 0xffc0 "$whole pu:1" # two cores of the first socket
    grep "^2 sockets with 10 cores, 1 hardware thread a core, 2 NUMA domains; .*; measured: CPU 6-15$" plan
    online 0x3f7f "$whole pu:1"
    grep "^2 sockets with 13 cores, .*; measured: CPU 0-6,8-13$" plan
    online 0x7f7f "$whole pu:1" # one of each
    grep "^2 sockets of 7 cores, .*; measured: CPU 0-6,8-14$" plan
    online 0xfffffffd "$whole pu:2" # counters of the others are shared by two hardware threads
    grep "^2 sockets of 8 cores, 2 hardware threads a core" plan
}

@test "of hybrid cores only the fastest type is measured, with its caches" {
    described_plan "pack:1 numa:1 l3:1 l2:4 l1d:1 core:1 pu:1" 's|</topology>|<cpukind cpuset="0x3" forced_efficiency="0"><info name="CoreType" value="IntelAtom"/></cpukind><cpukind cpuset="0xc" forced_efficiency="1"><info name="CoreType" value="IntelCore"/></cpukind></topology>|'
    grep "; measured: CPU 2-3$" plan
    grep "^not used: CPU 0-1: cores of another type than IntelCore$" plan
}

@test "a real cpuset: CPUs of this machine that taskset leaves" {
    last=$(($(nproc --all) - 1))
    [ "$last" -gt 0 ] || skip "this machine has one CPU"
    taskset -c "$last" "$assay" validate --plan --quick --node native:haswellEP split_loads >plan
    [ "$(measured)" = " -C $last" ]
    grep "; measured: CPU $last$" plan
    grep "^not used: CPU .*: outside of the cpuset$" plan
}

# A tree of files stands for a machine with version 2 of control groups, whose cpuset a process's own binding does not show.
@test "a cpuset of control groups of version 2, as their files show it" {
    last=$(($(nproc --all) - 1))
    [ "$last" -gt 0 ] || skip "this machine has one CPU"
    group=tree/sys/fs/cgroup/job
    mkdir -p tree/proc/self tree/sys/devices/system "$group"
    cp -r /sys/devices/system/{cpu,node} tree/sys/devices/system/ 2>/dev/null || true # some files are readable only for root
    cp /proc/cpuinfo /proc/meminfo tree/proc/
    echo "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0" >tree/proc/mounts
    echo "0::/job" >tree/proc/self/cgroup
    echo "cpuset cpu memory" | tee "${group%/*}/cgroup.controllers" >"$group/cgroup.controllers"
    echo "$last" >"$group/cpuset.cpus.effective"
    echo 0 >"$group/cpuset.mems.effective"
    HWLOC_FSROOT=$PWD/tree "$assay" validate --plan --quick --node native:haswellEP split_loads >plan
    [ "$(measured)" = " -C $last" ]
    grep "^not used: CPU .*: outside of the cpuset$" plan
}

# in_cgroup CPU COMMAND...: in a cpuset that the kernel enforces, of version 1 or 2 of control groups, in a mount namespace.
in_cgroup() {
    [ "$(id -u)" -eq 0 ] || skip "needs root's rights"
    unshare --mount bash -c '
        mkdir cgroup
        if mount -t cgroup -o cpuset none cgroup 2>/dev/null; then
            group=$PWD/cgroup/assay-$$
            mkdir "$group" && cat cgroup/cpuset.mems >"$group/cpuset.mems" || exit 77
        elif mount -t cgroup2 none cgroup 2>/dev/null && grep -qw cpuset cgroup/cgroup.controllers; then
            group=$PWD/cgroup/assay-$$
            echo +cpuset >cgroup/cgroup.subtree_control && mkdir "$group" || exit 77
        else
            exit 77
        fi
        echo "$1" >"$group/cpuset.cpus" || exit 77
        (echo $BASHPID >"$group/cgroup.procs" && shift && exec "$@")
        status=$?
        for _ in $(seq 50); do rmdir "$group" 2>/dev/null && break; sleep 0.1; done
        exit $status
    ' bash "$@" || { [ $? -eq 77 ] && skip "no control group with cpusets can be made here"; return 1; }
}

# without_cpu CPU COMMAND...: as on a machine whose CPU is offline: Linux does not list it, and no process may use it.
without_cpu() {
    [ "$(id -u)" -eq 0 ] || skip "needs root's rights"
    seq 0 $(($(nproc --all) - 1)) | grep -vx "$1" | paste -sd , >online
    unshare --mount bash -c 'mount --bind online /sys/devices/system/cpu/online && exec taskset -c "$(cat online)" "$@"' bash "${@:2}"
}

# both COMMAND...: by COMMAND plans this machine and lets LIKWID start a program on the CPU of the plan. The plan says which CPU it means,
# the program says on which it runs.
both() {
    likwid-perfctr -i 2>&1 | grep "^CPU short:" | grep -qv "nil" || skip "LIKWID does not know this processor"
    cat >each.sh <<'SH'
"$0" validate --plan --quick --node native split_loads >plan
likwid-pin -q -c "$(sed -n 's/.* -C \([0-9]*\) .*/\1/p' plan | head -n 1)" grep Cpus_allowed_list /proc/self/status >ran
SH
    "$@" sh -c "$(cat each.sh)" "$assay" || { cat plan ran; return 1; }
    cat plan ran
    meant=$(sed -n 's/^  job .*, CPU \([0-9]*\);.*/\1/p' plan | head -n 1)
    [ "$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' ran)" = "$meant" ]
}

@test "in a real cpuset LIKWID starts the program on the intended core" {
    last=$(($(nproc --all) - 1))
    [ "$last" -gt 0 ] || skip "this machine has one CPU"
    both in_cgroup "$last"
    [ "$meant" = "$last" ]
    grep "; measured: CPU $last$" plan
    grep "^not used: CPU .*: outside of the cpuset$" plan
}

# Without CPU 0 LIKWID itself crashes, because it uses CPU numbers as indices. So that plan is made without LIKWID.
@test "offline CPUs are named, and LIKWID starts the program on the intended core" {
    last=$(($(nproc --all) - 1))
    [ "$last" -gt 0 ] || skip "this machine has one CPU"
    without_cpu 0 "$assay" validate --plan --quick --node native:haswellEP split_loads >plan
    refute grep "; measured: CPU 0" plan
    grep "^not used: CPU 0: offline$" plan
    without_cpu 0 "$assay" doctor | grep "^blocks  cpuset  *CPU 0 is offline, with which LIKWID crashes; remedy: echo 1 > /sys/devices/system/cpu/cpu0/online"
    both without_cpu "$last"
    grep "^not used: CPU $last: offline$" plan
}

# bats test_tags=long
@test "in a cpuset LIKWID measures the core on which the program runs" {
    cat >where.c <<'C'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
int main(void) {
    FILE *out = fopen("ran", "w");
    for (volatile int i = 0; i < 10000000; i++)
        ;
    return fprintf(out, "%d\n", sched_getcpu()) < 0 || fclose(out) != 0;
}
C
    cc -O1 where.c -o where
    export MACHINE=haswellEP-2x2x2 CPUS="3 2 6" # socket 1 only: two siblings, and one thread of the other core
    # status 0: a run in which LIKWID's output names another CPU than 6 has failed
    run --separate-stderr open_machine sh -c '"$0" analyse --node native --cores 7 -- ./where
        exec "$0" analyse --node native --cores 6 --reps 1 --whole --out record.json -- ./where' "$assay"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(cat ran)" = 6 ]
    grep -E "^assay analyse: --cores 7: node \S+ has no core 7 that may be used \(CPU 0-1,4-5,7: outside of the cpuset\); it has 2$" <<<"$stderr"
}

# bats test_tags=long
@test "in a cpuset on two sockets placements are right, and the record names the CPUs" {
    export MACHINE=haswellEP-2x2 CPUS="1 3"
    run --separate-stderr open_machine "$assay" validate split_loads page_placement --only shifted,by_one --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(jq -c '[.samples[] | select(.metric == "Split loads") | .thread] | unique' record.json)" = "[1]" ]
    [ "$(jq -r .node.cpuset record.json)" = "1,3" ]
    [ "$(jq '[.metrics[] | select(.metric == "Split loads") | .verdict] | unique | join(" ")' record.json)" = '"validated"' ]
}

# bats test_tags=long
@test "a socket without memory: its CPUs are not measured, and what they touch is in the other socket's memory" {
    echo 'return { arch = "haswellEP", sockets = 2, cores_per_socket = 1, last_channels = 0, l3 = { size = 512 << 10, ways = 16 } }' >bare.lua
    export MACHINE=$PWD/bare.lua
    cat >touch.c <<'C'
#include <stdlib.h>
int main(int count, char **word) {
    size_t bytes = 64 * (size_t)atol(word[count - 1]);
    volatile char *data = malloc(bytes);
    for (size_t i = 0; data && i < bytes; i += 64)
        data[i] = 1;
    return data == NULL;
}
C
    cc -O1 touch.c -o touch
    touched=400000
    "$assay" vnode --node ./bare.lua -- likwid-perfctr -f -C 0 -O \
        -g CAS_COUNT_RD:MBOX0C0,CAS_COUNT_RD:MBOX1C0,CAS_COUNT_RD:MBOX2C0,CAS_COUNT_RD:MBOX3C0 taskset -c 1 ./touch $touched >counts
    cat counts
    awk -F, -v lines=$touched '/^CAS_COUNT_RD/ { n++; sum += $3 } END { exit !(n == 4 && sum >= lines && sum < 1.05 * lines) }' counts
    run --separate-stderr open_machine "$assay" validate bandwidth_saturation page_placement --quick --only load --level MEM \
        --placement S0:1,across --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "Native node "*"; MBOX 4, 5, 6, 7 absent" ]]
    [ "$(jq -r .node.cpuset record.json)" = 0 ]
    [ "$(jq -r '.metrics[] | select(.pattern == "page_placement" and .verdict == "skipped") | .reason' record.json | sort -u)" = \
        "the CPUs that may be used are on one socket, two are needed" ]
    [ "$(jq '[.metrics[] | select(.group == "ASSAY_MEM" and .verdict == "validated")] | length > 0' record.json)" = true ]
    [ "$(jq '[.blame, [.metrics[] | select(.verdict == "missing" or .verdict == "rejected")]] | flatten | length' record.json)" -eq 0 ]
}
