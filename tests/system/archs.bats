#!/usr/bin/env bats
# Records of several architectures in tables, catalogue, page, comparison and history: side by side, never mixed.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

archs="haswellEP skylakeX zen3"

# The reference records of three nodes, of which two patterns are kept: avx_flops, and two codes with their data in L2.
setup_file() {
    local node arch
    for node in haswellEP-1x2 skylakeX-1x2 zen3-1x2; do
        arch=${node%-*}
        mkdir -p "$BATS_FILE_TMPDIR/results/$arch/$node"
        jq '.metrics |= map(select(.level == "L2" and (.code == "load" or .code == "triad") or .pattern == "avx_flops"))' \
            "$(reference $node)" >"$BATS_FILE_TMPDIR/results/$arch/$node/2026-01-01.json"
        ln "$BATS_FILE_TMPDIR/results/$arch/$node/2026-01-01.json" "$BATS_FILE_TMPDIR/$arch.json"
    done
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    others_of_haswellEP="skylakeX zen3" others_of_skylakeX="haswellEP zen3" others_of_zen3="haswellEP skylakeX"
}

# names_none_other ARCH FILE...: no file names another architecture.
names_none_other() {
    local arch=$1 other others=others_of_$1
    shift
    for other in ${!others}; do
        refute grep -l "$other" "$@"
    done
    grep -q "$arch" "$@"
}

@test "every architecture's table shows the total of its groups, or the half that they have" {
    for arch in $archs; do
        run -0 --separate-stderr "$assay" show $arch.json
        refute grep -q "no metric to show" <<<"$output"
        grep -q "^bandwidth_saturation: L1-L2 .*volume, data in L2" <<<"$output"
    done
    [[ "$output" == *"L1-L2 load volume"* ]]
    refute grep -q "L1-L2 load volume" <("$assay" show haswellEP.json)
    refute grep -q "L1-L2 load volume" <("$assay" show skylakeX.json)
}

@test "wiki pages: one set per architecture, which names no other architecture" {
    "$assay" tables haswellEP.json skylakeX.json zen3.json --out wiki
    for arch in $archs; do
        names_none_other $arch wiki/$arch.md wiki/$arch-*
        [ -s wiki/$arch-bandwidth_saturation-virtual-$arch-1x?.svg ]
    done
    [ "$(find wiki -type f | wc -l)" -eq "$(find wiki -name 'haswellEP*' -o -name 'skylakeX*' -o -name 'zen3*' | wc -l)" ]
}

@test "catalogue: each architecture's groups are judged by its own records" {
    "$assay" groups --format csv --record haswellEP.json --record skylakeX.json --record zen3.json >all.csv
    "$assay" groups --format json --record haswellEP.json --record skylakeX.json --record zen3.json >all.json
    for arch in $archs; do
        "$assay" groups --format csv --record $arch.json >one.csv
        grep "^$arch," all.csv >of-arch.csv
        cmp of-arch.csv <(tail -n +2 one.csv)
        names_none_other $arch of-arch.csv
        "$assay" groups --format json --record $arch.json | jq '.architectures[0]' >one.json
        cmp one.json <(jq --arg arch $arch '.architectures[] | select(.arch == $arch)' all.json)
    done
    [ "$(jq -r '[.architectures[].arch] | join(" ")' all.json)" = "$archs" ]
}

@test "groups are installed into the folders of their architectures" {
    "$assay" groups --record haswellEP.json --record skylakeX.json --record zen3.json --install installed >/dev/null
    for arch in $archs; do
        [ -s installed/$arch/ASSAY_L2.txt ]
        names_none_other $arch installed/$arch/*.txt
    done
}

@test "the page of a record names only its architecture, and has a plot of its levels" {
    for arch in $archs; do
        "$assay" report $arch.json --html $arch.html >/dev/null
        names_none_other $arch $arch.html
        grep -q 'aria-label="Errors: bandwidth saturation, L2, volume"' $arch.html
    done
}

@test "records of two architectures are not compared" {
    fails_with 2 "they are not comparable" "$assay" diff haswellEP.json zen3.json
    fails_with 2 "haswellEP.json is of haswellEP, skylakeX.json of skylakeX" "$assay" diff haswellEP.json skylakeX.json
}

@test "history shows each architecture's node separately" {
    run -0 --separate-stderr "$assay" history results
    for arch in $archs; do
        grep -q "$arch" <<<"$output"
    done
}
