#!/usr/bin/env bats
# Commands' reports about this machine, and the validation of a machine with counters (rig.bash).
# SPDX-License-Identifier: GPL-3.0-or-later
load common
load rig

@test "commands about this machine or the user's program never choose a virtual node by themselves" {
    for command in "analyse -- true" "laws -- true" "diagnose -- true" "events INSTR_RETIRED_ANY" discover configuration sampling calibrate; do
        # shellcheck disable=SC2086 # words
        fails_with 2 "this machine cannot be measured: " "$assay" $command
        [[ "$stderr" == *"; --node virtual: a simulated node instead" ]]
        [ "$output" = "" ]
    done
    run "$assay" validate --health
    [ "$status" -eq 2 ]
    [[ "$output" == "unknown: this machine cannot be measured: "* ]]
}

# bats test_tags=long
@test "a machine with counters that is not validated is named in the first and last line, record, table and page" {
    warning="This machine was NOT validated: register access: "
    run --separate-stderr machine "$assay" validate split_loads --quick --only aligned --out record.json
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "$warning"*" The results are those of a virtual haswellEP." ]]
    [ "${lines[-1]}" = "${lines[0]}" ]
    machine "$assay" validate split_loads --quick --only aligned --plan >plan
    [ "$(sed -n 1p plan)" = "${lines[0]}" ]
    [ "$(tail -n 1 plan)" = "${lines[0]}" ]
    [[ "$(jq -r .node.not_validated record.json)" == "register access: "* ]]
    "$assay" show record.json | head -1 | grep "^$warning"
    "$assay" report record.json --html page.html
    grep "<strong>$warning" page.html
    "$assay" tables record.json --out wiki
    grep -F "**${lines[0]}**" wiki/haswellEP.md
}

@test "a machine whose processor has no groups is not validated, and no other node is measured as if it were the machine" {
    mkdir new
    printf '%s\n' '#!/bin/sh' "[ \"\$*\" = -i ] || exec $PWD/rig/likwid-perfctr"' "$@"' \
        "$PWD/rig/likwid-perfctr -i | sed '/^CPU short:/s/[a-z0-9A-Z]*$/newest/'" >new/likwid-perfctr
    chmod +x new/likwid-perfctr
    cat >each.sh <<'SH'
PATH=$PWD/new:$PATH
for command in doctor "validate split_loads --quick --only aligned --out record.json" "validate --health" "analyse -- true" "validate --node native"; do
    "$1" $command >>out 2>>err
    echo "$?: $command" >>statuses
done
SH
    open_machine sh each.sh "$assay"
    cat out err statuses
    [ "$(cut -d: -f1 statuses | paste -sd " ")" = "0 0 2 2 2" ]
    why="groups: Assay has none for newest; remedy: add groups/ARCH"
    [ "$(grep -c "^This machine was NOT validated: $why.* The results are those of a virtual haswellEP\.$" out)" -eq 3 ] # also above and below the table
    [ "$(grep -c "^blocks  ${why/: / *}" out)" -eq 1 ]
    [[ "$(jq -r .node.not_validated record.json)" == "$why"* ]]
    for who in unknown "assay analyse"; do cat out err | grep "^$who: this machine cannot be measured: $why"; done
    grep "^assay validate: --node native: $why" err
}

# bats test_tags=long
@test "a machine without counters gets no such message" {
    "$assay" doctor | grep -q '^blocks  PMU' || skip "this machine has counters"
    run --separate-stderr "$assay" validate split_loads --quick --only aligned --out record.json
    [ "$status" -eq 0 ]
    [[ "$output" != *"NOT validated"* ]]
    [ "$(jq .node.not_validated record.json)" = null ]
}

@test "on a machine without counters LIKWID is not asked for the processor, for which it sleeps a second" {
    "$assay" doctor | grep -q '^blocks  PMU' || skip "this machine has counters"
    mkdir bin
    printf '#!/bin/sh\necho "$*" >>%q\nexec %q "$@"\n' "$PWD/asked" "$(command -v likwid-perfctr)" >bin/likwid-perfctr
    chmod +x bin/likwid-perfctr
    PATH=$PWD/bin:$PATH "$assay" validate split_loads --quick --plan >plan
    [ -s asked ]
    refute grep -x -- -i asked
}

