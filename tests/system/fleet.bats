#!/usr/bin/env bats
# assay fleet: a real Slurm of four nodes on this machine, each of which validates a virtual node of its own.
load common
load slurm

setup_file() {
    export slurm_folder SLURM_CONF
    start_slurm
}

teardown_file() {
    stop_slurm
}

teardown() {
    heal_slurm
}

# Two architectures, one node with a fault.
write_options() {
    echo "MEM_UOPS_RETIRED_LOADS_SPLIT scale 1.5" >faults
    cat >options <<OPTIONS
# what differs from node to node
n1 --node virtual:haswellEP-1x2
n2 --node virtual:haswellEP-1x2 --fault $PWD/faults
n3 --node virtual:broadwellEP-1x2
n4 --node virtual:broadwellEP-1x2
OPTIONS
}

sending=(fleet run split_loads --quick --node virtual --node-options options --per-node-minutes 5 --out fleet)

send_fleet() {
    "$assay" "${sending[@]}" "$@"
}

job_of() { sed -n 's/.* start on .*, job \([0-9]*\).*/\1/p' "fleet/log/$1" | tail -n 1; }

# A report or record without Slurm's state of a dead node, which may be "down", "down*" or "idle*" at that moment.
without_state() { sed 's/its node is [^ ]*: killed/its node is STATE: killed/'; }

# The counts in a record.
counts_of() { jq -cS '.metrics' "fleet/nodes/$1.json"; }

# bats test_tags=long
@test "the report names the faulty node and the one that died; the others agree; a node that comes back gives the same record" {
    write_options
    "$assay" "${sending[@]}" >out 2>progress 3>&- &
    local follower=$!
    wait_until test -s fleet/log/n4
    wait_until test -n "$(job_of n4)"
    kill_node n4 "$(job_of n4)"
    status=0
    wait "$follower" || status=$?
    cat out progress
    [ "$status" -eq 1 ]
    grep -q '^4 nodes: 3 done, 1 unavailable$' out
    grep -q '^  unavailable  n4: its node is [^ ]*: killed$' out # down, or idle* if the controller noticed it in between
    grep -q '^4 nodes: .*running' progress
    [ ! -e fleet/nodes/n4.json ]

    run --separate-stderr "$assay" fleet report fleet --junit junit.xml --openmetrics fleet.prom --csv fleet.csv
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"fleet of 3 nodes with a record: 0 native, 3 virtual (virtual nodes are no evidence about silicon)"* ]]
    [[ $output == *"  n4: unavailable, its node is "*": killed"* ]]
    [[ $output == *"1 node counts differently:"*"  n2 (group 2): "*"to blame: MEM_UOPS_RETIRED_LOADS_SPLIT counts 1.500"* ]]
    [ "$(grep -c '(group [0-9]*): ' <<<"$output")" -eq 1 ]
    grep -q '<testcase classname="assay.fleet" name="n4"><skipped' junit.xml
    grep -A 1 'name="n2"' junit.xml | grep -q '<failure '
    grep -A 1 'name="n1"' junit.xml | grep -q '</testcase>'
    grep -q '^assay_node_up{host="n4"} 0$' fleet.prom
    [ "$(tail -n 1 fleet.prom)" = "# EOF" ]
    [ "$(wc -l <fleet.csv)" -eq 4 ]

    "$assay" fleet collect fleet --out once.json
    "$assay" fleet collect fleet --out twice.json
    cmp <(without_state <once.json) <(without_state <twice.json)
    "$assay" fleet report once.json >from-file || [ $? -eq 1 ]
    diff <(without_state <from-file) <(without_state <<<"$output")

    # the node comes back: its task runs again automatically. Slurm would first wait for two minutes, because its request to end the
    # task that died may still be under way and end the new one. In that case the measured runs are kept, and the task is requeued once more.
    start_node n4
    wait_until all_idle
    for _ in 1 2 3; do
        scontrol update JobId="$(cat fleet/sent/0)_3" StartTime=now
        "$assay" fleet run --out fleet >out 2>progress || true
        cat out progress fleet/log/n4
        grep -q 'n4: status 124: stopped by the batch system' out || break
        scontrol requeue "$(cat fleet/sent/0)_3"
    done
    grep -q '^4 nodes: 4 done$' out
    [ "$(grep -c ' start on ' fleet/log/n4)" -ge 2 ]
    [ "$(grep -c ' start on ' fleet/log/n1)" -eq 1 ]
    [ "$(counts_of n4)" = "$(counts_of n3)" ]
}

