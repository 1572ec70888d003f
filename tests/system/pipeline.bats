#!/usr/bin/env bats
# Cores with pipelines: loops whose time the pipeline alone decides, against llvm-mca. docs/time.md says what is simplified.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

loops=$build/tests/programs/pipeline_loops

# Loops and architectures where llvm-mca 14 predicts something else: a row must differ, or it is not in the table.
#   move              llvm-mca's Intel cores execute copies of registers
#   conditional_move  two micro-operations of a cycle each, only on Haswell (Fog)
#   walk              a load takes four cycles on Zen 3 (Fog), and five there
#   load_add, triad, stencil
#                     an access and the operation on its data are issued as one instruction; llvm-mca issues two on these, or six a cycle
#   fused_twelve      Zen 3 has two units for fused multiply-adds (Fog), and one there
differ="move haswellEP broadwellEP skylakeX
conditional_move haswellEP
walk zen3
load_add haswellEP broadwellEP
triad haswellEP broadwellEP skylakeX zen3
stencil haswellEP broadwellEP zen3
fused_twelve zen3"

# predicted ARCH LOOP: cycles of a pass
predicted() {
    local processor
    processor=$(sed -n 's/^ *mca = "\(.*\)",.*/\1/p' "$build/groups/$1/machine.lua")
    { echo 1: && "$loops" "$2"; } | llvm-mca -mtriple=x86_64 -mcpu="$processor" -iterations=1000 |
        awk '/^Total Cycles/ { print $3 / 1000 }'
}

@test "loops take the cycles that llvm-mca predicts, on four architectures" {
    for arch in haswellEP broadwellEP skylakeX zen3; do
        run -0 --separate-stderr "$assay" vnode --node "$arch-1x1+pipeline" -- "$loops"
        while read -r loop cycles; do
            expected=$(predicted "$arch" "$loop")
            agrees=$(awk -v a="$cycles" -v b="$expected" 'BEGIN { print (a > 0.97 * b && a < 1.03 * b ? "yes" : "no") }')
            listed=$(grep -q "^$loop .*\b$arch\b" <<<"$differ" && echo no || echo yes)
            echo "$arch $loop: $cycles, predicted $expected"
            [ "$agrees" = "$listed" ]
        done <<<"$output"
    done
}

@test "only cycles depend on pipelines; patterns and models agree with both" {
    counts=instructions,branches,branch-misses,L1-dcache-load-misses,L1-icache-load-misses
    for node in haswellEP-1x1 haswellEP-1x1+pipeline; do
        "$assay" vnode --node "$node" -- perf stat -x, -o counted -e "cycles,$counts" sort -n "$root/README.md" >/dev/null
        mv counted "$node"
    done
    others() { sed -n '/:u/!d; /cycles/!p' "$1" | cut -d, -f1,3; }
    cycles() { sed -n 's/,,cycles:u.*//p' "$1"; }
    [ "$(others haswellEP-1x1 | wc -l)" -eq 5 ]
    [ "$(others haswellEP-1x1)" = "$(others haswellEP-1x1+pipeline)" ]
    [ "$(cycles haswellEP-1x1+pipeline)" -lt "$(cycles haswellEP-1x1)" ]
}

# Values that VEX's helpers return, as those of numbers of 80 bits, are of no instruction that the pipeline knows.
@test "programs with long double end on nodes with pipelines" {
    cat >long.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    volatile long double x = strtold("1.25", NULL);
    for (int i = 0; i < 10; i++)
        x = x * 1.5L + argc;
    return argv[0] == NULL || printf("%Lf\n", x) < 0;
}
END
    cc -O2 long.c -o long
    run -0 --separate-stderr timeout -k 5 60 "$assay" vnode --node haswellEP-1x1+pipeline -- ./long
    [ "$output" = "$(./long)" ]
}

@test "cycles per instruction of chains and of independent operations are those of llvm-mca" {
    for arch in $(nodes_here haswellEP zen3); do
        "$assay" validate pipelining alu_saturation --quick --node "virtual:$arch-1x1+pipeline" --out "$arch.json"
        jq -e '[.metrics[] | select(.quantity == "cycles per instruction" or .metric == "CPI")
            | .error_pct | .max < 0.5 and .min > -0.5] | length == 3 and all' "$arch.json"
    done
}

@test "a processor whose pipeline is not known has none, and says so" {
    fails_with 2 "pipeline: that of this processor is not known" "$assay" vnode --node SPR-1x2+pipeline -- true
    echo 'return { arch = "SPR", sockets = 1, cores_per_socket = 2, pipeline = true }' >node.lua
    fails_with 2 "node.lua:1: pipeline: that of this processor is not known" "$assay" vnode --node ./node.lua -- true
}