# bats test_tags=elsewhere
@test "a machine whose counters count is validated itself, and its record is a native one" {
    run --separate-stderr open_machine "$assay" validate split_loads --quick --only shifted --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "Native node "*": a loop of "*" instructions was counted as "*" through accessdaemon"* ]]
    [ "$(jq -r '.node.kind, .node.access, .metrics[0].verdict' record.json | paste -sd ' ')" = "native accessdaemon validated" ]
}

# bats test_tags=long,elsewhere
@test "under the engine CPUID has the counters that the machine of these tests has (processor.c)" {
    for MACHINE in haswellEP-1x1 zen3-1x1; do
        machine "$assay" doctor | grep "^ok      PMU " >natively
        "$assay" vnode --node $MACHINE -- "$assay" doctor | grep "^ok      PMU " | diff natively -
    done
}

# bats test_tags=long
@test "a counter that may not be accessed: the doctor prints LIKWID's own line, and a remedy other than the doctor" {
    echo "FIXC1 deny" >faults # not the probe's counter, but a counter of every group
    run --separate-stderr open_machine --fault faults "$assay" doctor
    echo "$output"
    [ "$status" -eq 0 ]
    grep "^blocks  probe  .*: likwid-perfctr: ERROR - .*; remedy: " <<<"$output"
    refute grep "remedy: assay doctor" <<<"$output"
}

# bats test_tags=long
@test "a processor without groups: the doctor still counts the known loop, and --health has no answer" {
    copy_data
    unset ASSAY_DATA # Assay's own data have all groups
    rm -r data/groups/zen3
    MACHINE=zen3-1x1
    run --separate-stderr open_machine env ASSAY_DATA="$PWD/data" sh -c '"$0" doctor; "$0" validate --health' "$assay"
    echo "$output"
    [ "$status" -eq 2 ]
    grep "^blocks  groups  *Assay has none for zen3; remedy: add groups/ARCH" <<<"$output"
    grep "^ok      probe  *a loop of [0-9]* instructions was counted as [0-9]*$" <<<"$output"
    grep "^This machine cannot be validated natively" <<<"$output"
    [[ "${lines[-1]}" == "unknown: this machine cannot be measured: groups: Assay has none for zen3; remedy: "* ]]
}

# bats test_tags=long
@test "a processor without groups: events are measured with the probes that need no machine file, the others are named" {
    copy_data
    mkdir data/probes
    cp "$root"/probes/{concepts.txt,blocks.lua,chase.lua} data/probes/
    unset ASSAY_DATA
    rm -r data/groups/zen3
    MACHINE=zen3-1x1
    run --separate-stderr open_machine env ASSAY_DATA="$PWD/data" sh -c '"$0" events --reps 1 --out found.json \
        RETIRED_INSTRUCTIONS; "$0" discover' "$assay"
    echo "$output $stderr"
    [[ "${lines[0]}" == "Native node "*": a loop of "*"zen3: no machine file"* ]]
    [ "$(jq -r '.events[] | "\(.event) \(.class) \(.counts)"' found.json)" = "RETIRED_INSTRUCTIONS exact instructions" ]
    [ "$(jq -r '.skipped[].probe' found.json)" = chase ]
    grep "^not run: probe chase (.*): needs sizes that only groups/zen3/machine.lua has$" <<<"$output"
    [[ "$stderr" == *"assay discover: "*"groups: Assay has none for zen3; remedy: "* ]]
}

# bats test_tags=long
@test "a processor without groups: a LIKWID group file is checked by the probes that need no machine file" {
    copy_data
    mkdir data/probes
    cp "$root"/probes/{*.txt,blocks.lua} data/probes/
    unset ASSAY_DATA
    rm -r data/groups/zen3
    printf '%s\n' "SHORT mine" "" EVENTSET "PMC0 RETIRED_INSTRUCTIONS" "PMC1 RETIRED_BRANCH_INSTR" "" METRICS "Branch rate PMC1/PMC0" \
        "Instructions PMC0" "" LONG mine >MINE.txt
    MACHINE=zen3-1x1
    run --separate-stderr open_machine env ASSAY_DATA="$PWD/data" "$assay" discover --reps 1 --check MINE.txt --out found.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "Native node "*": a loop of "*"zen3: no machine file"* ]]
    grep "^ *Instructions (MINE)$" <<<"$output" # not a name in the list
    grep "^2 metrics: 1 show what they should, 0 do not, 0 cannot be counted, 1 are not judged$" <<<"$output"
}