# bats test_tags=long
@test "assay fleet run is killed at ten random moments: nothing is submitted twice, and no finished task is lost" {
    write_options
    local follower moment try
    RANDOM=15
    for try in 1 2 3 4 5 6 7 8 9 10; do
        "$assay" "${sending[@]}" >out 2>&1 3>&- & # the program itself, not a shell function
        follower=$!
        moment=$((RANDOM % 40 * try)) # the first kills hit it while it plans and submits
        sleep "$(printf '0.%03d' "$moment")"
        kill -KILL "$follower" 2>/dev/null || true
        wait "$follower" 2>/dev/null || true
    done
    send_fleet >out 2>&1 || { cat out; squeue; ls -R fleet; false; }
    grep -q '^4 nodes: 4 done$' out
    [ "$(cat fleet/log/n? | grep -c ' start on ')" -eq 4 ]
    [ "$(squeue -h | wc -l)" -eq 0 ]
    run -0 "$assay" fleet collect fleet
    [[ $output == "4 records, 0 broken: fleet/collected.json" ]]
    [ "$(counts_of n4)" = "$(counts_of n3)" ]
}

@test "a broken record is named and left out; a node whose task fails says why; other options are another fleet" {
    write_options
    sed -i 's/^n3 .*/n3 --node native/' options
    "$assay" doctor | grep -q '^blocks' || sed -i 's/^n3 .*/n3 --node virtual:nowhere/' options
    run --separate-stderr send_fleet --nodes 'n[1,3]' --node-options <(grep -v 'n[24]' options)
    cat fleet/log/n3
    [ "$status" -eq 1 ]
    [[ $output == *"2 nodes: 1 done, 1 failed"*"failed       n3: status 2: assay doctor: "* ]]
    fails_with 2 "another folder with --out" send_fleet --nodes n1 --node-options <(grep n1 options)
    echo '{ "schema": 1' >fleet/nodes/n1.json
    fails_with 1 "left out: " "$assay" fleet collect fleet
    [[ $stderr == *"fleet/nodes/n1.json:"* ]]
}

@test "the script that --dry-run prints is sent by hand, also within an allocation" {
    write_options
    mkdir elsewhere
    send_fleet --nodes n1 --node-options <(grep n1 options) --dry-run >elsewhere/script
    [ ! -e fleet ]
    sh -n elsewhere/script
    grep -q '^#SBATCH --exclusive$' elsewhere/script
    SLURM_JOB_ID=1 SLURM_JOBID=1 sh elsewhere/script send 2>said # as salloc and srun set them
    diff /dev/null said # assay fleet run takes such words for a failure
    wait_until test -s fleet/end/n1
    [ "$(cat fleet/end/n1)" = "0 done" ]
    wait_until test -s fleet/nodes/n1.json
    "$assay" fleet status fleet | grep -q '^1 node: 1 done$'
}

# bats test_tags=long
@test "the first node releases the others if it counts; otherwise they stay held, and the reason is reported at once" {
    write_options
    sed -i 's/^n1 .*/n1 --node virtual:nowhere/' options
    run -1 --separate-stderr send_fleet --first 1
    [[ $output == *"4 nodes: 3 held, 1 failed"*"held         n2: until one of the first nodes counts"* ]]
    [[ $stderr == *"n1: failed: status 2: assay doctor: "* ]]
    [ "$(squeue -h -r -t PENDING | wc -l)" -eq 3 ]
    [ "$(ls fleet/log | grep -c '^n')" -eq 1 ]
    # released by hand
    sh fleet/fleet.sh release
    "$assay" fleet run --out fleet >out 2>&1 || true
    grep -q '^4 nodes: 3 done, 1 failed$' out
    # the first one counts
    write_options
    send_fleet --first 1 --out other >out 2>&1
    grep -q '^4 nodes: 4 done$' out
    [ -e other/sent/released ]
    # the others began after it, although their nodes were free
    [ "$(cat other/log/n? | grep ' start on ' | sort | head -n 1)" = "$(grep ' start on ' other/log/n1)" ]
}

# bats test_tags=long
@test "the program is broadcast to the nodes, runs there, and is removed afterwards" {
    write_options
    fails_with 2 "not installed; make install" send_fleet --broadcast "$PWD/local"
    make -C "$root" BUILD="$build" PREFIX="$PWD/prefix" install >log 2>&1 || { cat log; return 1; }
    mkdir local
    "$PWD/prefix/bin/assay" "${sending[@]}" --nodes 'n[1,3]' --node-options <(grep -v 'n[24]' options) --broadcast "$PWD/local" >out 2>&1 || { cat out fleet/log/*; false; }
    grep -q '^2 nodes: 2 done$' out
    [ -s fleet/nodes/n1.json ]
    [ -s fleet/full/n3.json ]
    [ -z "$(ls -A local)" ]
    # the program came from the archive: without it nothing runs
    rm fleet/assay.tar.gz fleet/end/n1
    sh fleet/fleet.sh task n1
    grep -q '^2 --broadcast ' fleet/end/n1
    [ -z "$(ls -A local)" ]
}
