#!/usr/bin/env bats
# Names and texts that are not UTF-8 are passed on unchanged or refused in one line. No run touches files of other processes.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

node=virtual:haswellEP-1x1
byte=$'\351' # not UTF-8

# A program that appends its arguments to `log`, and prints them on standard error.
make_words() {
    gcc -O1 -x c - -o words <<'C'
#include <stdio.h>
int main(int count, char **word) {
    FILE *log = fopen("log", "a");
    for (int i = 1; i < count; i++)
        fprintf(log, "[%s]", word[i]);
    fprintf(log, "\n");
    fprintf(stderr, "warning: \351\033[31m\n");
    return 3;
}
C
}

# bats test_tags=long
@test "all words of a command reach the program, whatever their bytes, and the record has them" {
    make_words
    "$assay" analyse --node $node --tree BRANCHES --out a.json -- ./words a "r${byte}s" 'b c' é >out
    "$assay" analyse --node $node --tree BRANCHES -- ./words "r${byte}s" d >>out
    printf '[a][r%ss][b c][é]\n[r%ss][d]\n' "$byte" "$byte" | cmp - log
    jq -e '.command == ["./words", "a", "r\\xE9s", "b c", "é"]' a.json
    # its output does not change its counts, and does not reach the terminal
    jq -e '.failures == [] and (.counts | length) > 0' a.json
    grep -q '^the program ended with status 3: warning: ??\[31m$' out
    mv words "w$byte"
    "$assay" analyse --node $node --tree BRANCHES --out "b$byte.json" -- "./w$byte" >out
    jq -e '.command == ["./w\\xE9"] and (.counts | length) > 0' "b$byte.json"
    grep -q '^record: b?.json$' out
}

@test "arguments that are texts must be UTF-8" {
    for option in --tree --region --cores --node --launcher; do
        fails_with 2 "analyse: $option x?: not UTF-8" "$assay" analyse $option "x$byte" -- true
    done
    for option in --only --level --placement --node; do
        fails_with 2 "validate: $option x?: not UTF-8" "$assay" validate $option "x$byte"
    done
    fails_with 2 "fleet run: --only x?: not UTF-8" "$assay" fleet run --only "x$byte" --dry-run
    fails_with 2 "fleet run: x?: not UTF-8" "$assay" fleet run "x$byte" --dry-run
    fails_with 2 "fleet run: --out x?: its path is not UTF-8" "$assay" fleet run --out "x$byte" --nodes a --launcher mpi --dry-run
    fails_with 2 "validate: x?: unknown pattern" "$assay" validate "x$byte" --node $node
    fails_with 2 "events: x?: not UTF-8" "$assay" events "x$byte" --node $node
    fails_with 2 "sampling: x?: not UTF-8" "$assay" sampling "x$byte" --node $node
    fails_with 2 "show: x?: cannot read" "$assay" show "x$byte"
    fails_with 2 "show: --why x?: not UTF-8" "$assay" show r.json --why "x$byte"
    mkdir -p fleet/nodes
    echo '{}' >"fleet/nodes/x$byte.json"
    fails_with 2 "fleet collect: x?: not UTF-8" "$assay" fleet collect fleet
}

