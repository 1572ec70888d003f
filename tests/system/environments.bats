#!/usr/bin/env bats
# Unusual environments: in each, commands work or are refused in one line; they do not hang or fail silently.
# SPDX-License-Identifier: GPL-3.0-or-later
load common
load user

setup_file() { install_for_user; }
teardown_file() { remove_for_user; }

PATIENCE=120

# Validation, run by the given words: `env X=1`, or a function. Its verdicts say that the virtual node counts what it should.
works_with() {
    run --separate-stderr "$@" timeout $PATIENCE "$assay" validate long_latency --only div_avx,mul_avx --node virtual --quick
    echo "$* validate: $status $output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 metrics: 1 validated, 1 untested"* ]]
}

# The virtual node counts what it should under LIKWID, too: 20 kB in lines of 64 bytes, loaded from L2 or not, have 10 x 2500 elements.
counts_with() {
    run --separate-stderr "$@" timeout $PATIENCE "$assay" vnode -- likwid-perfctr -C 0 -g DATA -m likwid-bench -t load -w S0:20kB:1 -i 10
    echo "$* vnode: $status $stderr"
    [ "$status" -eq 0 ]
    loads=$(awk -F'|' '$2 ~ /MEM_UOPS_RETIRED_LOADS/ { gsub(/ /, "", $4); print $4; exit }' <<<"$output")
    [ "$loads" -ge 24960 ]
    [ "$loads" -lt 30000 ]
}

refused_with() { # text words...
    local text=$1
    shift
    fails_with 2 "$text" "$@" timeout $PATIENCE "$assay" validate long_latency --only div_avx,mul_avx --node virtual --quick
    fails_with 2 "$text" "$@" timeout $PATIENCE "$assay" vnode -- true
}

