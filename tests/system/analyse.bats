#!/usr/bin/env bats
# Metric hierarchies of whole programs on virtual nodes: fewest runs, exact sums, repeatable, per phase and thread; bad user files; merging.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

node=virtual:haswellEP-1x2

# make_text FILE: writes a compressible text, the same in each run.
make_text() {
    seq 1 6000 >"$1"
}

# query FILTER FILE...: jq; fails on false or null
query() {
    jq -e "$@" >/dev/null || { echo "not so: $1"; return 1; }
}

# jq filter: for each region and leaf, each composed metric equals the sum of its children.
sums_are_exact='
    .metrics as $metrics | .values as $values |
    [$values[] | select($metrics[.metric].kind == "composed") | . as $one |
        {value, sum: ([$values[] | select(.region == $one.region and .leaf == $one.leaf and $metrics[.metric].parent == $one.metric) | .value] | add)}] |
    length > 20 and all(.[]; .value == .sum)'

@test "gzip -k FILE: a whole tree with the fewest sets, exact sums, and the same counts in another analysis of a part" {
    make_text text
    "$assay" analyse --node $node --tree DATA_ACCESSES --out 2.json -- gzip -k text >/dev/null 2>&1
    rm text.gz
    run --separate-stderr "$assay" analyse --node $node --out 1.json -- gzip -k text
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    gzip -dc text.gz | cmp - text
    [[ "${lines[0]}" == "Virtual node haswellEP-1x2 (no evidence about silicon)"* ]]
    grep -q "^gzip -k text: 6 runs on the virtual node haswellEP-1x2 (no evidence about silicon)$" <<<"$output"
    grep -Eq "^DATA_ACCESSES \[accesses\] +[0-9]" <<<"$output" # whole
    grep -Eq "^  DATA_IN_L1 +[0-9.]+ [kM]? +9[0-9]\.[0-9] %$" <<<"$output"
    "$assay" analyse --node $node --plan -- gzip -k text >plan
    grep -q "^52 events in 6 runs; no fewer would do$" plan
    query '.kind == "analysis" and .node.kind == "virtual" and .operation == null and .command == ["gzip", "-k", "text"]' 1.json
    query "$sums_are_exact" 1.json
    query '[.values[] | .partial] | any | not' 1.json
    query '.witness | length == 1 and .[0].steady and (.[0].values | length == 6)' 1.json
    query --slurp 'def of($r): .[$r].counts | map({ key: .event, value: .values[0] }) | from_entries;
        of(0) as $all | of(1) | length > 4 and all(to_entries[]; .value == $all[.key])' 1.json 2.json
    fits 1.json "$root/docs/analysis.schema.json"
    [ ! -e 1.json.part ]
    "$assay" show 1.json >shown
    diff <(sed -n '/^gzip/,/^VECTOR/p' <<<"$output") <(sed -n '/^gzip/,/^VECTOR/p' shown)
}

# bats test_tags=long
@test "the branches and loads of gzip are those that the node counts in one run" {
    make_text text
    "$assay" analyse --node $node --tree BRANCHES --out a.json -- gzip -kf text >/dev/null 2>&1
    run --separate-stderr "$assay" vnode --node haswellEP-1x2 -- likwid-perfctr -C 0 -g BR_INST_RETIRED_ALL_BRANCHES:PMC0,BR_MISP_RETIRED_ALL_BRANCHES:PMC1 \
        -o "$PWD/c.csv" gzip -kf text
    branches=$(awk -F, '$1 == "BR_INST_RETIRED_ALL_BRANCHES" {print $3}' c.csv)
    query --argjson wanted "$branches" '. as $all | [.values[] | select($all.metrics[.metric].name == "BRANCHES") | .value] |
        .[0] / $wanted | . > 0.999 and . < 1.001' a.json # a different environment moves the stack
}