# built_for MODE [FILE]: the LIKWID in the folder LIKWID_MODE, built for that access mode; else a library that reports this mode,
# or the mode of the configuration FILE.
built_for() {
    local prefix=LIKWID_$1
    [ -n "${2:-}" ] || [ -z "${!prefix:-}" ] || { export LIKWID_PREFIX=${!prefix} && return; }
    cat >built.c <<C
#include <likwid.h>
int init_configuration(void) { return 0; }
Configuration_t get_configuration(void) {
    static Likwid_Configuration built = {.daemonMode = ACCESSMODE_$1, .groupPath = "/", .maxNumThreads = 1, .configFileName = "${2:-}"};
    return &built;
}
C
    cc -shared -fPIC built.c -o "$1.so" ${LIKWID_PREFIX:+-I"$LIKWID_PREFIX/include"}
    mkdir -p "$1/bin"
    printf '%s\n' '#!/bin/sh' "LD_PRELOAD=\${LD_PRELOAD:-$PWD/$1.so} exec $(command -v likwid-perfctr)"' "$@"' >"$1/bin/likwid-perfctr"
    chmod +x "$1/bin/likwid-perfctr"
    PATH=$PWD/$1/bin:$PATH
}

# bats test_tags=elsewhere
@test "a LIKWID that is built for perf_event or direct access is refused in one line where it cannot count" {
    local path=$PATH prefix=${LIKWID_PREFIX:-} remedy="remedy: install a LIKWID built with ACCESSMODE=accessdaemon"
    built_for PERF
    why="LIKWID is built for perf_event, which drops or changes options of uncore events"
    run "$assay" doctor
    grep "^blocks  register access  $why; $remedy" <<<"$output"
    run -0 "$assay" vnode -- true # LIKWID counts there, but without these options
    for command in "doctor --node virtual" "validate --quick" "validate --quick --node virtual"; do
        # shellcheck disable=SC2086 # words
        fails_with 2 "$why; $remedy" "$assay" $command
    done
    # where LIKWID does not count, its mode does not matter
    run -0 "$assay" validate control_flow --quick --only random --interface perf --node virtual --out record.json
    [ "$(jq -r '.node.interface, .metrics[0].verdict' record.json | paste -sd ' ')" = "perf validated" ]
    local of_perf=("PATH=$PATH" "LIKWID_PREFIX=${LIKWID_PREFIX:-}")
    PATH=$path LIKWID_PREFIX=$prefix
    fails_with 2 "$why; $remedy" machine env "${of_perf[@]}" "$assay" validate --quick # where there are counters
    built_for PERF "$PWD/likwid.cfg"
    fails_with 2 "$why, or $PWD/likwid.cfg sets no daemon_mode; remedy: set daemon_mode = daemon in that file, or install" "$assay" vnode -- true
    PATH=$path
    built_for DIRECT
    run "$assay" doctor
    [ -e /dev/cpu/0/msr ] || grep "^blocks  register access  direct access needs /dev/cpu/0/msr, which is absent; remedy: modprobe msr" <<<"$output"
    fails_with 2 "LIKWID is built for direct access; registers of a virtual node are behind an access daemon; $remedy" "$assay" vnode -- true
}

@test "direct access needs root: there is a remedy for each way to choose it" {
    unshare --user true || skip "no user namespaces here"
    as_nobody() { # MODE, the doctor's line about a user who may open /dev/cpu/0/msr as this mode says
        # shellcheck disable=SC2016 # sh expands them
        run with_registers sh -c 'chmod "$1" /dev/cpu/0/msr; exec unshare --user "$2" doctor' sh "$1" "$assay"
        grep "^blocks  register access" <<<"$output"
    }
    local path=$PATH
    built_for DIRECT "$PWD/etc/likwid.cfg"
    line="direct access ($PWD/etc/likwid.cfg) needs root: /dev/cpu/0/msr"
    as_nobody 0 | grep -F "$line: Permission denied; remedy: run as root, or set daemon_mode = daemon in that file"
    as_nobody 666 | grep -F "$line: opened, but uncore boxes are in /proc/bus/pci; remedy: run as root, or "
    PATH=$path
    mkdir script
    printf '%s\n' '#!/bin/sh' "exec $(command -v likwid-perfctr) -M 0"' "$@"' >script/likwid-perfctr
    chmod +x script/likwid-perfctr
    PATH=$PWD/script:$path
    as_nobody 0 | grep -F "direct access (likwid-perfctr -M 0) needs root: /dev/cpu/0/msr: Permission denied; remedy: run as root, or use a likwid-perfctr that does not add -M 0"
    fails_with 2 "likwid-perfctr -M 0 asks for direct access; registers of a virtual node are behind an access daemon; remedy: use a likwid-perfctr that" \
        "$assay" vnode -- true
}

