# The runner of the tests: its sums, the order of its output, and its parallel parts.
load common
unset ONLY WITHOUT FOLDER FIXTURES # as set by the run that includes this test

# A tree with a runner and one Lua specification. Programs and .bats files are added by the tests.
tree() {
    mkdir -p tree/tests/system tree/tests/lua
    cp "$root/tests/run" tree/tests/
    cp "$root/.busted" tree/
    echo 'it("adds", function() assert.are.equal(2, 1 + 1) end)' >tree/tests/lua/sum_spec.lua
}

# unit NAME: makes a stand-in for a C test program; standard input is its shell script.
unit() {
    { echo '#!/bin/sh'; cat; } >"tree/$1"
    chmod +x "tree/$1"
}

# Without what bats adds to the environment for its own programs.
runner() {
    local path
    path=$(tr : '\n' <<<"$PATH" | grep -v bats-core | paste -sd :)
    run env -i PATH="$path" HOME="$PWD" JOBS=2 ${PART_SECONDS:+PART_SECONDS="$PART_SECONDS"} ${WITHOUT:+WITHOUT="$WITHOUT"} \
        ${ONLY:+ONLY="$ONLY"} ${FOLDER:+FOLDER="$FOLDER"} tree/tests/run "$@"
    echo "$output"
}

@test "results are added up in the order of the parts, whichever ends first" {
    tree
    # Each waits for the other one, so they pass only if they run side by side.
    unit slow <<<'for _ in $(seq 600); do [ -e over ] && break; sleep 0.1; done; [ -e over ] && echo "[       OK ] a" && echo "[       OK ] b"'
    unit fast <<<'touch over; echo "[       OK ] c"'
    echo '@test "one" { true; }' >tree/tests/system/x.bats
    runner ./slow ./fast
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" =~ ^unit/slow\ +2\ passed,\ 0\ failed,\ +[0-9]+\ s$ ]]
    [[ "${lines[1]}" =~ ^unit/fast\ +1\ passed,\ 0\ failed,\ +[0-9]+\ s$ ]]
    [[ "${lines[2]}" =~ ^lua/sum_spec.lua\ +1\ passed,\ 0\ failed,\ +[0-9]+\ s$ ]]
    [[ "${lines[3]}" =~ ^system/x.bats\ +1\ passed,\ 0\ failed,\ +[0-9]+\ s$ ]]
    [[ "${lines[4]}" =~ ^parts\ took\ [0-9]+\ s,\ side\ by\ side\ [0-9]+\ s$ ]]
    [ "${lines[5]}" = "5 passed, 0 failed" ]
}

@test "tests with a tag are left out, or run alone, with a message; files without such tests are skipped" {
    tree
    unit one <<<'echo "[       OK ] a"'
    printf '%s\n' '# bats file_tags=long' '@test "one" { true; }' '@test "two" { true; }' >tree/tests/system/long.bats
    printf '%s\n' '# bats test_tags=odd,long' '@test "one" { true; }' '@test "two" { true; }' '# bats test_tags=odd' '@test "three" { true; }' \
        >tree/tests/system/some.bats
    echo '@test "one" { true; }' >tree/tests/system/x.bats
    WITHOUT=long runner ./one
    [ "$status" -eq 0 ]
    [[ "${lines[2]}" =~ ^system/some.bats\ +2\ passed ]]
    [[ "${lines[3]}" =~ ^system/x.bats\ +1\ passed ]]
    [ "${lines[4]}" = "left out: long" ]
    [ "${lines[-1]}" = "5 passed, 0 failed" ]
    ONLY="long odd" runner ./one
    [ "$status" -eq 0 ]
    [[ "${lines[1]}" =~ ^system/long.bats\ +2\ passed ]]
    [[ "${lines[2]}" =~ ^system/some.bats\ +2\ passed ]]
    [ "${lines[3]}" = "only: long odd" ]
    [ "${lines[-1]}" = "5 passed, 0 failed" ]
    runner ./one
    [ "${lines[-1]}" = "8 passed, 0 failed" ]
}

