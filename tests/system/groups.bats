#!/usr/bin/env bats
# assay groups: from a record to a group in the user's own LIKWID.
load common

# One record for all tests, measured on the virtual node: L2 and L3, one kernel.
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    campaign "$BATS_FILE_TMPDIR/record" bandwidth_saturation --node virtual --quick --only load,triad --level L2,L3
    record=$BATS_FILE_TMPDIR/record.json
}

# with_verdict GROUP VERDICT: prints the record with this verdict for all metrics of the group.
with_verdict() {
    jq --arg group "$1" --arg verdict "$2" '.metrics |= map(if .group == $group then .verdict = $verdict else . end)' "$record"
}

# bats test_tags=elsewhere
@test "from a record to a group in the user's LIKWID, in a fresh HOME" {
    export HOME=$PWD/home
    run --separate-stderr "$assay" groups --arch haswellEP --format likwid --install "$HOME/.likwid/groups" --record "$record"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ -f "$HOME/.likwid/groups/haswellEP/ASSAY_L2.txt" ]
    [ "${#lines[@]}" -eq "$(jq -r '.metrics[] | select(.verdict == "validated") | .group' "$record" | sort -u | wc -l)" ]
    run -0 --separate-stderr "$assay" vnode -- likwid-perfctr -a
    [[ "$output" == *ASSAY_L2* && "$output" == *ASSAY_L3* ]] # in the order of the folder, which depends on the file system
    run --separate-stderr "$assay" vnode -- likwid-perfctr -H -g ASSAY_L2
    [[ "$output" == *"L1-L2 volume [GBytes]: validated"* ]]
    [[ "$output" == *"virtual node haswellEP-1x2"* ]]
    run -0 --separate-stderr "$assay" vnode -- likwid-perfctr -C 0 -g ASSAY_L2 -m likwid-bench -t load_avx -w S0:100kB:1 -i 1000
    grep -q "L1-L2 volume" <<<"$output"
}

