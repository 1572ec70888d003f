# outside.bash - tests/whole/run: programs that are read from outside while they run, by timeline, by stethoscope, and by a
# monitor with LIKWID's C API.
# SPDX-License-Identifier: GPL-3.0-or-later

# watched NAME COMMAND: its rows of instructions and lines, while `lines` runs on core 1; all of them next to 7 a line.
watched() {
    local name=$1 row=0 instructions lines
    rm -f "$scratch/ready"
    "$assay" vnode --node $NODE -- sh -c "taskset -c 1 '$programs/lines' 100000 '$scratch/ready' & lines=\$!
        while [ ! -e '$scratch/ready' ]; do sleep 0.01; done; $2; kill \$lines" >"$scratch/rows" 2>"$scratch/said"
    while read -r instructions lines; do
        [ "$lines" = 0 ] && continue # the host has let it wait
        compare "$name" "$((row++))" "instructions for 7 a line" "$instructions" $((7 * lines))
    done <"$scratch/rows"
    [ $row -gt 0 ] || compare "$name" - "instructions for 7 a line" - 0
}

# The sum of all samples is what the program has done, without the last of them, which LIKWID leaves out: at most 2 ms of
# some 0.7 s of the node.
outside_timeline() {
    local passes=300 sums
    "$assay" vnode --node $NODE -- likwid-perfctr -C 0 -g INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0 -t 2ms \
        "$programs/lines" $passes >"$scratch/rows" 2>&1
    read -ra sums < <(awk '/^1 [0-9]+ 1 / { n += $5; l += $6 } END { printf "%.0f %.0f", n, l }' "$scratch/rows")
    compare timeline 1 "instructions for 7 a line" "${sums[0]}" $((7 * sums[1]))
    compare timeline 1 "lines into L1 (closed form)" "${sums[1]}" $((passes * 131072))
}

outside_stethoscope() {
    watched stethoscope "for i in 1 2 3; do likwid-perfctr -c 1 -g INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0 -S 200ms; done |
        awk -F'|' '/INSTR_RETIRED_ANY/ { n = \$4 } /L1D_REPLACEMENT/ { print n + 0, \$4 + 0 }'"
}

outside_monitor() {
    watched monitor "'$programs/monitor' INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0 5"
}
