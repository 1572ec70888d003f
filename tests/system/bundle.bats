#!/usr/bin/env bats
# The bundle of a first run: its contents, what it must not contain, and reading it on another machine.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

@test "a bundle lists its files, holds no folder or variable of the user, and is shown with the record's table" {
    jq --arg home "$PWD" '.runs = [{run: "a/RUN_1/1", seconds: 1, command: "/scratch/bob/likwid/bin/likwid-perfctr -C 1"},
        {run: "a/RUN_1/2", seconds: 1}] | .command += ["--out", $home + "/r.json"] | .failures = [{run: "r", status: 1, why: "w",
        command: "/scratch/bob/likwid/bin/likwid-perfctr -C 0", stderr_tail: "no \($home)/x"}]' "$(reference)" >record.json
    fake_likwid 'echo "CPU short: haswellEP"'
    run --separate-stderr env HOME="$PWD" SECRET=xyzzy "$assay" bundle record.json --out sent.tar
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$stderr" = "" ]
    diff <(cut -d' ' -f1 <<<"$output") <(printf '%s\n' about.txt doctor.txt node.json commands.txt record.json bundle:)
    diff <(tar tf sent.tar) <(head -5 <<<"$output" | cut -d' ' -f1)
    mkdir sent
    tar xf sent.tar -C sent
    refute grep -rqE "xyzzy|$PWD|bob" sent
    grep -q '".../likwid-perfctr -C 0"' sent/record.json
    "$assay" show sent.tar --commands >commands
    grep -A1 "^a/RUN_1$" commands | grep -x "  .../likwid-perfctr -C 1"
    grep -A1 "^r (failed: w)$" commands | grep -x "  .../likwid-perfctr -C 0"
    fails_with 2 "--commands: for records of assay validate, this one's kind is" "$assay" show "$root/tests/records/analysis.json" --commands
    grep -q '"no ~/x"' sent/record.json
    grep -q '^\$ likwid-topology$' sent/commands.txt
    jq -e '.state.family and .cpus_by_socket' sent/node.json
    diff <("$assay" show sent.tar --all) <(cat sent/about.txt && echo && cat sent/doctor.txt && echo && "$assay" show sent/record.json --all)
    diff <("$assay" show sent.tar --all | grep " validated$") <("$assay" show record.json --all | grep " validated$")
    grep -q '^Record of a virtual node, haswellEP-1x2: no evidence about silicon$' sent/about.txt
    grep -q '^blocks .*; remedy: ' sent/doctor.txt
    for size in 512 3000 4096 100000 "$(($(stat -c %s sent.tar) - 512))"; do
        head -c "$size" sent.tar >cut.tar
        fails_with 2 "cut.tar: cut off" "$assay" show cut.tar
    done
}

@test "a bundle without a record, only the list, and refused arguments" {
    fake_likwid 'echo "CPU short: haswellEP"'
    run -0 --separate-stderr "$assay" bundle --list
    [ "${#lines[@]}" -eq 4 ]
    [ ! -e bundle.tar ]
    fails_with 2 "kind is analysis" "$assay" bundle "$root/tests/records/analysis.json"
    fails_with 2 "no.json: cannot read" "$assay" bundle no.json
    fails_with 2 "--out missing/b.tar: missing" "$assay" bundle --out missing/b.tar
    tar cf other.tar -T /dev/null
    fails_with 2 "other.tar:" "$assay" show other.tar
    printf x >x && tar cf other.tar x
    fails_with 2 "other.tar: an archive without about.txt" "$assay" show other.tar
}
