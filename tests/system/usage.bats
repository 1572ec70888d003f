#!/usr/bin/env bats
# Bad input: one line with the error, its place and a remedy; the right exit status; no partial files.
load common

@test "no command prints the usage and ends with 2" {
    run -2 "$assay"
    [[ "$output" == usage:* ]]
}

@test "--help and --version" {
    run -0 "$assay" --help
    [[ "$output" == *"Exit status:"* ]]
    run -0 "$assay" --version
    [[ "$output" == "assay "[0-9]* ]]
}

@test "wrong words, names and numbers are named in one line" {
    while IFS='|' read -r text words; do
        # shellcheck disable=SC2086 # words
        fails_with 2 "$text" "$assay" $words
    done <<'WRONG'
frobnicate: unknown command|frobnicate
--frob: unknown option|validate --frob
a value is missing|validate --out
--reps many: a whole number|validate --reps many
--reps 0: a whole number|validate --reps 0
--interface frob: unknown; likwid, perf, perf-metrics or papi|validate --interface frob
no_such_pattern|validate no_such_pattern --node virtual
virtual:nowhere|validate --node virtual:nowhere
elsewhere|validate --node elsewhere
/nonexistent/r.json|validate --node virtual --quick --out /nonexistent/r.json
no.json: cannot read|show no.json
no record named|show
L9: no level|validate long_latency --quick --node virtual --level L2,L9
nosuch: no code|validate long_latency --quick --node virtual --only div_scalar,nosuch
nosuch: unknown pattern|fleet run nosuch
WRONG
    [ ! -e fleet ]
    for seconds in 1e308 inf nan -1 0 1e9; do
        fails_with 2 "--timeout $seconds: a number of seconds above 0" "$assay" validate long_latency --timeout "$seconds"
    done
    fails_with 2 "--timeout inf: a number of seconds above 0" "$assay" analyse --timeout inf -- true
    fails_with 2 "likwid-perfctr: not found" env PATH=/nonexistent "$assay" validate
    fails_with 2 "--noise: makes LIKWID's counters noisy only; leave out --interface perf" "$assay" validate --interface perf --noise quiet
}

@test "native without counters names what is missing and the remedy" {
    "$assay" doctor | grep -q '^blocks' || skip "this machine has counters"
    fails_with 2 "native" "$assay" validate --node native
    [[ "$stderr" == *"remedy:"* ]]
}

@test "doctor lists every obstacle with a remedy" {
    run -0 --separate-stderr "$assay" doctor
    for subject in LIKWID PMU processor "register access" "LIKWID's lock" watchdog SMT frequency prediction "virtual node" "user namespace" cpuset load; do
        [[ "$output" == *"$subject"* ]]
    done
    [[ "$output" == *"does not know this processor"* || "$output" == *" groups for "* || "$output" == *"Assay has none for "* ]]
    [ "$(grep -c '^blocks' <<<"$output")" -eq "$(grep -c '^blocks.*remedy:' <<<"$output")" ]
    fails_with 2 "usage: assay doctor" "$assay" doctor now
}

@test "a processor that LIKWID does not know has no groups, and no name" {
    fake_likwid 'echo "CPU short: nil"'
    "$assay" doctor >findings
    grep "^blocks  processor  *LIKWID 5.2.2 does not know this processor; .*; remedy: " findings
    refute grep "^[a-z]* *groups" findings
}

@test "the probe counts a known loop exactly on the virtual node" {
    run -0 --separate-stderr "$assay" doctor --node virtual
    read -r expected counted < <(sed 's/[^0-9]*[^ ]*: a loop of \([0-9]*\) instructions was counted as \([0-9]*\)/\1 \2/; s/.* \([0-9]* [0-9]*\)$/\1/' <<<"$output")
    echo "$output: $expected $counted"
    [ "$expected" -gt 100000 ]
    [ $((counted - expected)) -le 50 ] && [ $((expected - counted)) -le 50 ] # LIKWID looks up the names of the two regions
}

