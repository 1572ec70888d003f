#!/usr/bin/env bats
# Output that cannot be written: every command reports it in one line, exits with 2 and leaves no partial file.
load common

# limited KIB COMMAND...: the command with a limit on the size of files that it writes.
limited() {
    (ulimit -f "$1" && shift && exec "$@")
}

# nothing_left: no temporary file or folder in the current folder and in TMPDIR.
nothing_left() {
    run find "$PWD" \( -name '*.tmp' -o -name '.assay-*' -o -name 'assay-plot-*' \)
    echo "left: $output"
    [ -z "$output" ]
}

@test "every command reports standard output on a full disk" {
    local r
    r=$(small_reference)
    while read -r -a words; do
        echo "assay ${words[*]}"
        run -2 bash -c '"$@" 2>err >/dev/full' - "$assay" "${words[@]}"
        run cat err
        [ "${#lines[@]}" -eq 1 ]
        [[ "$output" == "assay ${words[0]}: standard output: No space left on device"* ]]
    done <<COMMANDS
--help
--version
help
list
list patterns
list patterns --long
list kernels
list groups
list archs
list nodes
list --names
validate --help
doctor
show $(reference)
show $r --all
show $r --oracles
diff $r $r
history $root/results
tables $r --out tables
groups --record $r
groups --record $r --format json
groups --record $r --format csv
groups --record $r --format likwid
groups --record $r --format clustercockpit
groups --record $r --format kerncraft
groups --record $r --format papi
groups --record $r --format perf
groups --record $r --format reframe
groups --record $r --install installed
lint haswellEP --format json
why haswellEP MEM
why haswellEP MEM --format json
why haswellEP MEM --format html
historical $root/results/published/likwid-2014.tsv --out historical
COMMANDS
}

# bats test_tags=long
@test "validate and calibrate report output on a full disk, and their record is complete" {
    fake_likwid 'exit 0'
    run -2 bash -c '"$@" 2>err >/dev/full' - "$assay" validate bandwidth_saturation --quick --node virtual --out r.json
    grep -q '^assay validate: standard output: No space left' err
    "$assay" show r.json
    run -2 bash -c '"$@" 2>err >/dev/full' - "$assay" calibrate bandwidth_saturation --quick --node virtual
}

@test "closed standard output is reported before anything is done, and no file gets its descriptor" {
    run -2 bash -c '"$@" 2>err >&-' - "$assay" list
    grep -q '^assay: standard output is closed' err
    run -2 bash -c '"$@" 2>err >&-' - "$assay" report "$(reference)" --html page.html
    [ ! -e page.html ]
    run -2 bash -c '"$@" >&- 2>&- <&-' - "$assay" tables "$(reference)" --out tables
    [ ! -e tables ]
}

@test "a reader that closes the pipe early causes no message" {
    run -0 bash -c '"$@" 2>err | head -1' - "$assay" list
    [ ! -s err ]
}

@test "a page, tables, plots and groups larger than the file size limit leave nothing behind" {
    local r
    r=$(small_reference)
    export TMPDIR=$PWD/scratch
    mkdir scratch installed tables
    fails_with 2 "page.html.tmp: cannot write: File too large" limited 64 "$assay" report "$r" --html page.html
    [ ! -e page.html ]
    nothing_left
    for kib in 2 24; do # a plot's script; a page that is larger than all plots
        fails_with 2 "cannot write: File too large" limited $kib "$assay" tables "$([ $kib = 24 ] && reference || echo "$r")" --out tables
        run find tables -type f
        [ -z "$output" ]
        nothing_left
    done
    fails_with 2 "cannot write: File too large" limited 1 "$assay" groups --record "$r" --install installed
    run find installed -type f
    [ -z "$output" ]
    nothing_left
    # existing files are still complete
    "$assay" report "$r" --html page.html
    cp page.html before.html
    fails_with 2 "File too large" limited 64 "$assay" report "$r" --html page.html
    cmp page.html before.html
}

@test "a record larger than the file size limit: one line, and neither record nor temporary file" {
    fake_likwid 'exit 0'
    export TMPDIR=$PWD/scratch
    mkdir scratch
    # files built by the first run are kept, so that only the record is too large in the second
    "$assay" validate bandwidth_saturation --quick --node virtual || true
    run --separate-stderr limited 20 "$assay" validate bandwidth_saturation --quick --node virtual --out r.json
    echo "$stderr"
    [ "$status" -eq 2 ]
    [[ "${stderr_lines[-1]}" == *"File too large"* ]]
    [ ! -e r.json ]
    nothing_left
}

# bats test_tags=long
@test "a run that prints without end fails with the reason, and uses little memory" {
    # a program, not a script: the virtual node holds back a script's output until it ends
    fake_likwid 'exit 0'
    cat >flood.c <<'PROGRAM'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static char text[65536];
    if (argc < 2 || strcmp(argv[1], "-v") == 0)
        return puts("likwid-perfctr -- Version 5.2.2") < 0;
    memset(text, 'x', sizeof text);
    while (write(1, text, sizeof text) > 0) {
    }
    return 0;
}
PROGRAM
    cc -o fake/bin/likwid-perfctr flood.c
    # address space for the kept part of the output, not for all of it
    run --separate-stderr timeout 300 bash -c 'ulimit -v 2000000; exec "$@"' - \
        "$assay" validate long_latency --only div_avx --quick --node virtual --timeout 120 --out r.json
    echo "$stderr"
    [ "$status" -eq 1 ]
    run jq -r '.failures[].why' r.json
    [ "${lines[0]}" = "printed more than 4 MiB" ]
    run jq -r '.failures[].status' r.json
    [ "${lines[0]}" = 125 ]
    run jq -r '.metrics[0].reason' r.json
    [[ "$output" == *"run failed: printed more than 4 MiB"* ]]
}