@test "a user who may not look into /dev/cpu: its registers are not reported as absent, the daemon's rights decide" {
    unshare --user true || skip "no user namespaces here"
    # shellcheck disable=SC2016 # sh expands it
    run with_registers sh -c 'chmod 0 /dev/cpu; exec unshare --user "$0" doctor' "$assay"
    echo "$output"
    grep "^blocks  register access  .*likwid-accessD may not touch the registers for this user; remedy: " <<<"$output"
}

# bats test_tags=elsewhere
@test "the configuration file is the one that LIKWID reads" {
    printf '%s\n' "daemon_mode = direct" "daemon_path = /bin/true" "groupPath = /" >own.cfg
    export LIKWID_CFG_FILE=$PWD/own.cfg # LIKWID from 5.4 on; the access daemon's environment is empty
    strings_of=$(ldd "$build/patterns/split_loads" | sed -n 's/.*liblikwid[^ ]* => \([^ ]*\) .*/\1/p')
    grep -q LIKWID_CFG_FILE "$strings_of" || skip "this LIKWID has no LIKWID_CFG_FILE, and reads no file (5.2.2)"
    run with_registers "$assay" doctor
    grep "^ok      register access  direct $PWD/own.cfg$" <<<"$output"
}

@test "LIKWID's access mode is asked from the used likwid-perfctr, not from the library with which Assay is built" {
    fake_likwid 'exit 1'
    printf '%s\n' '#!/bin/sh' 'printf "likwid-perfctr -- Version 5.4.1\nlibrary -\nperf_event \n"' >fake/bin/likwid-perfctr
    fails_with 2 "LIKWID is built for perf_event" "$assay" doctor --node virtual
}

@test "a likwid-perfctr that crashes is not reported as badly installed" {
    mkdir bin
    printf '%s\n' '#!/bin/sh' 'echo "free(): invalid pointer" >&2; kill -ABRT $$' >bin/likwid-perfctr
    chmod +x bin/likwid-perfctr
    run env PATH="$PWD/bin:$PATH" "$assay" doctor
    grep "^blocks  LIKWID  *$PWD/bin/likwid-perfctr -v: no answer (status 134): free(): invalid pointer; it crashed: bring CPU 0 online, or try another LIKWID; remedy" <<<"$output"
}

@test "the access daemon is that of LIKWID_PREFIX, or next to likwid-perfctr's folder" {
    [ ! -e /dev/cpu/0/msr ] || skip "has registers"
    mkdir -p module/bin module/sbin
    ln -s "$(command -v likwid-perfctr)" module/bin/
    install -m 4755 /bin/true module/sbin/likwid-accessD
    run env LIKWID_PREFIX="$PWD/module" "$assay" doctor
    grep "^blocks  register access  accessdaemon $PWD/module/sbin/likwid-accessD needs /dev/cpu/0/msr" <<<"$output"
    mkdir path # without any other daemon
    ln -s /usr/bin/* path/
    run env PATH="$PWD/module/bin:$PWD/path" "$assay" doctor
    grep "^blocks  register access  accessdaemon $PWD/module/bin/../sbin/likwid-accessD needs /dev/cpu/0/msr" <<<"$output"
}

@test "another user's lock file blocks, the user's own does not" {
    [ "$(id -u)" -eq 0 ] || skip "needs root's rights"
    lock=$(grep -aho '/[a-z/]*/likwid\.lock' "$(ldd "$build/patterns/split_loads" | sed -n 's/.*liblikwid[^ ]* => \([^ ]*\) .*/\1/p')")
    locked() { # by user NUMBER
        unshare --mount sh -c 'mount -t tmpfs none "${1%/*}/" && touch "$1" && chown "$2" "$1" && exec "$3" doctor' sh "$lock" "$1" "$assay"
    }
    run locked 1003
    grep "^blocks  LIKWID's lock    $lock belongs to user 1003, .*; remedy: ask its owner (id -nu 1003)" <<<"$output"
    run locked 0
    grep "^ok      LIKWID's lock    $lock is this user's" <<<"$output"
}

