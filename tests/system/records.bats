#!/usr/bin/env bats
# Invalid records: every read checks docs/record.schema.json, and the error is one line with file and key.
load common

schema=$root/docs/record.schema.json

# A record with samples; the reference records have none.
record() {
    campaign "$BATS_FILE_TMPDIR/record" avx_flops long_latency --node virtual --quick # also used by patterns.bats
    echo "$BATS_FILE_TMPDIR/record.json"
}

# satisfies RECORD...: jsonschema finds nothing wrong, and no key that the schema does not describe.
satisfies() {
    python3 - "$schema" "$@" <<'PYTHON'
import gzip, json, jsonschema, sys
schema, *records = (json.load((gzip.open if name.endswith(".gz") else open)(name)) for name in sys.argv[1:])
def close(part):
    if isinstance(part, dict):
        if "properties" in part:
            part.setdefault("additionalProperties", False)
        for member in part.values():
            close(member)
    elif isinstance(part, list):
        for member in part:
            close(member)
close(schema)
validator = jsonschema.Draft202012Validator(schema)
found = [(name, list(e.absolute_path), e.message[:200])
         for name, record in zip(sys.argv[2:], records) for e in validator.iter_errors(record)]
print(found)
sys.exit(len(found) > 0)
PYTHON
}

# A part of it, which is read in a tenth of the time.
small_record() {
    [ -e "$BATS_FILE_TMPDIR/small.json" ] || jq '.metrics |= .[:2] | .samples |= .[:8]' "$(record)" >"$BATS_FILE_TMPDIR/small.json"
    echo "$BATS_FILE_TMPDIR/small.json"
}

# change JQ-FILTER: the small record, changed, as haswellEP/haswellEP-1x2/bad.json
change() {
    mkdir -p haswellEP/haswellEP-1x2
    jq "$1" "$(small_record)" >haswellEP/haswellEP-1x2/bad.json
}

# refused TEXT: each command that reads records refuses the changed one with its name and TEXT.
refused() {
    local bad=haswellEP/haswellEP-1x2/bad.json r
    r=$(small_record)
    fails_with 2 "$bad$1" "$assay" show "$bad"
    fails_with 2 "$bad$1" "$assay" show "$bad" --oracles
    fails_with 2 "$bad$1" "$assay" diff "$bad" "$r"
    fails_with 2 "$bad$1" "$assay" diff "$r" "$bad"
    fails_with 2 "$bad$1" "$assay" history .
    fails_with 2 "$bad$1" "$assay" report "$bad" --html page.html
    fails_with 2 "$bad$1" "$assay" tables "$r" "$bad" --out tables
    fails_with 2 "$bad$1" "$assay" groups --record "$bad"
    [ ! -e page.html ]
    [ ! -e tables ]
}

@test "the reference records satisfy the schema, which describes all their keys" {
    satisfies "$root"/results/*/*/*.json*
}

# bats test_tags=long
@test "a new record with failures, faults, skipped metrics and corrections satisfies the schema" {
    echo 'ARITH_DIVIDER_UOPS scale 3' >faults.txt
    "$assay" validate long_latency line_sharing --quick --node virtual --fault faults.txt --out good.json
    satisfies good.json
    run jq -r '[.metrics[] | .verdict] | unique | join(" ")' good.json
    [[ "$output" == *correctable* ]]
    [[ "$output" == *skipped* ]]
    fake_likwid 'echo "ERROR: no"; exit 1'
    run -1 "$assay" validate long_latency --quick --node virtual --out bad.json
    satisfies bad.json
    run jq '.failures | length' bad.json
    [ "$output" -ge 1 ]
}

@test "wrong types are named with file and key path by every command" {
    change '.metrics[0].error_pct = {"min": {}, "avg": 0, "max": 0, "median": 0, "sd": 0}'
    refused ": metrics[0].error_pct.min must be number, not an object"
    change '.node = {}'
    refused ": node.kind is missing"
    change '.samples[7].measured = "12"'
    refused ": samples[7].measured must be number or null, not a text"
    change '.metrics[1].verdict = null'
    refused ": metrics[1].verdict must be validated, correctable"
}