# bats test_tags=long
@test "TMPDIR empty, relative, with odd characters, and very long" {
    works_with env TMPDIR=
    mkdir here
    counts_with env TMPDIR=.
    works_with env TMPDIR=here
    [ -z "$(ls -A here)" ]
    name="a b"$'/q\'u"o/per%s%n/new\nline/dollar$(x)`y`;z'
    mkdir -p "$name"
    counts_with env TMPDIR="$PWD/$name"
    [ -z "$(ls -A "$name")" ]
    long=$PWD
    while [ ${#long} -lt 1500 ]; do long=$long/$(printf 'x%.0s' {1..100}); done
    mkdir -p "$long"
    counts_with env TMPDIR="$long"
    refused_with TMPDIR= env TMPDIR="$long$long"
}

@test "TMPDIR that is missing, no folder, or owned by another user" {
    refused_with "set TMPDIR" env TMPDIR=/nonexistent
    refused_with "set TMPDIR" env TMPDIR=missing
    refused_with "set TMPDIR" env TMPDIR=/dev/null
    is_root || return 0
    mkdir "$USER_PREFIX/foreign"
    USER_TMPDIR=$USER_PREFIX/foreign fails_with 2 "set TMPDIR" as_user assay vnode -- true
}

# bats test_tags=long
@test "a scratch folder of 200 kB, and one that is just large enough for the node" {
    unshare -rm true || skip "no name space to mount a small disk in"
    mkdir small
    cat >on_small_disk <<'SCRIPT'
mount -t tmpfs -o size="$1" tmpfs small || exit 99
shift
TMPDIR=$PWD/small "$@"
SCRIPT
    refused_with "No space left" unshare -rm sh on_small_disk 200k
    works_with unshare -rm sh on_small_disk 64m
    counts_with unshare -rm sh on_small_disk 8m
}

limited() { # ulimit's options, then a command
    local option=$1 value=$2
    shift 2
    (ulimit "$option" "$value" && exec "$@")
}

@test "ulimit -s 64, and -f" {
    refused_with "ulimit -s" limited -s 64
    works_with limited -Ss 64 # may be raised
    refused_with "File too large" limited -f 200
}

# bats test_tags=long
@test "ulimit -n 10" {
    refused_with "ulimit -n 64" limited -n 10
    works_with limited -Sn 10 # may be raised
}

# bats test_tags=long
@test "ulimit -u 5: a user who can hardly start a process" {
    for most in 3 5 9; do
        run --separate-stderr as_user bash -c "ulimit -u $most; exec timeout $PATIENCE assay vnode -- likwid-perfctr -C 0 -g L2 -m likwid-bench -t load -w S0:20kB:1 -i 10"
        echo "$most: $status $stderr"
        [ "$status" -ne 124 ] # it ends by itself
        if is_root; then
            [ "$status" -ne 0 ]
            [[ "$stderr" == *"ulimit -u 10"* ]]
            [ "${#stderr_lines[@]}" -eq 1 ]
        fi
    done
    [ -z "$(ls -A "$USER_HOME" | grep assay-)" ]
}

# bats test_tags=long
@test "variables that other programs interpret" {
    works_with env -u HOME POSIXLY_CORRECT=1 CDPATH=/tmp:/usr LC_ALL=de_DE.UTF-8 LANG=fr_FR LC_NUMERIC=de_DE.UTF-8
    counts_with env GLIBC_TUNABLES=glibc.malloc.check=3 MALLOC_PERTURB_=165 MALLOC_ARENA_MAX=1 VALGRIND_OPTS="--tool=none --no-such-option"
    works_with env HOME=/nonexistent
    works_with env HOME=
}

@test "the user's .valgrindrc is ignored" {
    mkdir home
    echo "--no-such-option=1" | tee home/.valgrindrc >.valgrindrc
    counts_with env HOME="$PWD/home"
}

# bats test_tags=long
@test "Assay's own variables, and LIKWID's, that were left in the environment" {
    counts_with env ASSAY_NODE_DIR=/nonexistent ASSAY_NODE_TOOLS=/nonexistent ASSAY_NODE_AFFINITY=0x2
    run env LIKWID_NO_ACCESS=1 LIKWID_FILEPATH=/nonexistent/file LIKWID_EVENTS=L2 LIKWID_THREADS=7 LIKWID_MODE=1 LIKWID_DEBUG=3 \
        LIKWID_PIN=1 LIKWID_SILENT=1 LIKWID_FORCE=1 timeout $PATIENCE "$assay" validate long_latency --only div_avx,mul_avx --node virtual --quick
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 metrics: 1 validated, 1 untested"* ]]
}

# bats test_tags=long
@test "LD_PRELOAD applies to a user's program, but not to a validation" {
    cat >preloaded.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void leave_a_trace(void) {
    const char *file = getenv("TRACE");
    FILE *trace = file ? fopen(file, "a") : NULL;
    if (trace) {
        fprintf(trace, "%s\n", program_invocation_short_name);
        fclose(trace);
    }
}
C
    gcc -shared -fPIC -o preloaded.so preloaded.c
    works_with env LD_PRELOAD="$PWD/preloaded.so"
    counts_with env LD_PRELOAD=/nonexistent.so
    export TRACE=$PWD/trace
    LD_PRELOAD=$PWD/preloaded.so "$assay" validate long_latency --only div_avx,mul_avx --node virtual --quick
    [ "$(sort -u trace)" = assay ]
    LD_PRELOAD=$PWD/preloaded.so "$assay" vnode -- date
    grep -qx date trace
}

# bats test_tags=long
@test "a clock that goes backwards" {
    cat >clock.c <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long back; /* every look at the wall clock is a day before the last one */
int clock_gettime(clockid_t clock, struct timespec *t) {
    int result = (int)syscall(SYS_clock_gettime, clock, t);
    if (clock == CLOCK_REALTIME)
        t->tv_sec -= 86400 * ++back;
    return result;
}
time_t time(time_t *out) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out)
        *out = t.tv_sec;
    return t.tv_sec;
}
int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    out->tv_sec = time(NULL);
    out->tv_usec = 0;
    return 0;
}
C
    gcc -shared -fPIC -o clock.so clock.c
    works_with env LD_PRELOAD="$PWD/clock.so"
    fake_likwid 'sleep 999'
    run -1 env LD_PRELOAD="$PWD/clock.so" timeout $PATIENCE "$assay" validate long_latency --only div_avx,mul_avx --node virtual --quick --timeout 1 --out r.json
    grep -q '"why": "timed out after' r.json
}

# bats test_tags=long
@test "standard files that are closed" {
    run -0 bash -c '"$0" validate long_latency --only div_avx,mul_avx --node virtual --quick --out r.json <&- 2>&-' "$assay"
    [[ "$output" == *"2 metrics: 1 validated, 1 untested"* ]]
    run -2 bash -c '"$0" validate long_latency --only div_avx,mul_avx --node virtual --quick 2>&1 >&-' "$assay"
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == *"standard output is closed"* ]]
    run -2 bash -c '"$0" list <&- >&- 2>&-' "$assay"
    run -0 bash -c '"$0" vnode -- likwid-perfctr -C 0 -g L2 -m likwid-bench -t load -w S0:20kB:1 -i 10 <&- 2>&-' "$assay"
    [[ "$output" == *"L1D_REPLACEMENT"* ]]
}

with_umask() {
    local mask=$1
    shift
    (umask "$mask" && "$@")
}

# bats test_tags=long
@test "umask 777 and 000, as a user" {
    for mask in 777 000; do
        rm -f "$USER_HOME/r.json"
        run with_umask $mask as_user bash -c 'cd && assay validate long_latency --only div_avx,mul_avx --node virtual --quick --out r.json && assay show r.json'
        echo "$mask: $output"
        [ "$status" -eq 0 ]
        [ "$(grep -c "2 metrics: 1 validated, 1 untested" <<<"$output")" -eq 2 ]
    done
    [ "$(stat -c %a "$USER_HOME/.cache/assay")" = 755 ] || [ "$(stat -c %a "$USER_HOME/.cache/assay")" = 700 ]
}
