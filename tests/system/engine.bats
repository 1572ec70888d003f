#!/usr/bin/env bats
# The engine of the virtual node: exact counts, repeatable order of threads, processes, clock, affinity.
load common

node_tool=$build/tests/engine/node_tool
behaviour=$build/tests/engine/behaviour

setup() {
    cd "$BATS_TEST_TMPDIR"
    export ASSAY_NODE_DIR=$BATS_TEST_TMPDIR/node VALGRIND_LIB=$build/vnode/valgrind
    mkdir "$ASSAY_NODE_DIR"
    "$node_tool" create "$ASSAY_NODE_DIR"
}

# The tool with the checks of its intermediate code, which it leaves out otherwise.
engine() {
    timeout 120 valgrind -q --tool=assay --sanity-level=2 --trace-children=yes "$@"
}

# total NAME: a total of the whole node
total() {
    "$node_tool" totals "$ASSAY_NODE_DIR" | sed -n "s/^$1 //p"
}

# within LOW VALUE HIGH
within() {
    echo "$2 should be within $1 and $3"
    [ "$2" -ge "$1" ] && [ "$2" -le "$3" ]
}

# bats test_tags=elsewhere
@test "instruction sequences have the counts worked out by hand" {
    run engine --affinity=0x1 "$build/tests/engine/exact"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *" 0 wrong totals" ]]
}

@test "code that the program writes at run time has the counts worked out by hand, also after it is overwritten" {
    for case in anonymous in_file two_mappings two_mappings_late own_text by_another_thread; do
        run engine --affinity=0x1 "$build/tests/engine/made_code" "$case"
        echo "$case: status $status; $output"
        [ "$status" -eq 0 ]
    done
}

# Lets the engine store translations in ./cache (vnode/engine/stored.c).
store_here() {
    mkdir -p cache
    ln -sfn "$PWD/cache" "$ASSAY_NODE_DIR/stored"
}

# returns STATUS NAME: a program NAME that ends with the status.
returns() {
    echo "int main(void) { return $1; }" | cc -x c -o "$2" -
}

# fill_store BYTE PARTS: overwrites parts of all entries stored in ./cache: `translations`, with the right sum; `damaged`, the same with
# the old sum; everything
fill_store() {
    python3 - "$@" cache/translations.* <<'PYTHON'
import struct, sys
WORD, FACTOR = 2**64 - 1, 0x9e3779b97f4a7c15

def mix(sum, text):
    whole = len(text) // 8 * 8
    for at in range(0, whole, 8):
        sum = (sum ^ int.from_bytes(text[at:at + 8], "little")) * FACTOR & WORD
        sum ^= sum >> 29
    for one in text[whole:]:
        sum = (sum ^ one) * FACTOR & WORD
    return sum ^ sum >> 29

byte, parts, name = int(sys.argv[1], 0), sys.argv[2], sys.argv[3]
data = bytearray(open(name, "rb").read())
at, entries = 64 + 16 * 65536, 0
while at < len(data):
    _, _, size, translated, _, _, code = struct.unpack_from("<QQIIiIH", data, at)
    begin = at if parts == "everything" else at + 40 + code
    end = at + size if parts == "everything" else begin + translated
    data[begin:end] = bytes([byte]) * (end - begin)
    if parts == "translations": # with its new sum; "damaged": with the old one
        struct.pack_into("<Q", data, at + 8, mix(translated, data[at + 40:end]))
    at, entries = at + size, entries + 1
open(name, "wb").write(data)
assert entries > 100
PYTHON
}

@test "stored translations give the counts worked out by hand, and are used" {
    store_here
    for _ in first second; do
        run engine --affinity=0x1 "$build/tests/engine/exact"
        echo "$output"
        [[ "$status" -eq 0 && "$output" == *" 0 wrong totals" ]]
    done
    returns 3 three
    run -3 engine ./three
    before=$(stat -c %s cache/translations.*)
    run -3 engine ./three
    [ "$(stat -c %s cache/translations.*)" -eq "$before" ]
    fill_store 0xf4 translations # hlt, which a process may not execute
    run engine ./three
    [ "$status" -ge 128 ] || [ "$status" -eq 1 ]
}

