#!/usr/bin/env bats
# Historical records: published figures of silicon, as a table in results/published; never mixed with native or virtual records.
load common

table=$root/results/published/likwid-2014.tsv

# The records that the table gives, in FOLDER, without their samples: files as in results/.
make_records() {
    local file
    "$assay" historical "$table" --out full >list
    while read -r file; do
        mkdir -p "$(dirname "${file/full/$1}")"
        "$assay" compact "$file" --out "${file/full/$1}"
    done <list
}

@test "the records of results/ are what the table gives today" {
    make_records kept
    [ "$(wc -l <list)" -eq 5 ]
    while read -r file; do
        diff <(jq -S 'del(.assay)' "kept/${file#full/}") <(jq -S 'del(.assay)' "$root/results/${file#full/}")
    done <list
}

@test "show, tables, report and history say historical, and where the figures were published" {
    record=$(ls "$root"/results/ivybridgeEP/ivyep1/*.json)
    run -0 "$assay" show "$record"
    [[ "${lines[0]}" == "historical node ivyep1: not measured by Assay; wiki/IvyBridgeVerification.wiki of "*" at commit cd1c9aefe69b" ]]
    [[ "$output" == *"L2 bandwidth of L2 lacks what is evicted"* ]]
    "$assay" report "$record" --html page.html
    grep -q 'banner historical.*Historical node ivyep1.*cd1c9aefe69b' page.html
    refute grep -q 'Measured on its own counters\|--node native' page.html
    mkdir -p kept/ivybridgeEP/ivyep1
    cp "$record" kept/ivybridgeEP/ivyep1/2014-11-19.json
    run -0 "$assay" history kept
    [ "${lines[0]}" = "ivybridgeEP/ivyep1 (historical)" ]
    # a native record of the same architecture has its own table
    jq '.node.kind = "native" | .node.name = "mine" | del(.source)' "$record" >native.json
    "$assay" tables "$record" native.json --out wiki
    [ "$(grep '^## ' wiki/ivybridgeEP.md)" = "## Event sets
## Measured on silicon
## Historical: published figures of silicon" ]
    grep -q '^ivyep1: historical, from wiki/IvyBridgeVerification.wiki' wiki/ivybridgeEP.md
    [ "$(sed -n '/^## Historical/,$p' wiki/ivybridgeEP.md | grep -c mine)" -eq 0 ]
    fails_with 2 "they are not comparable" "$assay" diff "$record" native.json
}

@test "no group and no signature follows from a historical record" {
    record=$(ls "$root"/results/haswell/heidi/*.json)
    fails_with 2 "historical: figures of others are no evidence for groups" "$assay" groups --record "$record"
    fails_with 2 "historical: figures of others are no evidence for groups" "$assay" signatures "$record"
    fails_with 2 "no records there" "$assay" groups --arch westmere
}

@test "a table with a wrong line, or no folder, is refused" {
    sed '40s/^figure/figures/' "$table" >bad.tsv
    fails_with 2 "bad.tsv:40: 'figures' begins no line" "$assay" historical bad.tsv --out new
    sed '7s/\t32768/\tmany/' "$table" >bad.tsv
    fails_with 2 "bad.tsv:7: 'many' is no number of bytes" "$assay" historical bad.tsv --out new
    [ ! -e new ]
    fails_with 2 "no folder named; usage: assay historical TABLE --out DIR" "$assay" historical bad.tsv
    fails_with 2 "missing.tsv" "$assay" historical missing.tsv --out new
}