@test "other values that a record must not have" {
    # the error, and the message
    while IFS='|' read -r filter text; do
        change "$filter"
        fails_with 2 "bad.json: $text" "$assay" show haswellEP/haswellEP-1x2/bad.json
    done <<'CASES'
.node.kind = "imaginary"|node.kind must be historical, native or virtual, not imaginary
.node.name = null|node.name must be string, not null
.node.cores = 0|node.cores must be 1 or more, not 0
.node = []|node must be object, not an array
.metrics = {}|metrics must be array, not an object
.metrics[0] = null|metrics[0] must be object, not null
.metrics[0].n = 1.5|metrics[0].n must be integer, not a number
.metrics[0].errata = [1]|metrics[0].errata[0] must be string, not a whole number
.metrics[0].vendor = [{"event": "E"}]|metrics[0].vendor[0].state is missing
.metrics[0].fit = {"factor": 1}|metrics[0].fit.offset is missing
.samples[0].expected.max = null|samples[0].expected.max must be number, not null
.samples[0].given = {"elements": "many"}|samples[0].given.elements must be number, not a text
.samples[0].rep = "1"|samples[0].rep must be integer, not a text
del(.samples[2].group)|samples[2].group is missing
.failures = [{"command": 1, "status": 0, "stderr_tail": ""}]|failures[0].command must be string, not a whole number
.faults = "none"|faults must be array, not a text
.seconds = -1|seconds must be 0 or more, not -1
.schema = "1"|schema must be integer, not a text
del(.started)|started is missing
CASES
    change '.schema = 2'
    fails_with 2 "bad.json:1: schema 2, this program reads 1" "$assay" show haswellEP/haswellEP-1x2/bad.json
}

@test "duplicate keys and deep nesting" {
    echo '{"schema": 1, "schema": 1}' >bad.json
    fails_with 2 'bad.json:1: duplicate object key near' "$assay" show bad.json
    printf '[%.0s' $(seq 5000) >bad.json
    fails_with 2 "bad.json:1: maximum parsing depth reached" "$assay" show bad.json
    { printf '{"schema": 1, "new": ' && printf '[%.0s' $(seq 2000) && printf ']%.0s' $(seq 2000) && echo '}'; } >bad.json
    fails_with 2 "bad.json: assay is missing" "$assay" show bad.json
    # the contents of unknown keys are not checked
    change '.later = {"a": [1, {"b": null}]} | .metrics[0].later = 5'
    "$assay" show haswellEP/haswellEP-1x2/bad.json
}

@test "a file that is too large is not read, and reading an endless file stops" {
    truncate -s 250M big.json
    fails_with 2 "big.json: too large: records are read up to 128 MiB" timeout 120 "$assay" show big.json
    endless() { yes ' ' | timeout 120 "$assay" show /dev/stdin; }
    fails_with 2 "/dev/stdin: too large" endless
    fails_with 2 ".: cannot read: Is a directory" "$assay" show .
}

@test "a number of repetitions that would give an unreadable record is refused before measuring" {
    fake_likwid 'touch '"$PWD"'/ran; exit 0'
    fails_with 2 "--reps 10000: the record would be larger than the 128 MiB that are read; at most" \
        "$assay" validate bandwidth_saturation --node virtual --reps 10000 --out r.json
    run find . -name ran -o -name 'r.json*'
    [ -z "$output" ]
}

# bats test_tags=long
@test "program and jsonschema agree on 80 broken records, and every command handles those that both accept" {
    # shellcheck disable=SC2046
    for r in "$(record)" $(reference); do
        python3 "$root/tests/system/mutate.py" "$assay" "$root/docs" "$r" 40 20260102
    done
}

# microseconds COMMAND...
microseconds() {
    local began=${EPOCHREALTIME/./}
    "$@" >/dev/null
    echo $((${EPOCHREALTIME/./} - began))
}

# Quadratic time would take a thousand times as long as jq.
# bats test_tags=long
@test "a record of 47 000 lines is read and checked in not much more time than jq reads it" {
    jq --indent 1 'until((.samples | length) > 2000; .samples += .samples)' "$(record)" >large.json
    run wc -l large.json
    [ "${output%% *}" -gt 47000 ]
    local peer own
    peer=$(microseconds jq . large.json)
    own=$(microseconds "$assay" show large.json)
    echo "$own us, jq $peer us"
    [ "$own" -lt $((20 * peer)) ]
}