# bats test_tags=long
@test "a program of MPI and OpenMP: which phase, and which thread" {
    [ -x "$build/tests/mpi/phases" ] || skip "MPI is not installed (package libopenmpi-dev)"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=2
    cat >mine <<'MINE'
MINE_MEMORY [accesses] = MEM_LOAD_UOPS_RETIRED_L3_MISS
MINE_MISSED := 100 * BR_MISP_RETIRED_ALL_BRANCHES / BR_INST_RETIRED_ALL_BRANCHES
MEMORY_LINES = CAS_COUNT_RD
MINE
    run --separate-stderr "$assay" analyse --node virtual:haswellEP-1x4 --ranks 2 --threads --hierarchy mine \
        --tree MINE_MEMORY,MINE_MISSED,MEMORY_LINES,BRANCHES --out h.json -- "$build/tests/mpi/phases"
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    grep -q "^region sort$" <<<"$output"
    grep -q "^region sweep$" <<<"$output"
    query '.regions == ["sort", "sweep"] and
        (.system | map([.process, .thread, .core]) == [[0, 0, 0], [0, 1, 1], [1, 0, 2], [1, 1, 3]])' h.json
# only one thread in one phase loads from memory: 200 000 steps
    query '. as $all | [.values[] | select($all.metrics[.metric].name == "MINE_MEMORY")] |
        all(.[]; if .region == 1 and .leaf == 3 then .value > 199000 and .value < 201000 else .value < 500 end) and length == 8' h.json
    # a fourth of the branches of the other phase are mispredicted: every second one is random, and half of these are mispredicted
    query '. as $all | [.values[] | select($all.metrics[.metric].name == "MINE_MISSED")] |
        all(.[]; if .region == 0 then .value > 20 and .value < 30 else .value < 1 end) and length == 8' h.json
    # the socket's controllers are counted once, by the first process
    query '. as $all | [.values[] | select($all.metrics[.metric].name == "MEMORY_LINES") | .leaf] | unique == [0]' h.json
    "$assay" show h.json --region sweep >shown
    grep -q "sweep" shown
    refute grep -q "sort" shown
    fails_with 2 "--region nowhere: no such region; there are: sort, sweep" "$assay" show h.json --region nowhere
}

# bats test_tags=elsewhere
@test "each MPI process finds the command of its rank, whatever starter is used" {
    local name rank="$build/validate/exec_rank"
    printf '0\0echo\0the first\0\0000,1\0echo\0the\0second\0\0' >ranks
    for name in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK SLURM_PROCID; do
        [ "$(env $name=0 "$rank" ranks)" == "the first" ]
        [ "$(env $name=1 "$rank" ranks)" == "the second" ]
    done
    [ "$(SLURM_PROCID=0 PMI_RANK=1 "$rank" ranks)" == "the second" ] # mpirun in a batch script
    fails_with 2 "it has no command for this rank" env PMI_RANK=2 "$rank" ranks
    fails_with 2 "--launcher: it tells no process its rank" "$rank" ranks
}

@test "an event that the virtual node does not model takes no counter, and is reported" {
    "$assay" analyse --node virtual:haswellEP-1x4 --plan -- true >plan
    grep -Fqx "not counted: CYCLE_ACTIVITY_CYCLES_NO_EXECUTE: the virtual node does not model it" plan
    refute grep -q "^  .*CYCLE_ACTIVITY_CYCLES_NO_EXECUTE" plan
    grep -q "^  .*MEM_LOAD_UOPS_RETIRED_L1_HIT" plan
}

@test "a user's hierarchy file adds and replaces metrics" {
    make_text text
    cat >mine <<'MINE'
# per instruction
LOADS_PER_INSTRUCTION := MEM_UOPS_RETIRED_LOADS / INSTR_RETIRED_ANY "how much of it is loads"
DATA_ACCESSES = DATA_IN_L1 + DATA_IN_L2
MINE
    "$assay" analyse --node $node --hierarchy mine --tree LOADS_PER_INSTRUCTION,DATA_ACCESSES --out a.json -- gzip -kf text >text.out 2>&1
    grep -Eq "^LOADS_PER_INSTRUCTION  +0\.[0-9]+" text.out
    query '[.metrics[] | select(.name == "LOADS_PER_INSTRUCTION")] | .[0].where == "mine:2" and .[0].kind == "computed"' a.json
    query '.metrics as $m | [$m[] | select(.parent != null and $m[.parent].name == "DATA_ACCESSES") | .name] == ["DATA_IN_L1", "DATA_IN_L2"]' a.json
}

