#!/usr/bin/env bats
# `assay validate --plan`: what would be measured, without measuring.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# plan ARGUMENT...: the plan of all patterns with few points, in the file `plan`.
plan() {
    "$assay" validate --plan --quick "$@" >plan || { cat plan; return 1; }
}

@test "a plan shows the commands that a campaign executes, in the same order" {
    # shellcheck disable=SC2016 # for the script
    fake_likwid 'echo "$0 $*" >>"'"$PWD"'/executed"; exit 1'
    "$assay" validate --plan --quick --node virtual:haswellEP-2x2 split_loads bandwidth_saturation >plan
    refute test -e executed
    run "$assay" validate --quick --jobs 1 --node virtual:haswellEP-2x2 split_loads bandwidth_saturation
    [ -s executed ]
    diff <(sed -n 's/^      //p' plan) <(grep -v ' -e$' executed) # -e: LIKWID's list of events, for the vendor check
}

@test "a plan leaves no file: no record, nothing in TMPDIR" {
    mkdir tmp
    TMPDIR=$PWD/tmp plan split_loads --node virtual --out record.json
    [ "$(find . -name 'record*' | wc -l)" -eq 0 ]
    [ "$(find tmp -type f | wc -l)" -eq 0 ]
    "$assay" validate --dry-run --quick split_loads --node virtual >again
    diff plan again
}

@test "a plan shows what is skipped and why, and options select as in a campaign" {
    plan --node virtual:haswellEP-1x1 page_placement bandwidth_saturation --level MEM
    grep "^  page_placement .*the node has one socket, two are needed" plan
    grep "^  bandwidth_saturation .*socket has one core" plan
    refute grep "data in L2" plan
    "$assay" calibrate --plan --quick --node virtual:haswellEP-1x1 split_loads >costs
    grep -A1 "^the cost of measuring" costs | grep "^  job split_loads.*empty: CPU 0"
}

@test "a plan for this machine needs no counters, and a plan for another machine only its topology" {
    "$assay" validate --plan --quick split_loads >plan
    lstopo-no-graphics -i "pack:2 numa:1 l3:1 l2:4 l1:1 core:1 pu:2" there.xml
    HWLOC_XMLFILE=there.xml plan --node native:haswellEP split_loads
    grep "^2 sockets of 4 cores, 2 hardware threads a core" plan
    fails_with 2 "none: no machine file for this architecture" "$assay" validate --plan --node native:none
    fails_with 2 "--node native:a/b: no name of an architecture" "$assay" validate --plan --node native:a/b
    fails_with 2 "--node native:haswellEP: unknown" "$assay" validate --node native:haswellEP
}

@test "a file of HWLOC_XMLFILE that hwloc cannot read: no plan for this machine instead" {
    lstopo-no-graphics -i "pack:1 numa:1 l3:1 l2:4 l1:1 core:1 pu:1" there.xml
    head -c 200 there.xml >cut.xml
    for file in cut.xml missing.xml; do
        HWLOC_XMLFILE=$file fails_with 2 "HWLOC_XMLFILE=$file: hwloc cannot read this topology" "$assay" validate --plan --node native:haswellEP split_loads
    done
    HWLOC_XMLFILE='' "$assay" validate --plan --quick --node native:haswellEP split_loads
}

# described ARCH TOPOLOGY: the plan for a machine of hwloc's synthetic TOPOLOGY.
described_plan() {
    lstopo-no-graphics -f -i "$2" there.xml 2>/dev/null
    HWLOC_XMLFILE=there.xml plan --node "native:$1" bandwidth_saturation page_placement
}

# Whether the job of a placement measures these CPUs.
has_job() { # PLACEMENT CPUS
    grep -q "^  job .*[ ,]$1, CPU $2;" plan
}

@test "Haswell-EP 2 x 14 with SMT and cluster-on-die: domains of 7 cores, boxes of 14" {
    described_plan haswellEP "pack:2 numa:2 l3:1(size=18350080) l2:7(size=262144) l1d:1 core:1 pu:2(indexes=$(seq -s, 0 55 | tr -d ' '))"
    grep "^2 sockets of 14 cores, 2 hardware threads a core, 4 NUMA domains; .*L3 17.5 MiB of 7 cores" plan
    has_job S0:1 0
    has_job C0:7 0,2,4,6,8,10,12
    has_job "S0:1@S1:1" 0,28
    grep -q "CBOX13C" plan
    refute grep -q "CBOX14C" plan
}

# with_devices "DEVICE.FUNCTION ID"...: adds PCI devices of Intel to there.xml.
with_devices() {
    local number=900 device devices=
    for device; do
        devices+="<object type=\"PCIDev\" gp_index=\"$((number++))\" pci_busid=\"0000:ff:${device% *}\" pci_type=\"0880 [8086:${device#* }] [0000:0000] 01\" pci_link_speed=\"0\"/>"
    done
    sed -i "0,/<object type=\"Package\"/s|| <object type=\"Bridge\" gp_index=\"899\" bridge_type=\"0-1\" depth=\"0\" bridge_pci=\"0000:[ff-ff]\">$devices</object>&|" there.xml
}

