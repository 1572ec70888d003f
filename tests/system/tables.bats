#!/usr/bin/env bats
# Wiki pages, plots and history: made from records alone, the same bytes each time; files of others are not replaced.
load common

@test "pages and plots of a record; plots are well-formed, without gnuplot's version or a date" {
    run -0 --separate-stderr "$assay" tables "$(reference)" --out out
    [ -z "$stderr" ]
    [ -s out/haswellEP.md ]
    for file in $output; do
        [ -s "$file" ]
        head -n 1 "$file" | grep -q 'made by assay tables'
    done
    # every file that a page names exists
    names=$(grep -ho '](haswellEP[^)]*' out/*.md | sed 's/](//' | sort -u)
    [ -n "$names" ]
    for name in $names; do
        [ -s "out/$name" ] || [ -s "out/$name.md" ]
    done
    grep -q 'not evidence about silicon' out/haswellEP.md
    run ! grep -q 'Measured on silicon' out/haswellEP.md
    for file in out/*.svg; do
        grep -q '</svg>' "$file"
        run ! grep -qi 'gnuplot [0-9]\|patchlevel' "$file"
        grep -q 'prefers-color-scheme: dark' "$file"
    done
}

# bats test_tags=long
@test "cells of the tables of two threads are means of the record's samples, one row per label" {
    "$assay" validate line_sharing load_imbalance --quick --node virtual:haswellEP-2x2 --out r.json >/dev/null
    "$assay" tables r.json --out out >/dev/null
    python3 "$root/tests/system/table_cells.py" r.json out/haswellEP-line_sharing.md
    python3 "$root/tests/system/table_cells.py" r.json out/haswellEP-load_imbalance.md
    grep -q "^| 256 | 60 | $((60 * 257)) " out/haswellEP-line_sharing.md
    # a cell that is not the mean of its samples is found
    sed -i '0,/| 15420 .* |/s/\(| 15420 [^|]*\) | [0-9]* /\1 | 12850 /' out/haswellEP-line_sharing.md
    refute python3 "$root/tests/system/table_cells.py" r.json out/haswellEP-line_sharing.md
}

# bats test_tags=long
@test "our bandwidth equals likwid-bench's, computed with its own time, plus hidden traffic" {
    mkdir -p .likwid/groups
    ln -s "$build/groups/haswellEP" .likwid/groups/
    # lines moved for each byte that likwid-bench counts: a copy's write-allocate is the third of two
    for kernel in load:1 copy:1.5; do
        HOME=$PWD "$assay" vnode --node haswellEP-1x2 -- likwid-perfctr -C 0 -O -g ASSAY_L2 -m \
            likwid-bench -t "${kernel%:*}_avx" -w S0:100kB:1 -i 2000 >out.txt 2>/dev/null
        awk -F '[:,\t ]+' -v factor="${kernel#*:}" '
            /^MByte\/s/ { theirs = $2 * factor }
            /^L1-L2 bandwidth/ { ours = $4 }
            END { print ours, theirs; exit !(ours > 0.99 * theirs && ours < 1.01 * theirs) }' out.txt
    done
}

# bats test_tags=long
@test "the same input gives the same bytes, in any order, and nothing else is left behind" {
    local r
    r=$(small_reference)
    "$assay" tables "$r" --out one
    sed 's/"started": "2[0-9-]*T/"started": "2001-01-01T/' "$r" >older.json
    "$assay" tables older.json "$r" --out two
    LC_ALL=C TZ=Asia/Tokyo "$assay" tables "$r" older.json --out three
    diff -r two three
    "$assay" tables "$r" --out one >/dev/null
    "$assay" tables "$r" --out four
    diff -r one four
    [ "$(ls -A one | wc -l)" -eq "$("$assay" tables "$r" --out one | wc -l)" ]
    [ "$(ls)" = "$(printf '%s\n' four older.json one small_reference.json three two)" ]
}

@test "a file that Assay did not write is not replaced, and nothing is written" {
    mkdir out
    echo "my own notes" >out/haswellEP-bandwidth_saturation.md
    fails_with 2 "out/haswellEP-bandwidth_saturation.md: is there and was not made by assay tables" \
        "$assay" tables "$(small_reference)" --out out
    [ "$(cat out/*)" = "my own notes" ]
    rm out/*
    ln -s /etc/passwd out/haswellEP.md
    fails_with 2 "out/haswellEP.md: is there" "$assay" tables small_reference.json --out out
    [ -L out/haswellEP.md ]
}

@test "bad input is reported in one line" {
    fails_with 2 "no record named; usage: assay tables" "$assay" tables
    fails_with 2 "no.json: cannot read" "$assay" tables no.json
    echo '{"schema": 1}' >bad.json
    fails_with 2 'bad.json: assay is missing' "$assay" tables bad.json
    fails_with 2 "--frob" "$assay" tables --frob
    fails_with 2 "--out" "$assay" tables "$(reference)" --out
    jq '.node.kind = "dream"' "$(reference)" >dream.json
    fails_with 2 "dream.json: node.kind must be historical, native or virtual, not dream" "$assay" tables dream.json
    touch file
    fails_with 2 "file" "$assay" tables "$(small_reference)" --out file
}

@test "a missing or failing gnuplot is reported in one line, and nothing is written" {
    mkdir bin
    ln -s "$(command -v bash)" bin/bash
    fails_with 2 "gnuplot: not found" env PATH="$PWD/bin" "$assay" tables "$(reference)" --out out
    [ ! -e out ]
    printf '#!/bin/sh\necho "no such terminal" >&2\nexit 1\n' >bin/gnuplot
    chmod +x bin/gnuplot
    fails_with 2 "no such terminal" env PATH="$PWD/bin:$PATH" "$assay" tables "$(small_reference)" --out out
    [ ! -e out ]
    # all but the second of many
    printf '#!/bin/sh\n"%s" "$@"\nrm "$4/1.svg"\n' "$(command -v gnuplot)" >bin/gnuplot
    run -0 "$assay" tables "$(reference)" --out good
    second=$(basename "$(printf '%s\n' "${lines[@]}" | grep 'svg$' | sed -n 2p)")
    fails_with 2 "$second: gnuplot failed" env PATH="$PWD/bin:$PATH" "$assay" tables "$(reference)" --out out
    [ ! -e out ]
}

# bats test_tags=long
@test "make tables and make history use the newest record of every node" {
    make -s -C "$root" BUILD="$build" TABLES="$PWD/out" tables >names
    grep -qx "$PWD/out/haswellEP.md" names
    [ -s out/haswellEP.md ]
    run -0 make -s -C "$root" BUILD="$build" history
    [[ "$output" == *"haswellEP/haswellEP-1x2 (virtual)"* ]]
}

@test "history orders a node's records and shows changes" {
    mkdir -p results/haswellEP/haswellEP-1x2
    cp "$(reference)" results/haswellEP/haswellEP-1x2/2026-01-01.json
    sed '0,/"verdict": "validated"/s//"verdict": "rejected"/; s/"likwid": "[^"]*"/"likwid": "9.9"/; s/"started": "2[0-9-]*T/"started": "2099-01-01T/' \
        "$(reference)" >results/haswellEP/haswellEP-1x2/2099-01-01.json
    run -0 --separate-stderr "$assay" history
    [ "${lines[0]}" = "haswellEP/haswellEP-1x2 (virtual)" ]
    [[ "${lines[3]}" == *"2099-01-01"*" 1      0"* ]]
    [[ "$output" == *"-> 9.9; worse: assay diff "* ]]
}

@test "history refuses a record in the wrong folder, and a folder without records" {
    fails_with 2 "nowhere: holds no records" "$assay" history nowhere
    mkdir -p results/haswellEP/other
    cp "$(reference)" results/haswellEP/other/2026-01-01.json
    fails_with 2 "results/haswellEP/other/2026-01-01.json: is of haswellEP/haswellEP-1x2" "$assay" history
    fails_with 2 "usage: assay history" "$assay" history one two
}