# bats test_tags=long
@test "each option of each command: a value that is not UTF-8 ends in one line" {
    local command option value
    for command in $("$assay" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^fleet$') "fleet run" "fleet status" "fleet report"; do
        # shellcheck disable=SC2086
        "$assay" $command --help | sed -n 's/^  --\([a-z-]*\) [^ ].*/\1/p' >options
        while read -r option; do
            value="x$byte/y" # a name in a missing folder
            # shellcheck disable=SC2086
            run --separate-stderr timeout 60 "$assay" $command --$option "$value" x x </dev/null
            echo "$command --$option: status $status: $stderr"
            [ "$status" -le 2 ]
            [ "${#stderr_lines[@]}" -le 1 ]
            refute grep -q "$byte" <<<"$output$stderr"
        done <options
    done
}

# spoil FILE COMMAND...: with a byte that is not UTF-8 in the file's third line, the command names file and line.
spoil() {
    local file=$1
    shift
    cp "data/$file" kept
    sed -i "3s/\$/ $byte/" "data/$file"
    fails_with 2 "$file:3: not UTF-8; save it as UTF-8" "$@"
    cp kept "data/$file"
}

# bats test_tags=long
@test "data files that are not UTF-8 are named with the line" {
    copy_data
    cp -r "$root"/{probes,hierarchies} data/
    local arch=groups/haswellEP
    spoil probes/concepts.txt "$assay" events INSTR_RETIRED_ANY --node $node
    spoil $arch/pmu.concepts "$assay" events INSTR_RETIRED_ANY --node $node
    spoil probes/quantities.txt "$assay" discover --check "$root/$arch/ASSAY_L2.txt" --node $node
    spoil $arch/machine.lua "$assay" analyse --node $node -- true
    spoil $arch/pmu.hierarchy "$assay" analyse --node $node -- true
    spoil hierarchies/generic.txt "$assay" analyse --node $node -- true
    spoil $arch/pmu.laws "$assay" laws --node $node -- true
    spoil $arch/pmu.events "$assay" analyse --node $node -- true
    spoil patterns/line_sharing.lua "$assay" list patterns --long --node $node
    spoil $arch/ASSAY_L2.txt "$assay" validate --node $node
    printf 'MINE [x] = E\n# %s\n' "$byte" >mine
    fails_with 2 "mine:2: not UTF-8" "$assay" analyse --hierarchy mine --node $node -- true
    fails_with 2 "mine:2: not UTF-8" "$assay" laws --laws mine --node $node -- true
    fails_with 2 "mine:2: not UTF-8" "$assay" discover --check mine --node $node
    fails_with 2 "mine:2: not UTF-8" "$assay" fleet run --nodes a --launcher mpi --node-options mine --dry-run
}

@test "an existing file stays, whatever bytes its name has" {
    echo x >r
    echo precious >"r${byte}sultats.dat"
    "$assay" analyse --node $node --tree DATA_ACCESSES -- cat r >out
    [ "$(cat "r${byte}sultats.dat")" == precious ]
}

# Makes FILE.1, FILE.2 .. while the runs go on.
disturb() {
    for i in $(seq 100); do
        [ ! -e stop ] || break
        echo "$i" >"$1.$i"
        sleep 0.05
    done
}

# bats test_tags=long
@test "files that another process creates or changes during the runs are not touched, but files of the runs are" {
    seq 1 2000 >text
    disturb text 3>&- &
    status=0
    # gzip refuses to write text.gz a second time
    "$assay" analyse --node $node --tree DATA_ACCESSES --out a.json -- gzip -k text >out 2>log || status=$?
    touch stop
    wait
    [ "$status" -eq 0 ]
    refute grep -q "the program ended" out
    jq -e '(.runs | length) > 1 and .failures == []' a.json
    for file in text.[0-9]*; do [ -s "$file" ]; done
    [ -e text.1 ]
    gzip -dc text.gz | cmp - text
    # files of a shell's redirections and renamed files are recognised, too
    printf 'b\na\n' >given
    echo 'echo made >given.new; sort given >given.sorted; mv given.sorted given; echo c >>given' >script
    "$assay" analyse --node $node --tree DATA_ACCESSES --out b.json -- sh script given >out 2>log
    jq -e '(.runs | length) > 1 and .failures == [] and .witness[0].steady' b.json
    [ "$(tr '\n' ' ' <given)" == "a b c " ] # of the last run
    # an edit between two runs is kept, and the runs end
    echo ': >started; until [ -e go ]; do sleep 0.01; done; cat given' >script
    echo 1 >given
    "$assay" analyse --node $node --tree DATA_ACCESSES -- sh script given >out 2>log 3>&- &
    pid=$!
    until [ -e started ]; do sleep 0.05; done
    echo edited >given
    touch go
    status=0
    wait "$pid" || status=$?
    [ "$(cat given)" == edited ]
    [ "$status" -eq 1 ]
    grep -q "given was changed meanwhile, and nothing proves that the program did it" out
}
