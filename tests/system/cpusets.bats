#!/usr/bin/env bats
# Machines of which a process may use a part: the core that is measured is the core that is meant (rig.bash, taskset, hwloc's XML files).
# SPDX-License-Identifier: GPL-3.0-or-later
load common
load rig

# described TOPOLOGY [EDIT]: the plan of some patterns on a haswellEP of hwloc's synthetic TOPOLOGY, its XML edited by sed.
described_plan() {
    lstopo-no-graphics -i "$1" whole.xml 2>/dev/null
    sed "${2:-}" whole.xml >there.xml
    HWLOC_XMLFILE=there.xml "$assay" validate --plan --quick --node native:haswellEP split_loads page_placement >plan || { cat plan; return 1; }
    cat plan
}

# The values of -C in the plan.
measured() {
    grep -o -- ' -C [0-9,]*' plan | sort -u | paste -sd ' ' | tr -s ' '
}

@test "only CPUs of the cpuset are planned, and what needs others is skipped with the reason" {
    described_plan "pack:2 numa:1 l3:1 l2:4 l1d:1 core:1 pu:1" 's/allowed_cpuset="[^"]*"/allowed_cpuset="0x000000f0"/'
    grep "^2 sockets of 4 cores.*; measured: CPU 4-7$" plan
    grep "^not used: CPU 0-3: outside of the cpuset$" plan
    grep "^  page_placement (across): the CPUs that may be used are on one socket, two are needed$" plan
    [ "$(measured)" = " -C 4" ]
}

@test "siblings of any numbering and a partly allowed core: one usable hardware thread a core" {
    described_plan "pack:2 numa:1 l3:1 l2:2 l1d:1 core:1 pu:2(indexes=0,4,1,5,2,6,3,7)" 's/allowed_cpuset="[^"]*"/allowed_cpuset="0x000000f4"/'
    grep "2 hardware threads a core.*; measured: CPU 4-5,2,7$" plan
    [ "$(measured)" = " -C 4 -C 4,2" ]
}

@test "of hybrid cores one type is measured, the fastest, with its caches" {
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

# bats test_tags=long
@test "in a cpuset LIKWID measures the core on which the program says that it runs" {
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
    export MACHINE=haswellEP-2x2 CPUS="1 3"
    run --separate-stderr open_machine "$assay" analyse --node native --cores 3 --reps 1 --whole --out record.json -- ./where
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(cat ran)" = 3 ]
    # status 0: a run in which LIKWID's output names another CPU than 3 has failed
}

# bats test_tags=long
@test "in a cpuset of two sockets placements are right, and the record names the CPUs" {
    export MACHINE=haswellEP-2x2 CPUS="1 3"
    run --separate-stderr open_machine "$assay" validate split_loads page_placement --only shifted,by_one --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(jq -c '[.samples[] | select(.metric == "Split loads") | .thread] | unique' record.json)" = "[1]" ]
    [ "$(jq -r .node.cpuset record.json)" = "1,3" ]
    [ "$(jq '[.metrics[] | select(.metric == "Split loads") | .verdict] | unique | join(" ")' record.json)" = '"validated"' ]
}
