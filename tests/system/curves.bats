#!/usr/bin/env bats
# Events along curves on a virtual node: steps at the node's sizes, wrong events found where counts are known, pages and drawings.
# SPDX-License-Identifier: GPL-3.0-or-later
# bats file_tags=long
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    echo "L2_LINES_IN_ALL scale 1.3" >faults
    "$assay" events L1D_REPLACEMENT L2_LINES_IN_ALL CAS_COUNT_RD DTLB_LOAD_MISSES_STLB_HIT BR_MISP_RETIRED_ALL_BRANCHES --curves \
        --node "virtual:$root/tests/nodes/small_one.lua" --fault faults --out curves.json >text 2>log
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
}

# The line of EVENT in the table below TITLE.
line_of() {
    awk -v title="$1" -v event="$2" 'index($0, title) == 1 { inside = 1 } $0 == "" { inside = 0 } inside && $1 == event' text
}

@test "counts step at the sizes of caches and TLBs" {
    shows_again curves.json text
    grep -q "by loads, line after line, for each load; L1 32 KiB, L2 256 KiB, L3 2 MiB" text
    line_of "Memory walked through by loads" L1D_REPLACEMENT | grep -q "right in all .* 32 KiB .. 36 KiB$"
    line_of "Memory walked through by loads" CAS_COUNT_RD | grep -q "right in all .* 2 MiB .. 2[.].* MiB$"
    line_of "Pages with a line each, walked through by loads" DTLB_LOAD_MISSES_STLB_HIT | grep -q "right in all .* 64 .. 7[0-9], 1024 .. "
    line_of "A branch that goes one way by chance" BR_MISP_RETIRED_ALL_BRANCHES | grep -q "known in 13 of 13 points, right in all"
}

# The matrix comes once from memory where the last cache keeps it, and once for each of the two rows where it does not; known on both sides.
@test "memory traffic over N follows the formulas, below and above the sizes that fit into the cache" {
    line_of "Traffic to memory of a dot product" CAS_COUNT_RD | grep -q "known in 21 of 21 points, right in all"
    line_of "Traffic to memory of a matrix-vector product" CAS_COUNT_RD | grep -q "known in 7 of 7 points, right in all"
    line_of "Traffic to memory of two rows" CAS_COUNT_RD | grep -q "known in 7 of 8 points, right in all .* 512 .. 728$"
    line_of "Traffic to memory of two rows" L1D_REPLACEMENT | grep -q "nothing is known of it"
    grep -q "^Traffic to memory of two rows .*; two matrices 362.*, one and a row 511" text
    grep -q "^Traffic to memory of two rows .*; least of 5 executions (a virtual node has no noise" text
    jq -e '[.curves[] | select(.name == "dgemm traffic").lines[0].points[] | .median >= .measured] | all and length == 8' curves.json
    jq -e '[.curves[] | select(.executions) | .executions == 5 and .why_fewer] | all and length == 3' curves.json
}

@test "a wrong event is reported at points where its count is known" {
    line_of "Memory walked through by loads" L2_LINES_IN_ALL | grep -Eq "wrong in [0-9]+ +\+(29.9|30.0)[0-9] +256 KiB"
}

@test "the record has a page and drawings, and says on both that the node is virtual" {
    "$assay" report curves.json --html page.html --svg drawings
    grep -q "no evidence about silicon" page.html
    grep -q "made wrong on purpose: <code>L2_LINES_IN_ALL scale 1.3</code>" page.html
    [ "$(grep -c '<svg ' page.html)" -eq "$(ls drawings | wc -l)" ]
    grep -q ">virtual node small_one<" drawings/loads-of-lines-1.svg
    jq -e '.kind == "curves" and .node.kind == "virtual"' curves.json >/dev/null
    fits curves.json "$root/docs/curves.schema.json"
}

@test "a record of another kind is refused in one line" {
    jq 'del(.curves[0].lines[0].points[2].measured)' curves.json >broken.json
    fails_with 2 "curves[0].lines[0].points[2].measured is missing" "$assay" report broken.json --html no.html
    [ ! -e no.html ]
    fails_with 2 "curves.json/drawings: " "$assay" report curves.json --svg curves.json/drawings
    "$assay" validate split_loads --node virtual --quick --out record.json >/dev/null 2>&1
    fails_with 2 "no record of curves or samples" "$assay" report record.json --svg drawings2
    [ ! -e drawings2 ]
}