@test "stored translations: changed code, a damaged file and another engine's file do no harm" {
    store_here
    returns 3 program
    run -3 engine ./program
    returns 4 program
    run -4 engine ./program
    fill_store 0xf4 damaged
    run -4 engine ./program
    fill_store 0xff everything
    run -4 engine ./program
    printf '\xff' | dd of="$(echo cache/translations.*)" bs=1 conv=notrunc status=none # the engine's file
    before=$(stat -c %i cache/translations.*)
    for _ in removes makes uses; do run -4 engine ./program; done
    [ "$(stat -c %s cache/translations.*)" -gt 1048640 ]
    [ "$(stat -c %i cache/translations.*)" -ne "$before" ] || [ "$(od -An -tu1 -N1 cache/translations.*)" -ne 255 ]
    status=0
    (ulimit -f 8 && engine ./program) || status=$?
    [ "$status" -eq 4 ]
}

@test "without a node: one line and no run" {
    unset ASSAY_NODE_DIR
    fails_with 1 "ASSAY_NODE_DIR: not set" engine /bin/true
}

@test "a node file of another version is refused" {
    printf '\xff' | dd of="$ASSAY_NODE_DIR/node" bs=1 seek=4 conv=notrunc status=none
    fails_with 1 "not a node file of this version" engine /bin/true
}

@test "a short node file is refused" {
    truncate -s 100 "$ASSAY_NODE_DIR/node"
    fails_with 1 "too short for a node file" engine /bin/true
}

# bats test_tags=elsewhere
@test "a program that preloads a library runs" {
    LD_PRELOAD=libpthread.so.0 run engine "$behaviour" present
    [ "$status" -eq 0 ]
    [[ "$output" == *1 ]]
}

@test "requests are not answered outside the engine" {
    run "$behaviour" present
    [ "$output" = 0 ]
}

@test "the program's exit status is kept" {
    run -7 engine sh -c 'exit 7'
}

# bats test_tags=elsewhere
@test "the tool runs without Valgrind's launcher" {
    VALGRIND_LAUNCHER=/usr/bin/valgrind run "$VALGRIND_LIB/assay-amd64-linux" -q --tool=assay "$behaviour" present
    [ "$output" = 1 ]
}

@test "rdpmc is a segmentation fault" {
    run engine "$behaviour" rdpmc
    [ "$output" = SIGSEGV ]
}

@test "a handler sees which instruction has faulted, and the registers before it; it may be executed again" {
    run engine "$behaviour" faults
    [ "${#output}" -gt 0 ] && [ "$output" = "$("$behaviour" faults)" ]
}

@test "a thread that works while its process ends executes no more than its turn" {
    run --separate-stderr "$assay" vnode -- likwid-perfctr -C 0,1 -g INSTR_RETIRED_ANY:FIXC0 -O "$behaviour" end_at_work
    # the loader's start, and turns; Valgrind's own are 100 000 blocks
    awk -F, '/^INSTR_RETIRED_ANY/ { print; n = $3 + $4 } END { exit !(n > 0 && n < 1000000) }' <<<"$output"
}

@test "a thread sees another one's signals at the end of its turn, also those that Valgrind keeps" {
    run engine "$behaviour" signals
    read -r segv usr1 <<<"$output"
    # a thread alone has turns of 100 000 instructions, and a pass more than three
    within 1 "$usr1" 33333
    within 1 "$segv" 33333
}

@test "fused multiply-adds and signs of bytes are the host's, to the last bit" {
    grep -qw fma /proc/cpuinfo || skip "the host has no fused multiply-add"
    run engine "$behaviour" operations
    [ "${#output}" -gt 0 ] && [ "$output" = "$("$behaviour" operations)" ]
}

@test "CPUID shows the node's processor" {
    run engine "$behaviour" cpuid
    [ "$output" = 0x306f2 ]
}