# The boxes of a kind that the plan counts on.
counted_on() {
    grep -o "$1[0-9]*C" plan | sort -u | tr -d "C\n"
}

@test "Broadwell-EP with one home agent: boxes without a PCI device are left out, also of sums" {
    described_plan broadwellEP "pack:2 numa:1 l3:1(size=20971520) l2:8(size=262144) l1d:1 core:1 pu:1"
    grep "^boxes: those that the architecture may have here; a campaign first counts on them and leaves out absent ones$" plan
    [ "$(counted_on BBOX)" = BBOX0BBOX1 ] # hidden devices are not absent boxes
    with_devices "12.1 6f30" "14.0 6fb4" "14.1 6fb5" "17.0 1234"
    HWLOC_XMLFILE=there.xml plan --node native:broadwellEP bandwidth_saturation page_placement
    grep "^boxes: MBOX 0-1; BBOX 0, by the node's PCI devices; a campaign first counts on them" plan
    [ "$(counted_on BBOX)" = BBOX0 ]
    [ "$(counted_on MBOX)" = MBOX0MBOX1 ]
    grep -q "CBOX7C" plan
    refute grep -q "CBOX8C" plan
    refute grep "^  .*L3-MEM" plan # no memory metric is skipped
    has_job "S0:1@S1:1" 0,8
}

@test "Skylake-SP with two sub-NUMA clusters a socket: a core's data are in half of L3" {
    described_plan skylakeX "pack:2 l3:1(size=28835840) numa:2 l2:10(size=1048576) l1d:1 core:1 pu:2"
    grep "^2 sockets of 20 cores, 2 hardware threads a core, 4 NUMA domains; .*L3 27.5 MiB of 20 cores" plan
    has_job S0:20 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38
    refute grep -q " C0:" plan
    has_job "S0:1@S1:1" 0,40
    HWLOC_XMLFILE=there.xml "$assay" validate --plan --node native:skylakeX bandwidth_saturation --only load --level L3 >plan
    largest=$(grep -o "load[^ ]*.so [0-9]*" plan | cut -d " " -f 2 | sort -n | tail -n 1)
    [ "$largest" -gt $((2 << 17)) ] # twice L2, in elements of 8 bytes
    [ "$largest" -le $(((28835840 / 2 + (1 << 20) + (32 << 10)) / 2 / 8)) ]
}

@test "Zen 3 2 x 64 in NPS4" {
    described_plan zen3 "pack:2 numa:4 l3:2(size=33554432) l2:8(size=524288) l1d:1 core:1 pu:2"
    grep "^2 sockets of 64 cores, 2 hardware threads a core, 8 NUMA domains; .*L3 32 MiB of 8 cores" plan
    has_job C0:8 0,2,4,6,8,10,12,14
}

@test "memory without cores of its own makes no NUMA clusters: flat HBM, and CXL memory of the whole machine" {
    for memory in "pack:2 [numa] [numa]" "[numa] pack:2 [numa]"; do
        for arch in skylakeX zen3; do
            described_plan $arch "$memory l3:1(size=28835840) l2:8(size=1048576) l1d:1 core:1 pu:1"
            grep "^2 sockets of 8 cores, 1 hardware thread a core, 2 NUMA domains" plan
            has_job "S0:1@S1:1" 0,8
            mv plan with
            described_plan $arch "pack:2 [numa] l3:1(size=28835840) l2:8(size=1048576) l1d:1 core:1 pu:1"
            diff plan with
        done
    done
}

@test "memory interleaved over the sockets: what a socket's boxes count of it is skipped, with the reason" {
    for arch in haswellEP zen3; do
        described_plan $arch "[numa] pack:2 l3:1(size=20971520) l2:4(size=262144) l1d:1 core:1 pu:1"
        grep "^2 sockets of 4 cores, 1 hardware thread a core, 1 NUMA domain;" plan
        why="memory is interleaved over the sockets (firmware: NUMA is off)"
        grep "^  page_placement (across): $why" plan
        grep "^  bandwidth_saturation (MEM.*: $why" plan
        refute grep -E "[MB]BOX[0-9]+C|:DFC[0-9]" plan
        has_job S0:1 0
    done
}

@test "eight sockets" {
    described_plan haswellEP "pack:8 numa:1 l3:1(size=47185920) l2:18(size=262144) l1d:1 core:1 pu:2"
    grep "^8 sockets of 18 cores, 2 hardware threads a core, 8 NUMA domains" plan
    has_job S0:18 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34
    has_job "S0:1@S1:1" 0,36
    refute grep "none of its points" plan
}
