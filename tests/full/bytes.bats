#!/usr/bin/env bats
# A byte that is not UTF-8 in every data file that a command reads: refused with the file's name and line, or in a comment of Lua.
# SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

node=virtual:haswellEP-1x1

# spoiled FILE LINE COMMAND...: no signal; a refusal is one line that names the file and the line.
spoiled() {
    local file=$1 line=$2
    shift 2
    cp "$file" kept
    sed -i "${line}s/\$/ "$'\351'"/" "$file"
    run --separate-stderr timeout 300 "$@"
    cp kept "$file"
    echo "$file:$line: $*: status $status: $stderr"
    [ "$status" -eq 0 ] || { [ "$status" -eq 2 ] && [ "${#stderr_lines[@]}" -eq 1 ] && [[ "$stderr" == *"$(basename "$file")"*:"$line"* ]]; }
}

@test "a byte that is not UTF-8 at the start, in the middle or at the end of each data file is refused or in a comment" {
    copy_data
    cp -r "$root"/{probes,hierarchies} data/
    local file last
    for file in data/groups/haswellEP/{*.txt,machine.lua,pmu.*} data/patterns/*.lua data/probes/*.{lua,txt} data/hierarchies/*.txt \
        data/groups/counts.lua; do
        last=$(wc -l <"$file")
        for line in 1 $((last / 2)) "$last"; do
            case $file in
            */patterns/*) command=("$assay" list patterns --long --node $node) ;;
            */probes/quantities.txt) command=("$assay" discover NOTHING --check "$build/groups/haswellEP/ASSAY_L2.txt" --node $node) ;;
            */probes/*) command=("$assay" events NOTHING --node $node) ;;
            */hierarchies/* | *.hierarchy | */pmu.events) command=("$assay" analyse --plan --node $node -- true) ;;
            *.laws) command=("$assay" laws --plan --node $node -- true) ;;
            *.concepts) command=("$assay" events NOTHING --node $node) ;;
            *) command=("$assay" list unjudged) ;;
            esac
            spoiled "$file" "$line" "${command[@]}"
        done
    done
}
