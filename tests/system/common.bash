# common.bash - helpers of the system tests: the program as a user meets it, in a scratch folder.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=$root/${BUILD:-build}
case ${BUILD:-} in /*) build=$BUILD ;; esac
assay=$build/assay

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

# nodes_here NODE...: prints the nodes to test in this run: the first one in `make test`, the others in `make test-long`, all if run by
# hand. A test that calls it has the tag `architectures`.
nodes_here() {
    case ${NODES:-} in
    first) echo "$1" ;;
    others) shift && echo "$@" ;;
    *) echo "$@" ;;
    esac
}

# campaign FILE ARGUMENT...: `assay validate ARGUMENT...`, in the project's folder, leaves its record in FILE.json and what it prints in
# FILE.txt. The first test that asks makes it for all of this run.
campaign() {
    local file=$1 kept ending
    shift
    kept=${FIXTURES:-$BATS_RUN_TMPDIR}/$(sha256sum <<<"$*" | cut -c 1-16)
    (
        flock 9
        [ -e "$kept.json" ] || (cd "$root" && "$assay" validate "$@" --out "$kept.json" >"$kept.txt" 2>&1 9>&-) || cat "$kept.txt"
    ) 9>"$kept.lock"
    for ending in json txt; do ln -sf "$kept.$ending" "$file.$ending"; done
    [ -e "$kept.json" ]
}

# query NAME CODE: query.lua on NAME.json of the file's folder: the record of campaigns[NAME], or else of $pattern on the node NAME.
declare -gA campaigns=()
query() {
    local node=$1
    [ ! -e "$root/tests/nodes/$1.lua" ] || node=tests/nodes/$1.lua
    # shellcheck disable=SC2086 # words
    [ -e "$BATS_FILE_TMPDIR/$1.json" ] || campaign "$BATS_FILE_TMPDIR/$1" ${campaigns[$1]:-$pattern --node virtual:$node}
    lua5.4 "$root/tests/system/query.lua" "$BATS_FILE_TMPDIR/$1.json" "$2"
}

# on_each NODES CODE: query CODE on each of the nodes to test in this run (nodes_here).
on_each() {
    local node
    # shellcheck disable=SC2086 # words
    for node in $(nodes_here $1); do query "$node" "$2"; done
}

# fails_with STATUS TEXT COMMAND...: the command ends with STATUS and one line on stderr that contains TEXT.
fails_with() {
    local status_wanted=$1 text=$2
    shift 2
    run --separate-stderr "$@"
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$status_wanted" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"$text"* ]]
}

# likwid_is VERSION: LIKWID has this version or a later one. Leaves its own one in `version`.
likwid_is() {
    version=$(likwid-perfctr -v | grep -o "[0-9]*\.[0-9]*\.[0-9]*" | head -1)
    [ "$(printf '%s\n' "$1" "$version" | sort -V | head -1)" = "$1" ]
}

# Prints the folder of LIKWID's groups.
groups_of_likwid() {
    local prefix
    prefix=$(dirname "$(dirname "$(command -v likwid-perfctr)")")
    echo "$prefix/share/likwid/perfgroups"
}

# described NODE EXPRESSION: a value of the node's description (described.lua)
described() {
    lua5.4 "$root/tests/system/described.lua" "$build/groups" "$@"
}

# refute COMMAND...: asserts that the command fails. A `!` before a command would assert nothing in the middle of a test.
refute() {
    if "$@"; then
        echo "should fail: $*"
        return 1
    fi
}

# shows_again RECORD TEXT OPTION...: every line of assay show is also in TEXT, the output of the record's command.
shows_again() {
    "$assay" show "$1" "${@:3}" >shown_again
    [ -s shown_again ]
    refute grep -vxF -f "$2" shown_again
}

# reference [NODE]: the newest reference record of a node (results/), decompressed.
reference() {
    local node=${1:-haswellEP-1x2}
    local file=$BATS_FILE_TMPDIR/reference-$node.json
    [ -e "$file" ] || gzip -dc "$(find "$root/results/${node%-*}/$node" -name '*.json.gz' | sort | tail -n 1)" >"$file"
    echo "$file"
}

# The same with one level of one pattern, so that only one page and one plot are made from it.
small_reference() {
    jq '.metrics |= map(select(.pattern == "bandwidth_saturation" and .level == "L2"))' "$(reference)" >small_reference.json
    echo small_reference.json
}

# fits RECORD SCHEMA: jsonschema finds no error in the record or the schema.
fits() {
    python3 - "$@" <<'PYTHON'
import json, sys, jsonschema
record, schema = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(record)
PYTHON
}

# needs PROGRAM [PACKAGE]: skips the test where it is not installed.
needs() {
    command -v "$1" >/dev/null || skip "$1 is not installed${2:+ (package $2)}"
}

# A copy of Assay's data to break, used through ASSAY_DATA.
copy_data() {
    mkdir data
    cp -r "$root"/{kernels,lua,patterns,vnode} "$build/groups" data/
    export ASSAY_DATA=$PWD/data
}

# Assay's data with these probes only, used through ASSAY_DATA: all probes take ten times as long.
only_probes() { # NAME...
    local name
    rm -rf data
    mkdir -p data/probes
    ln -s "$root"/{kernels,lua,patterns,vnode} "$build/groups" data/
    ln -s "$root"/probes/*.txt data/probes/
    for name; do ln -s "$root/probes/$name.lua" data/probes/; done
    export ASSAY_DATA=$PWD/data
}

# A likwid-perfctr that answers -v and -i as the real one does on the virtual node and otherwise runs the given script.
fake_likwid() {
    mkdir -p fake/bin
    cat >fake/bin/likwid-perfctr <<SCRIPT
#!/bin/sh
case \$1 in -v) echo "likwid-perfctr -- Version 5.2.2" && exit 0 ;; esac
$1
SCRIPT
    chmod +x fake/bin/likwid-perfctr
    export LIKWID_PREFIX=$PWD/fake
}

process_number_length() {
    sh -c 'number=$$; echo ${#number}'
}

# repeats FUNCTION ARGUMENT...: FUNCTION makes runs and succeeds if their counts are the same. LIKWID converts process numbers to text, and
# Debian 13's C library thread numbers. So the runs are repeated if one of these numbers got a digit more or less meanwhile.
repeats() {
    local before try
    for try in 1 2 3; do
        before=$(process_number_length)
        "$@" && return 0
        [ "$before" -eq "$(process_number_length)" ] && return 1
    done
    return 1
}