@test "list knows patterns, kernels, groups, archs and nodes" {
    run -0 "$assay" list
    while read -r name about; do
        echo "$name: $about"
        grep -qE "^$name  +$about" <<<"$output"
    done <<THINGS
bandwidth_saturation Bandwidth saturation
excess_volume Excess data volume
x86-64-avx/triad A\(i\) = B\(i\) \+ C\(i\)\*D\(i\)
haswellEP/ASSAY_L2 Lines between L1 data cache and L2
haswellEP virtual  Intel Xeon
haswellEP-1x2 haswellEP-SxC: S sockets
THINGS
    grep -qx 'haswellEP-1x2 *haswellEP-SxC: S sockets (1, 2, 4) of C cores (1 to 18), 64 in all at most; SxCx2: .*' <<<"$output"
    for kind in patterns kernels groups archs nodes; do # a line about each, and the same names without
        run ! grep -vE '^[^ ]+ +[^ ]' < <("$assay" list $kind)
        cmp <("$assay" list $kind | cut -d' ' -f1) <("$assay" list $kind --names)
    done
    fails_with 2 "weather: unknown" "$assay" list weather
}

@test "list patterns --long names the groups that show them, and quantities that this node cannot show, as text and JSON" {
    cmp <("$assay" list patterns --long | grep -v '^  ' | cut -d' ' -f1) <("$assay" list patterns --names)
    run -0 "$assay" list patterns --long --node virtual:haswellEP-1x2
    grep -qE '^page_placement +Bad page placement \(hazard\)$' <<<"$output"
    page=$(sed -n '/^page_placement/,/^split/p' <<<"$output")
    grep -q '^  groups     ASSAY_HA, ASSAY_MEM, ASSAY_NUMA$' <<<"$page"
    grep -q '^  runs       not on virtual node haswellEP-1x2$' <<<"$page"
    grep -q '^  not        the node has one socket, two are needed$' <<<"$page"
    grep -q '^  not        FLOPs DP: no event counts scalar' <<<"$output"
    "$assay" list patterns --node virtual:haswellEP-2x2 --format json >list.json
    [ "$(jq -r '.[] | select(.name == "page_placement") | .runs, .places[], .class' list.json | xargs)" = "true S0:1@S1:1 hazard" ]
    [ "$(jq '[.[] | select(.runs | not)] | length' list.json)" -eq 0 ]
    [ "$(jq -r '.[].name' list.json)" = "$("$assay" list patterns --names)" ]
    fails_with 2 "--format csv: unknown; one of text, json" "$assay" list patterns --format csv
    fails_with 2 "--node and --format are for assay list patterns" "$assay" list groups --format json
    fails_with 2 "--node and --format are for assay list patterns" "$assay" list patterns --names --node native
    fails_with 2 "--long, --node" "$assay" list --long
    fails_with 2 "remedy" "$assay" list patterns --node native
}

@test "list gives a reason for files that it cannot read, and describes everything else" {
    copy_data
    mv data 'data [1]*'
    export ASSAY_DATA="$PWD/data [1]*"
    echo 'return pattern {' >"$ASSAY_DATA/patterns/long_latency.lua"
    sed -i 's/^LOOP .*/LOOP many/' "$ASSAY_DATA/kernels/x86-64-avx/daxpy.ptt"
    run -0 "$assay" list
    grep -qE '^long_latency +cannot be read: .*long_latency.lua:2: ' <<<"$output"
    grep -qE '^x86-64-avx/daxpy +cannot be read: .*daxpy.ptt:13: ' <<<"$output"
    grep -qE '^line_sharing +Sharing of cache lines$' <<<"$output"
}