@test "another folder of tests is run in the place of tests/system, and has its own logs" {
    tree
    mkdir tree/tests/full
    echo '@test "one" { true; }' | tee tree/tests/system/x.bats >tree/tests/full/x.bats
    FOLDER=tests/full runner
    [ "$status" -eq 0 ]
    [[ "${lines[1]}" =~ ^full/x.bats\ +1\ passed,\ 0\ failed, ]]
    [ "${lines[-1]}" = "2 passed, 0 failed" ]
    [ -e tree/build/tests/logs/full/x.bats.seconds ]
}

@test "failed tests, stopped programs and parts without tests are failures" {
    tree
    unit failing <<<'echo "[       OK ] a"; echo "[  FAILED  ] b"; echo "[  FAILED  ] tests: 1 test(s), listed below:"; echo "[  FAILED  ] b"; exit 1'
    unit stopped <<<'echo "[       OK ] a"; kill -SEGV $$'
    unit empty <<<'exit 0'
    printf '%s\n' '@test "good" { true; }' '@test "bad" { echo why; false; }' >tree/tests/system/x.bats
    runner ./failing ./stopped ./empty
    [ "$status" -eq 1 ]
    for line in 'unit/failing +1 passed, 1' 'unit/stopped +1 passed, 1' 'unit/empty +0 passed, 1' 'system/x.bats +1 passed, 1'; do
        grep -E "^$line failed, +[0-9]+ s$" <<<"$output"
    done
    grep -F '# why' <<<"$output"
    [ "${lines[-1]}" = "4 passed, 4 failed" ]
}

@test "numbers of several commands are added up; a command without tests, or with a failure after its numbers, has failed" {
    run bash -euc '. "$0"
        good() { echo word; echo "3 passed, 0 failed"; }
        bad() { echo "2 passed, 1 failed"; echo "make: *** [test] Error 1"; return 2; }
        nothing() { true; }
        late() { echo "4 passed, 0 failed"; return 1; }
        for command in good bad nothing late; do add "part $command" $command; done
        echo "$passed passed, $failed failed"' "$root/tests/add.bash"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = word ]
    [ "${lines[1]}" = "part good: 3 passed, 0 failed" ]
    [ "${lines[-1]}" = "9 passed, 3 failed" ]
    [ "$(grep -cE '^[0-9]+ passed' <<<"$output")" -eq 1 ]
}

@test "a part that does not end is ended with all that it started, and has failed" {
    tree
    printf '@%s\n' 'test "one" { true; }' "test \"two\" { sleep 4321 & echo \$! >$PWD/child; wait; }" >tree/tests/system/x.bats
    export PART_SECONDS=3
    runner
    [ "$status" -eq 1 ]
    [[ "$output" == *"not ok ended after 3 seconds"* ]]
    [[ "$output" == *"system/x.bats"*" 1 passed, 1 failed"* ]]
    for _ in $(seq 100); do kill -0 "$(cat child)" || break; sleep 0.1; done # until its parent has waited for it
    refute kill -0 "$(cat child)"
}

@test "a distribution that cannot be installed is reported in one line, fails, and leaves nothing mounted" {
    command -v debootstrap || skip "debootstrap is not there"
    [ "$(id -u)" = 0 ] || skip "root's rights are needed"
    mkdir roots
    before=$(cat /proc/self/mounts)
    ASSAY_ROOTS=$PWD/roots DEBIAN_MIRROR=http://127.0.0.1:9 fails_with 2 "no root of trixie could be made" "$root/tests/distribution" trixie
    [ "$(cat /proc/self/mounts)" = "$before" ]
    [ -z "$(ls -A roots | grep -v '^trixie\.l')" ]
    fails_with 2 "no name of a Debian suite" "$root/tests/distribution" ../x
}
