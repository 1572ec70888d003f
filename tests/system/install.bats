#!/usr/bin/env bats
# An installed Assay works from anywhere, without the checkout.
bats_require_minimum_version 1.5.0
load common

@test "make install PREFIX= gives a program that finds its parts" {
    make -C "$root" BUILD="$build" PREFIX="$PWD/prefix" install >log 2>&1 || { cat log; return 1; }
    assay=$PWD/prefix/bin/assay
    cd /
    run --separate-stderr env XDG_CACHE_HOME="$BATS_TEST_TMPDIR/cache" "$assay" doctor --node virtual
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    run "$assay" list
    [ "$status" -eq 0 ]
    [ "$output" = "$("$build/assay" list)" ]
    run --separate-stderr "$assay" vnode -- likwid-topology
    [ "$status" -eq 0 ]
    [[ "$output" == *"E5-26xx v3"* ]]
    cd "$BATS_TEST_TMPDIR" # with the hierarchies, and what starts commands with blanks
    run --separate-stderr "$assay" analyse --node virtual --tree CYCLES,BRANCHES -- sh -c 'exit 0'
    [ "$status" -eq 0 ]
    grep -Eq "^CYCLES \[cycles\] +[0-9]" <<<"$output"
}