@test "an error in a user's file is reported in one line, with file and line" {
    printf 'A = B + INSTR_RETIRED_ANY\nB = A + INSTR_RETIRED_ANY\n' >circle
    fails_with 2 "circle:1: A is part of itself: A -> B -> A" "$assay" analyse --node $node --hierarchy circle --plan -- true
    printf '\nA = NO_SUCH_EVENT\n' >unknown
    fails_with 2 "unknown:2: NO_SUCH_EVENT is neither a metric nor an event of haswellEP" "$assay" analyse --node $node --hierarchy unknown --plan -- true
    printf 'A = INSTR_RETIRED_ANY\nA = CPU_CLK_UNHALTED_CORE\n' >twice
    fails_with 2 "twice:2: A is defined twice, first in line 1" "$assay" analyse --node $node --hierarchy twice --plan -- true
    printf 'A := 2 * INSTR_RETIRED_ANY\nA = INSTR_RETIRED_ANY + CPU_CLK_UNHALTED_CORE\n' >leaf
    fails_with 2 "leaf:2: A is computed and cannot have children" "$assay" analyse --node $node --hierarchy leaf --plan -- true
    fails_with 2 "--tree NOWHERE: no such metric" "$assay" analyse --node $node --tree NOWHERE --plan -- true
    fails_with 2 "no-file" "$assay" analyse --node $node --hierarchy no-file --plan -- true
    printf 'A = \377\n' >binary
    fails_with 2 "binary:1: not UTF-8" "$assay" analyse --node $node --hierarchy binary --plan -- true
}

# bats test_tags=long,elsewhere
@test "all architectures: LIKWID knows the events of their hierarchies, and fewer runs are impossible" {
    local arch
    for arch in haswellEP broadwellEP skylakeX CLX ICX zen2 zen3 haswell broadwell skylake; do
        "$assay" vnode --node $arch-1x2 -- likwid-perfctr -e 2>/dev/null >"$arch.list"
        # every name on a right-hand side is a defined metric or an event
        lua5.4 - "$root/hierarchies/generic.txt" "$build/groups/$arch/pmu.hierarchy" "$arch.list" <<'LUA'
local known, used = { none = true }, {}
for i, file in ipairs { arg[1], arg[2] } do
    for line in io.lines(file) do
        local name, text = line:gsub("#.*", ""):gsub('"[^"]*"', ""):match "^([%w_]+).-=(.*)$"
        known[name or ""] = true
        for word in (text or ""):gsub(":[%w_:=]*", ""):gmatch "[%a_][%w_]*" do
            used[i == 2 and word or ""] = true
        end
    end
end
for line in io.lines(arg[3]) do
    known[line:match "^([%w_]+), 0x" or ""] = true
end
for line in io.lines(arg[1]) do -- parts that the vocabulary names
    for word in (line:gsub("#.*", ""):gsub('"[^"]*"', ""):match "=(.*)$" or ""):gmatch "[%a_][%w_]*" do
        known[word] = true
    end
end
for word in pairs(used) do
    assert(known[word], arg[2] .. ": " .. word)
end
LUA
        "$assay" analyse --node virtual:$arch-1x2 --plan -- true >plan
        tail -1 plan
        # broadwell's lower bound is one run below the plan: nobody knows whether that many would do
        grep -q "no fewer would do$" plan || [ "$arch $(tail -1 plan | grep -o "[0-9]* runs; .*")" = "broadwell 13 runs; 12 is the least there could be" ]
        refute grep "^not counted: .*: " <(grep -v "the virtual node does not model it$" plan)
    done
    "$assay" analyse --node virtual:zen3-1x2 --tree MEMORY_LINES,BRANCHES_BY_KIND --out z.json -- true >out 2>&1
    grep -Eq "^MEMORY_LINES \[lines\] +[0-9]" out
    "$assay" analyse --node $node --tree BRANCHES_BY_KIND --out h.json -- true >/dev/null 2>&1
    "$assay" compare z.json h.json >both
    grep -Eq "^    CONDITIONAL_TAKEN +- +[0-9]" both # Zen 3 has no such event, which is not 0
    "$assay" analyse --node "virtual:$root/tests/nodes/haswellEP-prefetching.lua" --tree BRANCHES_BY_KIND --out p.json -- true >/dev/null 2>&1
    "$assay" compare h.json p.json | grep -qxF "node state differs: prefetchers off (h.json), $(jq -r .node.prefetchers p.json) (p.json)"
    fails_with 2 "z.json is of zen3, h.json of haswellEP: these are not combined" "$assay" merge z.json h.json
}

