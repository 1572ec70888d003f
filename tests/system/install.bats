#!/usr/bin/env bats
# An installed Assay works from anywhere, without the checkout.
load common

# bats test_tags=elsewhere
@test "make install PREFIX= gives a program that finds its parts" {
    make -C "$root" BUILD="$build" PREFIX="$PWD/prefix" install >log 2>&1 || { cat log; return 1; }
    assay=$PWD/prefix/bin/assay
    cd /
    run --separate-stderr env XDG_CACHE_HOME="$BATS_TEST_TMPDIR/cache" "$assay" doctor --node virtual
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    run -0 "$assay" list
    [ "$output" = "$("$build/assay" list)" ]
    run -0 --separate-stderr "$assay" vnode -- likwid-topology
    [[ "$output" == *"E5-26xx v3"* ]]
    cd "$BATS_TEST_TMPDIR" # finds the hierarchies, and the helper that starts commands with blanks
    run -0 --separate-stderr "$assay" analyse --node virtual --tree CYCLES,BRANCHES -- sh -c 'exit 0'
    grep -Eq "^CYCLES \[cycles\] +[0-9]" <<<"$output"
}

# bats test_tags=long
@test "a prefix with blanks, semicolons, quotes and backslashes" {
    prefix=$PWD/'a b;c\d"e'"'f"
    make -C "$root" BUILD="$build" PREFIX="$prefix" install >log 2>&1 || { cat log; return 1; }
    run --separate-stderr "$prefix/bin/assay" validate long_latency --node virtual --quick
    echo "$output $stderr"
    [[ "$output" == *"18 metrics: 12 validated, 6 untested"* ]]
    run -0 --separate-stderr "$prefix/bin/assay" analyse --node virtual --tree CYCLES -- sh -c 'exit 0'
    refute grep LD_PRELOAD <<<"$stderr"
    mkdir "a b"
    TMPDIR="$PWD/a b" fails_with 2 "set TMPDIR to one without" "$prefix/bin/assay" vnode -- true
}

@test "after a source has moved, an old build folder still builds: dependency files of missing sources are removed" {
    object=$PWD/built/vnode/shim/command
    mkdir -p "${object%/*}"
    touch "$object.o" kept.c
    echo "$object.o: vnode/shim/command.c vnode/room.h" >"$object.d" # now vnode/command.c
    echo "built/kept.o: $PWD/kept.c" >built/kept.d
    run make -C "$root" BUILD="$PWD/built" -n -s "$object.o"
    refute grep "No rule to make target" <<<"$output"
    [ "$status" -eq 0 ]
    [ ! -e "$object.o" ]
    [ ! -e "$object.d" ]
    [ -e built/kept.d ]
}

@test "make rebuilds nothing that is up to date, so programs in use are not replaced" {
    run -0 env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -C "$root" BUILD="$build" -n all
    [ "$output" = "make: Nothing to be done for 'all'." ]
}
