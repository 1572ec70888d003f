#!/usr/bin/env bats
# LIKWID's direct access to registers, which registers.c shows as files: unmodified LIKWID, no daemon (rig.bash).
# SPDX-License-Identifier: GPL-3.0-or-later
load common
load rig

@test "LIKWID's direct access gives the same counts as its daemon" {
    MACHINE=zen3-1x1
    count() { # ACCESS
        run --separate-stderr direct_machine likwid-perfctr -M "$1" -C 0 -g L3 -O -f "$build/patterns/split_loads" -c 0 a shifted 256 8 400
        echo "$output $stderr"
        [ "$status" -eq 0 ]
        counts=$(sed -n '/Raw/,/Metric/p' <<<"$output" | grep -v -e Runtime -e PWR)
    }
    count 1
    by_daemon=$counts
    count 0
    [[ "$counts" == *"RETIRED_INSTRUCTIONS,PMC0,"[1-9]* ]]
    [ "$counts" = "$by_daemon" ]
}

@test "Assay knows LIKWID's lines about a register in use, or closed by the kernel" {
    MACHINE=zen3-1x1
    count="likwid-perfctr -M 0 -C 0 -g RETIRED_INSTRUCTIONS:PMC0 true"
    run direct_machine sh -c 'printf "\300\000\103\000\000\000\000\000" | dd of=/dev/cpu/0/msr seek=$((0xC0010200)) oflag=seek_bytes conv=notrunc 2>&1;'"$count"
    echo "$output"
    grep "selected register PMC0 is in use" <<<"$output"
    REFUSED=C0010200
    # shellcheck disable=SC2086 # words
    run direct_machine $count
    echo "$output"
    grep "No event in given event string can be configured" <<<"$output" # and not why
}

# bats test_tags=long
@test "a validation by direct access: counters of cores and of boxes in PCI, and the record says so" {
    echo 'return { arch = "haswellEP", sockets = 1, cores_per_socket = 1, channels = 4, l3 = { size = 512 << 10, ways = 16 } }' >four.lua
    export MACHINE=$PWD/four.lua ACCESS="-M 0"
    run --separate-stderr direct_machine "$assay" validate bandwidth_saturation split_loads --quick --only load,shifted --level MEM \
        --placement S0:1 --reps 1 --out record.json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "Native node "*" through direct; MBOX 4, 5, 6, 7 absent"* ]]
    [ "$(jq -r '.node.kind, .node.access, (.failures | length)' record.json | paste -sd ' ')" = "native direct 0" ]
    [ "$(jq '[.metrics[] | select(.group == "ASSAY_MEM" and .verdict == "validated")] | length > 0' record.json)" = true ]
    [ "$(jq '[.metrics[] | select(.verdict != "validated" and .verdict != "untested")] | length' record.json)" -eq 0 ]
}

# bats test_tags=long
@test "a register in use stops doctor and validate with LIKWID's line, and the remedy helps" {
    export MACHINE=zen3-1x1 ACCESS="-M 0"
    cat >each.sh <<'SH'
printf "\300\000\103\000\000\000\000\000" | dd of=/dev/cpu/0/msr seek=$((0xC0010202)) oflag=seek_bytes conv=notrunc 2>/dev/null
"$0" doctor
"$0" validate --node native split_loads --quick --only shifted
echo "status $?"
LIKWID_FORCE=1 "$0" doctor
SH
    run --separate-stderr direct_machine sh -c "$(cat each.sh)" "$assay"
    echo "$output $stderr"
    why="probe: the counters are not free; LIKWID says: ERROR: The selected register PMC1 is in use.; remedy: .* or set LIKWID_FORCE=1$"
    [ "$(grep -c "^blocks  probe  .*$why" <<<"$output")" -eq 1 ]
    grep "^assay validate: --node native: $why" <<<"$stderr"
    grep "^status 2$" <<<"$output"
    grep "^ok      probe  " <<<"$output"
}

# bats test_tags=long
@test "a kernel that refuses writes stops the doctor with LIKWID's line, and the remedy names lockdown and msr.allow_writes" {
    export MACHINE=zen3-1x1 ACCESS="-M 0" REFUSED=C0010200
    run --separate-stderr direct_machine "$assay" doctor
    echo "$output $stderr"
    grep "^blocks  probe  .*have no count; LIKWID says: ERROR: No event in given event string can be configured.*; remedy: turn off the kernel's lockdown (secure boot), .*allow_writes" <<<"$output"
}