@test "LIKWID's lock file is found in its library, whatever stands before its path" {
    printf '\0\200%s/likwid.lock\0' "$PWD" >library
    mkdir bin
    printf '%s\n' '#!/bin/sh' "printf 'likwid-perfctr -- Version 5.5.2\nlibrary $PWD/library\naccessdaemon -\n'" >bin/likwid-perfctr
    chmod +x bin/likwid-perfctr
    PATH=$PWD/bin:$PATH
    "$assay" doctor | grep "^ok      LIKWID's lock    there is none$"
    touch likwid.lock
    "$assay" doctor | grep "^ok      LIKWID's lock    $PWD/likwid.lock is this user's$"
}

@test "a locked kernel, its msr module and AMD's watchdog block, each with a remedy" {
    [ "$(id -u)" -eq 0 ] || skip "needs root's rights"
    [ -e /proc/sys/kernel/nmi_watchdog ] || skip "this kernel has no watchdog"
    echo 1 >watchdog
    printf 'processor\t: 0\nvendor_id\t: AuthenticAMD\n' >cpuinfo
    run unshare --mount sh -ec '
        mount --bind watchdog /proc/sys/kernel/nmi_watchdog
        mount --bind cpuinfo /proc/cpuinfo
        for folder in /sys/kernel /sys/module; do mount -t tmpfs none $folder; done
        mkdir -p /sys/kernel/security /sys/module/msr/parameters
        echo "none [integrity] confidentiality" >/sys/kernel/security/lockdown
        echo off >/sys/module/msr/parameters/allow_writes
        exec "$0" doctor' "$assay"
    grep "^blocks  lockdown  .*refuses writes to counter registers; remedy: turn off secure boot" <<<"$output"
    grep "^blocks  register writes  .*; remedy: echo on > /sys/module/msr/parameters/allow_writes (as root)$" <<<"$output"
    grep "^blocks  watchdog  .*; remedy: sysctl kernel.nmi_watchdog=0" <<<"$output"
}

@test "a machine with four of eight memory channels: sums use the present boxes, and LIKWID's values are not reported as wrong" {
    MACHINE=$root/tests/nodes/small_cache.lua
    run --separate-stderr open_machine "$assay" validate bandwidth_saturation --quick --only load --level MEM --placement S0:1 --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "Native node "*"; MBOX 4, 5, 6, 7 absent"* ]]
    [ "$(jq -c .node.boxes.MBOX record.json)" = "[0,1,2,3]" ]
    [ "$(jq '[.metrics[] | select(.group == "ASSAY_MEM" and .verdict == "validated")] | length > 0' record.json)" = true ]
    [ "$(jq '([.metrics[] | select(.verdict == "missing")] | length), (.findings | length), (.blame | length)' record.json | paste -sd ' ')" = "0 0 0" ]
}

@test "ghosts among eight memory channels are separate findings in the first line, the record and the table" {
    echo 'return { arch = "haswellEP", sockets = 1, cores_per_socket = 1, channels = 8, l3 = { size = 512 << 10, ways = 16 } }' >eight.lua
    MACHINE=$PWD/eight.lua
    printf '%s\n' "MBOX2C0 stuck 0" "MBOX5C0 add 200000000000000" >faults
    run --separate-stderr open_machine --fault faults "$assay" validate split_loads --quick --only shifted --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    ghosts="MBOX 2 ghost: silent while its siblings count; MBOX 5 ghost: reads impossible values"
    [[ "${lines[0]}" == "Native node "*"; $ghosts"* ]]
    [ "$(jq -c .node.boxes.MBOX record.json)" = "[0,1,3,4,6,7]" ]
    [ "$(jq -r '[.findings[] | select(.finding == "ghost") | .text] | join("; ")' record.json)" = "$ghosts" ]
    [ "$(sed 1d <<<"$output" | grep -c "^ *MBOX . ghost: ")" -eq 2 ]
    [ "$(jq '.blame | length' record.json)" -eq 0 ]
}

