#!/usr/bin/env bats
# assay fleet report of folders of records, its page in a browser, the second launcher, and assay validate --health.
load common
load browser

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    campaign record split_loads --node virtual:haswellEP-1x2 --quick
    echo "MEM_UOPS_RETIRED_LOADS_SPLIT scale 1.5" >faults
}

teardown_file() {
    close_browser
}

# synthetic NODES: a fleet of records like the measured one; prints the wrong nodes.
synthetic() {
    "$assay" compact "$BATS_FILE_TMPDIR/record.json" --least --out lean.json
    python3 "$root/tests/fleet/synthetic.py" lean.json --out fleet --nodes "$1" --wrong 2 --seed 4 | sort
}

@test "synthetic records: the wrong nodes are named, with the properties that they share" {
    synthetic 400 >wrong
    [ "$(wc -l <wrong)" -eq 2 ]
    run -1 --separate-stderr "$assay" fleet report fleet
    sed -n 's/^  \([^ ]*\) (group 1): .*/\1/p' <<<"$output" | sort >named
    diff wrong named
    [[ $output == *"they have in common: kernel 6.1.0-odd: all 2 that differ"* ]]
    [[ $output == *"400 native, 0 virtual"* ]]
    run -2 --separate-stderr "$assay" fleet report fleet --false-alarms 2
    [[ $stderr == *"a rate between 0 and 1"* ]]
    fails_with 2 "no fleet; assay fleet run" "$assay" fleet report nowhere
    mkdir -p empty/nodes
    fails_with 2 "empty/nodes: no record is there" "$assay" fleet report empty
}

# bats test_tags=long
@test "the page draws thousands of cells, sorts, and describes a cell" {
    synthetic 60 >wrong
    "$assay" fleet report fleet --html fleet.html >/dev/null || [ $? -eq 1 ]
    refute grep -qE '(src|href)="(http|//)' fleet.html
    browse "$PWD/fleet.html"
    [ "$(value 'document.querySelectorAll(`#differ details`).length')" -eq 2 ]
    [ "$(value 'document.querySelectorAll(`#table tbody tr`).length')" -eq 60 ]
    # the first row is a node that differs: somewhere in it a cell has its full colour
    [ "$(value '(() => { const c = document.getElementById(`canvas`), d = c.getContext(`2d`).getImageData(112, 7, 200, 1).data; let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] !== d[i + 2]; return n > 5 })()')" = true ]
    value 'document.getElementById(`window`).focus()' >/dev/null
    [ "$(value 'document.activeElement.id')" = window ]
    press ArrowDown 40
    [[ "$(value 'document.getElementById(`cell`).value')" == "$(sed -n 2p wrong)"* || "$(value 'document.getElementById(`cell`).value')" == "$(sed -n 1p wrong)"* ]]
    value 'document.querySelector(`#table button`).click()' >/dev/null
    [ "$(value 'document.querySelector(`#table tbody th`).textContent')" = node0059 ]
    value 'document.querySelector(`#table button`).click()' >/dev/null
    [ "$(value 'document.querySelector(`#table tbody th`).textContent')" = node0000 ]
}

# bats test_tags=long
@test "without Slurm mpirun starts the task of every host" {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    fails_with 2 "which hosts?" "$assay" fleet run --launcher mpi
    host=$(uname -n)
    "$assay" fleet run split_loads --quick --launcher mpi --nodes "$host" --node virtual:haswellEP-1x2 --out fleet >out 2>log || { cat out log fleet/log/*; false; }
    grep -q '^1 node: 1 done$' out
    "$assay" fleet report fleet | grep -q 'fleet of 1 nodes with a record: 0 native, 1 virtual'
    # on a host that does not belong to the fleet it does nothing
    sed -i "s/^$host /elsewhere /" fleet/fleet.sh
    fails_with 2 "is none of the fleet's hosts" sh fleet/fleet.sh rank
}

@test "health prints one line; status 0 if it agrees with the reference, 1 with a fault, 2 if unknown" {
    node=virtual:haswellEP-1x2
    run --separate-stderr "$assay" validate split_loads --health --node $node --reference "$BATS_FILE_TMPDIR/record.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "ok: virtual node haswellEP-1x2: 4 metrics, compared with "* ]]
    run -1 --separate-stderr "$assay" validate split_loads --health --node $node --reference "$BATS_FILE_TMPDIR/record.json" \
        --fault "$BATS_FILE_TMPDIR/faults"
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "bad: virtual node haswellEP-1x2: 3 of 4 metrics, compared with "*"Split loads of shifted, S0:1 (split_loads): correctable, there validated"* ]]
    run -2 --separate-stderr "$assay" validate split_loads --health --node virtual:broadwellEP-1x2 --reference "$BATS_FILE_TMPDIR/record.json"
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "unknown: --reference "* ]]
    fails_with 2 "only with --health" "$assay" validate --reference x
}

# bats test_tags=long
@test "the examples for Slurm and ReFrame: the node whose counters are wrong is drained, or fails the test" {
    mkdir bin
    printf '#!/bin/sh\nexec "%s" "$@" %s\n' "$assay" "\$FAULT" >bin/assay
    printf '#!/bin/sh\necho "$@" >>drained\n' >bin/scontrol
    chmod +x bin/*
    sed 's/validate --health/validate split_loads --health/' "$root/docs/examples/health_check.sh" >check.sh
    export PATH=$PWD/bin:$PATH ASSAY=$PWD/bin/assay ASSAY_NODE=virtual:haswellEP-1x2 ASSAY_REFERENCE=$BATS_FILE_TMPDIR/record.json SLURMD_NODENAME=n7
    sh check.sh
    [ ! -e drained ]
    FAULT="--fault $BATS_FILE_TMPDIR/faults" sh check.sh
    grep -q '^update NodeName=n7 State=DRAIN Reason=bad: virtual node' drained
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$root/docs/examples/assay_reframe.py"
    if command -v reframe >/dev/null; then
        reframe -c "$root/docs/examples/assay_reframe.py" -r | grep -q 'PASSED'
    fi
}

@test "the nodes with the fewest cores come first" {
    mkdir bin
    # shellcheck disable=SC2016 # its own words
    printf '#!/bin/sh\ncase "$*" in *%%c*) printf "n1 16\\nn2 8\\nn10 8\\n" ;; *) printf "n1\\nn10\\nn2\\n" ;; esac\n' >bin/sinfo
    chmod +x bin/sinfo
    PATH=$PWD/bin:$PATH "$assay" fleet run split_loads --dry-run >script
    [ "$(sed -n "/<<'HOSTS'/,/^HOSTS/p" script | grep -o '^n[0-9]*' | paste -sd ' ')" = "n2 n10 n1" ]
}