@test "installing again replaces its own files, and nothing else" {
    "$assay" groups --record "$record" --install dir
    "$assay" groups --record "$record" --install dir
    cp dir/haswellEP/ASSAY_L3.txt before
    echo "# mine" >>dir/haswellEP/ASSAY_L3.txt
    find dir -name '*.txt' ! -name ASSAY_L3.txt -delete
    fails_with 2 "ASSAY_L3.txt: not written by assay groups, or changed since" "$assay" groups --record "$record" --install dir
    [ "$(cat before; echo "# mine")" = "$(cat dir/haswellEP/ASSAY_L3.txt)" ]
    [ ! -e dir/haswellEP/ASSAY_L2.txt ] # all or nothing
    echo "SHORT mine" >dir/haswellEP/ASSAY_L3.txt
    fails_with 2 "not written by assay groups" "$assay" groups --record "$record" --install dir
    rm dir/haswellEP/ASSAY_L3.txt
    mkdir dir/haswellEP/ASSAY_L3.txt
    fails_with 2 "ASSAY_L3.txt" "$assay" groups --record "$record" --install dir
    [ "$(ls dir/haswellEP)" = ASSAY_L3.txt ]
}

@test "installing again removes groups that are no longer justified, and nothing else" {
    "$assay" groups --record "$record" --install dir
    cp dir/haswellEP/ASSAY_L2.txt dir/haswellEP/ASSAY_OLD.txt
    cp dir/haswellEP/ASSAY_L2.txt dir/haswellEP/CHANGED.txt
    echo "# mine" >>dir/haswellEP/CHANGED.txt
    echo "SHORT mine" >dir/haswellEP/MINE.txt
    run -0 "$assay" groups --record "$record" --install dir
    [[ "$output" == *"ASSAY_OLD.txt: removed, no longer given"* ]]
    [ ! -e dir/haswellEP/ASSAY_OLD.txt ]
    [ -e dir/haswellEP/ASSAY_L2.txt ] && [ -e dir/haswellEP/CHANGED.txt ] && [ -e dir/haswellEP/MINE.txt ]
}

@test "the catalogue as JSON fits its published schema" {
    "$assay" groups --record "$record" --format json >catalogue.json
    python3 - "$root/docs/catalogue.schema.json" catalogue.json <<'PYTHON'
import json, sys, jsonschema
schema, catalogue = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(catalogue)
del catalogue["architectures"][0]["groups"][0]["metrics"][0]["formula"]
if not list(jsonschema.Draft202012Validator(schema).iter_errors(catalogue)):
    sys.exit("the schema takes a metric without formula")
PYTHON
    [ "$(jq -r '.kind, .architectures[0].arch, .architectures[0].evidence[0].record' catalogue.json)" = "virtual
haswellEP
$record" ]
}

@test "JSON, CSV and group files hold the same metrics" {
    "$assay" groups --record "$record" --format json | jq -r '.architectures[].groups[] | .name as $g | .metrics[] | [$g, .name] | join(",")' >json
    "$assay" groups --record "$record" --format csv | tail -n +2 | cut -d, -f2,3 >csv
    diff json csv
    "$assay" groups --record "$record" --format likwid | sed -n 's/^\(.*\) \[.*\]: validated.*/\1/p' >likwid
    diff <(cut -d, -f2 json) likwid
    [ "$(wc -l <json)" -eq "$(jq -r '.metrics[] | select(.verdict == "validated") | .group + .metric' "$record" | sort -u | wc -l)" ]
}

# given FORMAT: the number of metrics that it does not name on standard error.
given() {
    local all
    all=$("$assay" groups --record "$record" --format json | jq '[.architectures[].groups[].metrics[] | select(.verdict == "validated")] | length')
    echo $((all - $(grep -c ": not given: " "$1.notes")))
}

@test "other tools' formats have all validated metrics with their bounds, and are read back" {
    local format
    for format in clustercockpit kerncraft papi perf reframe; do
        "$assay" groups --record "$record" --format $format >$format 2>$format.notes
        grep -q "would have been noticed: a factor of" $format
        grep -q "virtual node haswellEP-1x2" $format
    done

    # Keys of the collector's structures; it refuses others below `likwid`.
    jq -e '.likwid | keys == ["eventsets"]' clustercockpit
    jq -e '[.likwid.eventsets[] | keys] | unique == [["events", "metrics"]]' clustercockpit
    jq -e '[.likwid.eventsets[].metrics[] | keys - ["unit"]] | unique == [["calc", "name", "publish", "type"]]' clustercockpit
    [ "$(jq '[.likwid.eventsets[].metrics[]] | length' clustercockpit)" -eq "$(given clustercockpit)" ]
    [ "$(jq '.assay.metrics | length' clustercockpit)" -eq "$(given clustercockpit)" ]
    grep -q "ASSAY_CBOX, CBOX data reads volume: not given: its counters have options" clustercockpit.notes

    jq -e '[.[] | keys - ["ScaleUnit"]] | unique == [["BriefDescription", "MetricExpr", "MetricGroup", "MetricName", "PublicDescription"]]' perf
    [ "$(jq length perf)" -eq "$(given perf)" ]
    jq -e 'any(.MetricExpr == "1.0E-09*cpu@event\\=0x51\\,umask\\=0x1@*64.0")' perf
    cp clustercockpit collectors.json
    cp perf metrics.json
    cp papi presets.csv
    for file in collectors.json metrics.json presets.csv; do
        run -0 "$assay" lint $file
        [ -z "$output" ]
    done

    python3 - kerncraft reframe <<'PYTHON'
import ast, sys, yaml
levels = yaml.safe_load(open(sys.argv[1]))["memory hierarchy"]
counters = {level["level"]: level["performance counter metrics"] for level in levels}
assert counters["L1"] == {"misses": "L1D_REPLACEMENT:PMC0", "evicts": "L2_TRANS_L1D_WB:PMC1"}, counters
assert set(counters["L2"]) == {"misses", "evicts"}, counters
ast.parse(open(sys.argv[2]).read())
PYTHON
    [ "$(grep -c "^        ('" reframe)" -eq "$(given reframe)" ]

    grep -q "L1-L2 load bandwidth: not given: " papi.notes
    [ "$(grep -c ^EVENT papi)" -eq "$(given papi)" ]
    PAPI_USER_EVENTS_FILE=$PWD/papi "$assay" vnode --node haswellEP-1x2 -- papi_avail --user >avail
    [ "$(grep -c '^ASSAY_.*Yes   Yes ' avail)" -eq "$(given papi)" ]
}

# The files hold the setting if their line matches; without the file nothing is known (Linux: admin-guide/pm, sysctl/kernel).
@test "the exported test for ReFrame fails on a native node with other settings than the evidence's" {
    "$assay" groups --record "$record" --format reframe >virtual.py 2>/dev/null
    grep -qx 'SETTINGS = {}' virtual.py
    jq '.node += {kind: "native", governor: "performance", turbo: false, numa_balancing: false, smt: 2}' "$record" >native.json
    jq ".node.governor = \"it's 1.0\"" native.json >strange.json
    "$assay" groups --record strange.json --format reframe 2>/dev/null | grep -qF "scaling_governor': r'it.s 1\.0',"
    "$assay" groups --record native.json --format reframe >native.py 2>/dev/null
    python3 - native.py <<'PYTHON'
import ast, re, sys
tree = ast.parse(open(sys.argv[1]).read())
settings = next(ast.literal_eval(one.value) for one in tree.body if isinstance(one, ast.Assign) and one.targets[0].id == "SETTINGS")
lines = {"scaling_governor": ["performance", "powersave"], "no_turbo": ["1", "0"], "boost": ["0", "1"], "numa_balancing": ["0", "1"],
         "active": ["1", "0"]}
assert {file.split("/")[-1] for file in settings} == set(lines), settings
guard = next(ast.unparse(one) for one in ast.walk(tree) if isinstance(one, ast.JoinedStr))
for file, line in settings.items():
    right, wrong = lines[file.split("/")[-1]]
    pattern = eval(guard)
    assert not re.search(pattern, f"{file}:{right}\n", re.M) and re.search(pattern, f"{file}:{wrong}\n", re.M), pattern
PYTHON
}

@test "of metrics that are one on a processor with one socket the collector gets one, and lint finds nothing" {
    "$assay" groups --arch haswell --format clustercockpit >collectors.json 2>notes
    grep -q "Loads of modified lines: not given: it is the same as Loads of lines modified in this socket on this processor" notes
    run -0 "$assay" lint collectors.json
}

@test "the same input gives the same bytes" {
    for format in likwid json csv clustercockpit kerncraft papi perf reframe; do
        cmp <("$assay" groups --record "$record" --format $format) <("$assay" groups --record "$record" --format $format)
    done
}

@test "--verdict selects metrics" {
    with_verdict ASSAY_L3 rejected >rejected.json
    run -0 --separate-stderr "$assay" groups --record rejected.json
    [[ "$output" == *"ASSAY_L2: "*"left out: ASSAY_L3, with metrics that are rejected"* ]]
    run --separate-stderr "$assay" groups --record rejected.json --verdict rejected
    [[ "$output" == *"ASSAY_L3: "*"left out: ASSAY_L2, with metrics that are validated"* ]]
    fails_with 2 "no group has a metric" "$assay" groups --record "$record" --verdict qualitative
}

@test "several records: the worst verdict counts" {
    with_verdict ASSAY_L3 missing >missing.json
    run -0 --separate-stderr "$assay" groups --record "$record" missing.json
    [[ "$output" == *"$record"*missing.json*"ASSAY_L2: "*"left out: ASSAY_L3"* ]]
}

@test "the table fits into 100 columns" {
    "$assay" groups --record "$record" | grep -v '^- ' >table
    [ "$(awk '{ if (length > widest) widest = length } END { print widest + 0 }' table)" -le 100 ]
    grep -q "L2-L3 volume" table
}

@test "without --record the newest record of each node by LIKWID is used, native records before virtual ones" {
    copy_data
    rm -rf data/results
    fails_with 2 "results/haswellEP: no records there; name one with --record FILE" "$assay" groups --arch haswellEP
    mkdir -p data/results/haswellEP/{a,b}
    jq '.node.name = "a" | .started = "2026-01-01T00:00:00Z"' "$record" >data/results/haswellEP/a/2026-01-01.json
    jq '.node.name = "a" | .started = "2026-02-01T00:00:00Z"' "$record" >data/results/haswellEP/a/2026-02-01.json
    jq '.node.name = "b"' "$record" >data/results/haswellEP/b/2025-01-01.json
    run --separate-stderr "$assay" groups
    [ "$(grep '^- ' <<<"$output" | cut -d: -f1)" = "- results/haswellEP/a/2026-02-01.json
- results/haswellEP/b/2025-01-01.json" ]
    jq '.node.name = "b" | .node.kind = "native"' "$record" >data/results/haswellEP/b/2026-01-01.json
    run --separate-stderr "$assay" groups --arch haswellEP
    [ "$(grep '^- ' <<<"$output" | cut -d: -f1)" = "- results/haswellEP/b/2026-01-01.json" ]
    jq '.node.interface = "perf"' data/results/haswellEP/b/2026-01-01.json >data/results/haswellEP/b/2026-02-01.json
    run -0 --separate-stderr "$assay" groups --arch haswellEP # LIKWID's newest
    [ "$(grep '^- ' <<<"$output" | cut -d: -f1)" = "- results/haswellEP/b/2026-01-01.json" ]
}

@test "bad input: one line, status 2" {
    fails_with 2 "--format xml: unknown" "$assay" groups --format xml
    fails_with 2 "--verdict good: unknown" "$assay" groups --record "$record" --verdict good
    fails_with 2 "no verdict named" "$assay" groups --record "$record" --verdict ,
    fails_with 2 "--arch: a value is missing" "$assay" groups --arch
    fails_with 2 "--frob: unknown option" "$assay" groups --frob
    fails_with 2 "x: unexpected" "$assay" groups x
    fails_with 2 "leave out --format csv" "$assay" groups --format csv --install d
    fails_with 2 "none.json: cannot read" "$assay" groups --record none.json
    fails_with 2 "a record of haswellEP, not of zen" "$assay" groups --arch zen --record "$record"
    jq '.node.arch = "nowhere"' "$record" >nowhere.json
    fails_with 2 "groups/nowhere: no groups" "$assay" groups --record nowhere.json
    jq '.node.arch = "../groups/haswellEP"' "$record" >dots.json
    fails_with 2 "no name of an architecture" "$assay" groups --record dots.json
    jq 'del(.node.arch)' "$record" >noarch.json
    fails_with 2 "node.arch is missing" "$assay" groups --record noarch.json
    jq '.faults = ["X add 1"]' "$record" >fault.json
    fails_with 2 "injected faults" "$assay" groups --record fault.json
    jq '.node.arch = "broadwellEP"' "$record" >other.json
    fails_with 2 "--format papi: is of one architecture; name it with --arch" "$assay" groups --format papi --record "$record" other.json
    jq '.node.kind = "native"' "$record" >native.json
    fails_with 2 "never mixed" "$assay" groups --record "$record" native.json
    fails_with 2 "/proc/nothing" "$assay" groups --record "$record" --install /proc/nothing
}