# bats test_tags=long
@test "a channel that counts nothing and a channel that one socket lacks: both are named, and only sums without the first are wrong" {
    caches="l3 = { size = 512 << 10, ways = 16 }"
    for arch in haswellEP skylakeX; do
        [ $arch = haswellEP ] || caches="l2 = { size = 256 << 10, ways = 16 }, l3 = { size = 352 << 10, ways = 11 }"
        echo "return { arch = '$arch', sockets = 2, cores_per_socket = 1, channels = 4, last_channels = 3, $caches }" >differ.lua
        echo "MBOX1C0 stuck 0" >faults # lines go through it, unlike through a ghost
        MACHINE=$PWD/differ.lua
        run --separate-stderr open_machine --fault faults "$assay" validate bandwidth_saturation --quick --only load --level MEM --reps 1 \
            --out $arch.json
        echo "$output"
        [ "$status" -eq 0 ]
        ghost="MBOX 1 ghost: silent while its siblings count"
        [[ "${lines[0]}" == "Native node "*"; MBOX 3 absent on the socket of CPU 1; "*"; $ghost" ]]
        [ "$(jq -c '.node | [.boxes.MBOX, .lacking]' $arch.json)" = '[[0,2,3],[[],["MBOX3"]]]' ]
        [ "$(jq -r '[.findings[] | select(.finding == "ghost") | .text] | join("; ")' $arch.json)" = "$ghost" ]
        [ "$(jq -c '[.metrics[] | select(.verdict == "rejected") | .group] | unique' $arch.json)" = '["ASSAY_MEM"]' ]
        [ "$(jq '[.blame, [.metrics[] | select(.verdict == "missing")]] | flatten | length' $arch.json)" -eq 1 ]
        jq -e '.metrics[] | select(.boundary == "L3-MEM" and .group != "ASSAY_MEM" and .verdict == "validated")' $arch.json
    done
}

# bats test_tags=long
@test "each NUMA cluster's boxes are present, although its cores alone use them" {
    echo 'return { arch = "haswellEP", sockets = 1, cores_per_socket = 2, numa_domains = 2, channels = 2, l3 = { size = 512 << 10, ways = 16 } }' >cod.lua
    MACHINE=$PWD/cod.lua
    run --separate-stderr open_machine "$assay" validate split_loads --quick --only shifted --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(jq -c .node.boxes.MBOX record.json)" = "[0,1,2,3]" ]
    [ "$(jq '[.findings[] | select(.finding == "ghost")] | length' record.json)" -eq 0 ]
}

# bats test_tags=long
@test "a machine with prefetchers, and pages in random frames: no right counter is rejected, and --health says ok" {
    echo 'return { arch = "haswellEP", sockets = 2, cores_per_socket = 2, prefetchers = true, pages = "random",
        l3 = { size = 512 << 10, ways = 16 } }' >prefetching.lua
    export MACHINE=$PWD/prefetching.lua
    cat >each.sh <<'SH'
"$0" validate bandwidth_saturation --quick --level MEM --placement S0:2 --only load --reps 1 --out record.json || exit
"$0" validate latency_bound page_placement --quick --only random,by_one --reps 1 --out pairs.json || exit
exec "$0" validate split_loads --health
SH
    run --separate-stderr open_machine sh -c "$(cat each.sh)" "$assay"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ "${lines[-1]}" == "ok: native node "* ]]
    jq -e '.node.kind == "native" and (.node.prefetchers | test("HW_PREFETCHER on"))' record.json
    for record in record.json pairs.json; do
        [ "$(jq '[.blame, [.metrics[] | select(.verdict | test("rejected|correctable|missing"))]] | flatten | length' $record)" -eq 0 ]
    done
    [ "$(jq -r '.metrics[] | select(.verdict == "validated") | .pattern' record.json pairs.json | sort -u | paste -sd " ")" = \
        "bandwidth_saturation latency_bound page_placement" ]
    jq -e '.metrics[] | select(.group == "ASSAY_CORE_MEM" and .verdict == "validated")' record.json
}