# bats test_tags=long
@test "an interrupted analysis resumes, and gives the same result" {
    make_text text
    local trees=DATA_ACCESSES,TRANSLATIONS,BRANCHES
    "$assay" analyse --node $node --tree $trees --out whole.json -- gzip -k text >/dev/null 2>&1
    rm text.gz
    "$assay" analyse --node $node --tree $trees --out a.json -- gzip -k text >out 2>log &
    local pid=$! waited=0
    until grep -q "^2/" log; do
        sleep 0.05
        waited=$((waited + 1))
        [ $waited -lt 1200 ]
    done
    kill -INT $pid
    wait $pid && status=0 || status=$?
    [ "$status" -eq 130 ]
    [ -s a.json.part ]
    [ ! -e text.gz ] # so that the next run starts with the same files
    "$assay" analyse --node $node --tree $trees --out a.json -- gzip -k text >out 2>log
    grep -q "^resuming: [2-4] runs are there already$" log
    [ ! -e a.json.part ]
    query --slurp '.[0].values == .[1].values' whole.json a.json
}

# bats test_tags=long
@test "a program whose runs differ is reported" {
    cat >changing <<'SCRIPT'
#!/bin/sh
[ -e turns ] && echo 9000 >turns || echo 3000 >turns
read -r i <turns
while [ $i -gt 0 ]; do i=$((i - 1)); done
SCRIPT
    chmod +x changing
    "$assay" analyse --node $node --tree BRANCHES --reps 2 --out a.json -- ./changing >out 2>log
    grep -q "^the program differs from run to run, so that counts do not belong together: INSTR_RETIRED_ANY " out
    query '.witness[0].steady == false' a.json
}

# bats test_tags=long
@test "files named as a program's arguments are restored before each of its runs" {
    make_text text
    cp text before
    printf '%s\n' '#!/bin/sh' 'cmp "$1" before && [ ! -e "$1.new" ] && echo more >>"$1" && : >"$1.new"' >spoils
    chmod +x spoils
    "$assay" analyse --node $node --tree BRANCHES --reps 2 --out a.json -- ./spoils text >out 2>log
    refute grep -q "ended with status" out
    [ -e text.new ] # a file of the last run stays
    query '.witness[0].steady' a.json
}

@test "programs that cannot be run, and options that do not fit, are refused" {
    fails_with 2 "$PWD: cannot be executed" "$assay" analyse --node $node -- "$PWD"
    fails_with 2 "./not-there: no such program" "$assay" analyse --node $node -- ./not-there
    run -1 "$assay" analyse --node $node --tree CYCLES -- sh -c 'kill -SEGV $$'
    run "$assay" analyse --node $node --tree CYCLES -- sh -c 'echo ERROR of mine >&2; exit 3'
    [ "$status" -eq 0 ]
    [[ "$output" == *"the program ended with status 3: ERROR of mine"* ]]
    printf '%s\n' '#!/bin/sh' 'printf "<%s>" "$@" >words' >says # LIKWID splits commands at blanks
    chmod +x says
    "$assay" analyse --node $node --tree CYCLES -- ./says "a  b" "" 'c"d' e >/dev/null 2>&1
    [ "$(cat words)" = '<a  b><><c"d><e>' ]
    fails_with 2 "no program" "$assay" analyse --node $node
    fails_with 2 "--cores 0-5: node haswellEP-1x2 has no core 2" "$assay" analyse --node $node --cores 0-5 --plan -- true
    fails_with 2 "--launcher mpiexec: starts nothing without --ranks N" "$assay" analyse --node $node --launcher mpiexec -- true
    fails_with 2 "need 6 cores, node haswellEP-1x2 has 2" env OMP_NUM_THREADS=2 "$assay" analyse --node $node --ranks 3 --plan -- true
}