# The options of each command in the SYNOPSIS of the man page, as lines "COMMAND --OPTION".
synopsis() {
    awk '/^\.Sh DESCRIPTION/ { exit }
        /^\.Cm / { command = substr($0, 5) }
        {
            while (match($0, /(Fl |\| )-[a-z-]+/)) {
                option = substr($0, RSTART, RLENGTH)
                sub(/^.* /, "-", option)
                sub(/^--*/, "--", option)
                print command, option
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' "$root/docs/assay.1" | sort -u
}

@test "every command answers --help with its options, which man page and completion have, too" {
    source "$root/docs/completion/assay.bash"
    commands=$("$assay" --help | sed -n 's/^  \([a-z]\{1,\}\)\b.*/\1/p')
    [ "$(wc -w <<<"$commands")" -ge 12 ]
    for command in $commands; do
        "$assay" "$command" --help 2>>errors | sed -n "1s/^/$command /p; s/^  \(--[a-z-]*\).*/$command \1/p" >>help
        COMP_WORDS=("$assay" "$command" --) COMP_CWORD=2
        _assay
        printf "$command %s\n" "${COMPREPLY[@]}" >>completion
    done
    [ ! -s errors ]
    diff <(grep -o '^[a-z]* usage: assay [a-z]*' help) <(sed 's/.*/& usage: assay &/' <<<"$commands")
    grep '^[a-z]* --[a-z]' help | sort >options
    diff options <(grep '^[a-z]* --[a-z]' completion | sort -u)
    # calibrate has the options of validate, fleet's commands have their own; --help is described once for all
    diff <(grep -v ' --help$' options) <(synopsis | sed '/^fleet /d; / --help$/d; /^validate/p; s/^validate/calibrate/' | sort)
    grep '^\.It ' "$root/docs/assay.1" >described
    diff <(sort -u <<<"$commands") <(sed -n 's/^\.It Cm \([a-z]*\)$/\1/p' described | sort -u | grep -xF "$commands")
    # validate and groups describe each option; other commands refer to theirs
    grep -E '^(validate|groups) ' options | grep -v ' --help$' | while read -r _ option; do
        grep -q "^\.It Fl -${option#--}\b" described
    done
}

@test "arguments: order, --, abbreviations, and refused ones" {
    "$assay" list --names nodes >one
    "$assay" list nodes --name >two
    "$assay" list --names -- nodes >three
    cmp one two
    cmp one three
    fails_with 2 "-n: unknown option; see assay list --help" "$assay" list -n
    fails_with 2 "--names=1: this option takes no value" "$assay" list --names=1
    fails_with 2 "two: unexpected; only assay list events takes an architecture" "$assay" list nodes two
    fails_with 2 "no command; usage: assay vnode [--node NAME] [--fault FILE] [--noise LEVEL] [--] COMMAND..." "$assay" vnode --node virtual
    [ "$("$assay" vnode --node virtual:haswellEP-1x1 -- nproc)" = 1 ] # as the other commands call it
    run "$assay" vnode -- ls --help
    [[ "$output" == *"ls [OPTION]"* ]]
}

@test "show of a file that is not a record" {
    echo '{' >bad.json
    fails_with 2 "bad.json:" "$assay" show bad.json
    echo '{"schema": 1}' >bad.json
    fails_with 2 "bad.json: assay is missing" "$assay" show bad.json
}

@test "an error in a data file stops with its file and line" {
    copy_data
    while IFS='|' read -r text file edit; do
        cp "data/$file" kept
        sed -i "$edit" "data/$file"
        fails_with 2 "$text" "$assay" validate --node virtual --quick
        mv kept "data/$file"
    done <<'WRONG'
daxpy.ptt:3: |kernels/x86-64-avx/daxpy.ptt|s/^FLOPS .*/FLOPS 7/
daxpy.ptt:13: |kernels/x86-64-avx/daxpy.ptt|s/^LOOP .*/LOOP many/
ASSAY_L2.txt:|groups/haswellEP/ASSAY_L2.txt|s/^METRICS.*/METRIX/
machine.lua:|groups/haswellEP/machine.lua|1s/.*/return {/; 2,$d
bandwidth_saturation.lua:1: |patterns/bandwidth_saturation.lua|1s/.*/return pattern { name = "bandwidth_saturation" }/; 2,$d
WRONG
    rm data/groups/haswellEP/ASSAY_HA.txt # which the machine file names
    fails_with 2 "ASSAY_HA" "$assay" validate --node virtual --quick
}

@test "malformed node file" {
    echo 'return {' >bad.lua
    fails_with 2 "bad.lua:2: " "$assay" validate --node "virtual:$PWD/bad.lua" --quick
    fails_with 2 "bad.lua:2: " "$assay" vnode --node "$PWD/bad.lua" -- true
}

@test "a script whose interpreter is missing" {
    printf '#!/no/such -x\necho\n' >script
    chmod +x script
    for command in analyse laws sampling; do
        fails_with 2 "./script: its interpreter /no/such is not there" "$assay" $command --node virtual -- ./script
    done
    run -127 "$assay" vnode -- ./script
    [[ "$output" == *"./script: its interpreter /no/such is not there"* ]]
}