# bats test_tags=elsewhere
@test "time stamps agree with every clock within 0.1 %" {
    run engine "$behaviour" clock
    [ "${#lines[@]}" -eq 2 ]
    for rate in $output; do
        within 2297700000 "$rate" 2302300000
    done
}

@test "sleepers wake in virtual order and take no real time" {
    SECONDS=0
    run engine "$behaviour" sleep_order
    [ "$output" = SL ]
    [ "$SECONDS" -lt 60 ]
}

# bats test_tags=elsewhere
@test "affinity: masks, inheritance, lowest free core, unknown cores" {
    run engine "$behaviour" affinity
    echo "$output"
    [ "$output" = "0xf 0
1
0xc 2
0xc 3
0
0xc 2
1
0x2 1" ]
}

@test "--affinity is the first mask" {
    run engine --affinity=0x8 "$behaviour" affinity
    [ "${lines[0]}" = "0x8 3" ]
}

# five_runs CASE: the same totals of both cores in five runs of a case of `behaviour`; prints those that differ.
five_runs() {
    local run core
    for run in 1 2 3 4 5; do
        "$node_tool" create "$ASSAY_NODE_DIR" && engine "$behaviour" "$1" || return 1
        for core in 0 1; do "$node_tool" core "$ASSAY_NODE_DIR" $core || return 1; done >"run $run"
        diff "run 1" "run $run" || return 1
    done
    grep -q "^instructions [1-9]" "run 1"
}

@test "false sharing of two threads repeats to the last count" {
    repeats five_runs false_sharing
    [ "$(total hitm)" -gt 100 ]
}

# bats test_tags=elsewhere
@test "each thread has its own state of the upper halves" {
    engine --affinity=0x1 "$behaviour" vectors_apart
    [ "$(total avx_to_sse)" -lt 5 ] # each thread has 50 turns
}

@test "three threads that wait for each other repeat to the last count" {
    repeats five_runs hand_over
}

# steps SECONDS: of a thread while another one waits for so long for the end of a pipe, where something can be read
steps() {
    { echo; sleep "$1"; } | engine "$behaviour" wait_outside
}

@test "the delay of an outside process does not change the counts, even if other input is ready" {
    at_once=$(steps 0)
    later=$(steps 0.7)
    echo "$at_once $later"
    [ "$at_once" -gt 0 ] && [ "$at_once" -eq "$later" ]
}

@test "a smaller quantum gives more hits on modified lines" {
    engine --quantum=1000 "$behaviour" false_sharing
    few=$(total hitm)
    "$node_tool" create "$ASSAY_NODE_DIR"
    engine --quantum=100 "$behaviour" false_sharing
    [ "$(total hitm)" -gt $((few * 5)) ]
}

# Start and end of one program: what `count` executes beyond its two million branches, at most.
start_up=200000

# bats test_tags=elsewhere
@test "fork: parent and child both count, once" {
    engine "$behaviour" fork
    within 3000000 "$(total branches)" $((3000000 + start_up))
    [ "$("$node_tool" slots "$ASSAY_NODE_DIR")" -eq 0 ]
}

# bats test_tags=elsewhere
@test "exec: earlier counts are kept" {
    engine "$behaviour" exec
    within 3000000 "$(total branches)" $((3000000 + 2 * start_up))
    [ "$("$node_tool" slots "$ASSAY_NODE_DIR")" -eq 0 ]
}

@test "a killed process leaves its counts, and the next one frees its slot" {
    valgrind -q --tool=assay "$behaviour" endless 3>&- &
    victim=$!
    until [ "$(total branches)" -gt 1000000 ]; do sleep 0.1; done
    kill -9 $victim
    wait $victim || true
    [ "$("$node_tool" slots "$ASSAY_NODE_DIR")" -eq 1 ]
    before=$(total branches)
    engine "$behaviour" count
    within $((before + 2000000)) "$(total branches)" $((before + 2000000 + start_up))
    [ "$("$node_tool" slots "$ASSAY_NODE_DIR")" -eq 0 ]
}

@test "writes to a socket publish the current counts" {
    run engine "$behaviour" snapshot
    [ "$output" = "unpublished
published live" ]
}
