#!/usr/bin/env bats
# The simulator against an independent one, cachegrind, with the same geometry: instructions, L1 and last-level misses of the
# same program. Counts of n and of 2n sweeps are subtracted, so that start-up and end drop out of both.
bats_require_minimum_version 1.5.0
load common

events=INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0,CAS_COUNT_RD:MBOX0C0,CAS_COUNT_RD:MBOX1C0,CAS_COUNT_RD:MBOX2C0
events=$events,CAS_COUNT_RD:MBOX3C0,CAS_COUNT_RD:MBOX4C0,CAS_COUNT_RD:MBOX5C0,CAS_COUNT_RD:MBOX6C0,CAS_COUNT_RD:MBOX7C0

# "instructions L1-misses last-level-misses" of one run on the virtual node.
simulated() {
    "$assay" vnode -- likwid-perfctr -C 0 -g "$events" -o out.csv "$build/patterns/stream" -c 0 "$@" >/dev/null 2>log
    awk -F, '/FIXC0|PMC0|MBOX.C0/ { if ($2 == "FIXC0") i = $3; else if ($2 == "PMC0") l1 = $3; else if ($2 ~ /MBOX/) ll += $3 }
             END { print i, l1, ll }' out.csv
}

# The same from cachegrind: Ir, D1mr + D1mw, ILmr + DLmr + DLmw.
cachegrind() {
    valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=5242880,20,64 --cachegrind-out-file=cg.out \
        "$build/patterns/stream" -c 0 "$@" >/dev/null 2>&1
    awk '/^events:/ { for (i = 2; i <= NF; i++) column[$i] = i }
         /^summary:/ { print $column["Ir"], $column["D1mr"] + $column["D1mw"], $column["ILmr"] + $column["DLmr"] + $column["DLmw"] }' cg.out
}

# compare KERNEL ELEMENTS SWEEPS: the three differences agree within 0.5 %.
compare() {
    object=$(ls "$build"/cache/"$1"-*.so | head -n 1)
    local ours1 ours2 other1 other2
    ours1=$(simulated r "$object" "$2" "$3")
    ours2=$(simulated r "$object" "$2" $((2 * $3)))
    other1=$(cachegrind r "$object" "$2" "$3")
    other2=$(cachegrind r "$object" "$2" $((2 * $3)))
    echo "$1: ours $ours1 -> $ours2; cachegrind $other1 -> $other2"
    awk -v a="$ours1" -v b="$ours2" -v c="$other1" -v d="$other2" 'BEGIN {
        split(a, a_); split(b, b_); split(c, c_); split(d, d_)
        for (k = 1; k <= 3; k++) {
            ours = b_[k] - a_[k]; other = d_[k] - c_[k]; off = ours - other; if (off < 0) off = -off
            if (a_[k] == "" || c_[k] == "" || other <= 0 || off > 0.005 * other) { print "column " k ": " ours " against " other; exit 1 }
        }
    }'
}

setup_file() {
    # The objects of all kernels are there after any validation.
    cd "$BATS_FILE_TMPDIR" || return 1
    load common
    "$assay" validate bandwidth_saturation --node virtual --quick >/dev/null 2>&1 || true
}

@test "load in memory" {
    compare load 3000000 2
}

@test "copy in memory" {
    compare copy 1500000 2
}

@test "triad in memory" {
    compare triad 800000 2
}