@test "a sum with parts in several records is partial in each, and complete in the merged record" {
    make_text text
    "$assay" analyse --node $node --tree BRANCHES_PREDICTED --out a.json -- gzip -c text >a 2>/dev/null
    "$assay" analyse --node $node --tree BRANCHES_MISPREDICTED --out b.json -- gzip -c text >b 2>/dev/null
    "$assay" analyse --node $node --tree BRANCHES --out whole.json -- gzip -c text >/dev/null 2>&1
    grep -q "^BRANCHES .*~" a
    grep -q "^BRANCHES .*~" b
    "$assay" merge b.json a.json --out m.json >m
    refute grep "~" m
    grep -A1 "^BRANCHES " m | grep -q "^  BRANCHES_MISPREDICTED"
    query --slurp 'def of($r; $name): .[$r] | [.metrics[].name] as $names | .values[] | select($names[.metric] == $name);
        (of(0; "BRANCHES").partial | not) and (of(1; "BRANCHES").partial) and
        ([of(0, 1; "BRANCHES_PREDICTED").value] | .[0] == .[1]) and ([of(0, 2; "BRANCHES_MISPREDICTED").value] | .[0] == .[1]) and
        of(0; "BRANCHES").value == of(1; "BRANCHES").value + of(2; "BRANCHES").value and
        of(0; "BRANCHES").value == of(3; "BRANCHES").value' m.json a.json b.json whole.json
}

# bats test_tags=long
@test "several analyses: merged, averaged, subtracted" {
    make_text text
    "$assay" analyse --node $node --tree BRANCHES --out a.json -- gzip -kf text >/dev/null 2>&1
    "$assay" analyse --node $node --tree BRANCHES --out b.json -- gzip -1kf text >/dev/null 2>&1
    "$assay" merge a.json a.json --out m.json >out
    grep -q "merge of a.json, a.json$" out
    query --slurp '([.[0].values[].value] == [.[1].values[].value]) and (.[1].counts[0].values | length == 2)' a.json m.json
    "$assay" subtract a.json b.json --out d.json >out
    grep -q "^a.json is of 'gzip -kf text', b.json of 'gzip -1kf text'$" out
    "$assay" mean a.json b.json --out mean.json >out
    query --slurp 'def of($r): [.[$r].counts[] | select(.event == "BR_INST_RETIRED_ALL_BRANCHES") | .values | add / length] | .[0];
        of(0) - of(1) == of(2) and (of(0) + of(1)) / 2 == of(3)' a.json b.json d.json mean.json
    "$assay" show d.json | grep -q "subtract of a.json, b.json$"
    jq '.counts[3].leaf = 7' a.json >broken.json
    fails_with 2 "broken.json: counts[3].leaf is 7, there are 1 system" "$assay" merge a.json broken.json
    fails_with 2 "broken.json: counts[3].leaf is 7, there are 1 system" "$assay" show broken.json
    jq '.metrics[0].parent = 0' a.json >broken.json
    fails_with 2 "broken.json: metrics[0].parent is no metric before it" "$assay" show broken.json
    fails_with 2 "two analyses" "$assay" subtract a.json
    "$assay" validate split_loads --node $node --quick --out record.json >/dev/null 2>&1
    fails_with 2 "record.json: no analysis; assay analyse --out FILE writes one" "$assay" compare a.json record.json
}
