# add.bash - runs commands that close with "N passed, N failed" and adds these numbers up in $passed and $failed.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

passed=0 failed=0

# add NAME COMMAND...: runs the command in this shell and prints what it prints, with its closing line under NAME. A command
# that fails counts as a failure even if its numbers do not say so, and one that ran nothing does as well.
add() {
    local name=$1 log filter status=0 good bad
    shift
    log=$(mktemp)
    exec 3> >(tee "$log" | sed -uE '/^[0-9]+ passed, [0-9]+ failed$/d')
    filter=$!
    "$@" >&3 2>&1 3>&- || status=$?
    exec 3>&-
    wait "$filter"
    # The last such line: make adds one of its own when the command failed.
    read -r good bad < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log" | tail -n 1) || good=0 bad=0
    rm -f "$log"
    if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$good" -eq 0 ]; }; then
        bad=1
        echo "$name: ended with status $status after $good passed, 0 failed"
    fi
    printf '%s: %d passed, %d failed\n' "$name" "$good" "$bad"
    passed=$((passed + good))
    failed=$((failed + bad))
}
