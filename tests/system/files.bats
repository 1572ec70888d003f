#!/usr/bin/env bats
# Files prepared by other users, and places that cannot be written to.
# SPDX-License-Identifier: GPL-3.0-or-later
load common
load user

setup_file() { install_for_user; }
teardown_file() { remove_for_user; }

validate() {
    "${prefix:-}$assay" validate long_latency --node virtual --quick --jobs 1 "$@"
}

# A likwid-perfctr that leaves a file if something is measured.
tracing_likwid() {
    fake_likwid 'case $* in *out.csv*) (touch '"$PWD"'/measured; true) ;; esac; exit 3'
}

@test "a record that cannot be written is refused in one line, before measuring" {
    tracing_likwid
    mkdir folder
    echo '{}' >elsewhere.json
    ln -s elsewhere.json link.json
    ln -s nowhere dangling.json
    mkfifo pipe.json
    for out in folder folder/ "" missing/r.json elsewhere.json/r.json /dev/null /dev/full link.json dangling.json pipe.json; do
        fails_with 2 "--out" timeout 60 "$assay" validate long_latency --node virtual --quick --out "$out"
    done
    [ ! -e measured ]
    [ "$(cat elsewhere.json)" = "{}" ]
    [ ! -e nowhere ]
}

@test "a record in another user's folder, or in the place of another user's file, is refused" {
    is_root || skip "needs two users"
    cd "$USER_HOME"
    mkdir -p foreign sticky
    chmod 755 foreign
    chmod 1777 sticky
    echo '{}' >sticky/r.json
    fails_with 2 "Permission denied" as_user assay validate long_latency --node virtual --quick --out foreign/r.json
    fails_with 2 "another user" as_user assay validate long_latency --node virtual --quick --out sticky/r.json
    [ "$(cat sticky/r.json)" = "{}" ]
    [ -z "$(ls -A foreign)" ]
}

@test "temporary files are not written through a link" {
    fake_likwid 'exit 3'
    echo precious >victim
    ln -s "$PWD/victim" r.json.tmp
    ln -s "$PWD/victim" r.json.part.tmp
    run -1 validate --out r.json
    [ "$(cat victim)" = precious ]
    [ -f r.json ]
    [ ! -L r.json ]
    [ ! -e r.json.tmp ]
}

@test "the lock and the state of a campaign must belong to the user" {
    tracing_likwid
    for name in r.json.lock r.json.part; do
        echo '{"what": {}, "results": {}}' >other
        ln -s other "$name"
        fails_with 2 "$name" timeout 60 "$assay" validate long_latency --node virtual --quick --out r.json
        rm "$name"
        mkfifo "$name"
        fails_with 2 "$name" timeout 60 "$assay" validate long_latency --node virtual --quick --out r.json
        rm "$name"
        if is_root; then
            mv other "$name"
            chown 65534 "$name"
            fails_with 2 "$name" timeout 60 "$assay" validate long_latency --node virtual --quick --out r.json
            rm "$name"
        fi
    done
    [ ! -e measured ]
}

@test "a link in the place of LIKWID's marker file is not followed: the file is in the node's folder" {
    cat >marked.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <likwid-marker.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
/* does what another user could do who guesses the file's name; by system calls, as from another process */
int main(int argc, char **argv) {
    const char *name = getenv("LIKWID_FILEPATH");
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_START("region");
    LIKWID_MARKER_STOP("region");
    if (argc < 2 || !name || syscall(SYS_symlink, argv[1], name) != 0)
        return 3;
    LIKWID_MARKER_CLOSE;
    return syscall(SYS_unlinkat, AT_FDCWD, name, 0) == 0 ? 0 : 4;
}
C
    gcc -O1 -DLIKWID_PERFMON -o marked marked.c -llikwid -lpthread
    echo precious >victim
    run "$assay" vnode -- likwid-perfctr -C 0 -g L2 -m ./marked "$PWD/victim"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(cat victim)" = precious ]
    [[ "$output" == *"Region region"* ]]
    [[ "$output" == *"INSTR_RETIRED_ANY"* ]]
}

@test "only its user can access the node's folder and its contents, whatever the umask" {
    mkdir tmp
    umask 000
    TMPDIR=$PWD/tmp run --separate-stderr "$assay" vnode -- bash -c 'stat -c %a "$ASSAY_NODE_DIR"; likwid-perfctr -C 0 -g L2 -m likwid-bench -t load -w S0:20kB:1 -i 10 >/dev/null; find "$ASSAY_NODE_DIR" -name "registers.*" -perm /077'
    [ "$status" -eq 0 ]
    [ "$output" = 700 ]
    umask 022
    [ -z "$(ls -A tmp)" ]
}

@test "nothing appears in /tmp next to the node's folder" {
    is_root || skip "needs a /tmp of its own"
    [[ $build/ != /tmp/* && $root/ != /tmp/* ]] || skip "the program itself is in /tmp"
    unshare -m true || skip "no name space for a /tmp of its own"
    cat >look <<'SCRIPT'
mkdir -p own
mount -n -t tmpfs tmpfs own && mount -n --move own /tmp || exit 99 # -n: writes no table of mounts, because the system may be read-only
export TMPDIR=/tmp
"$@" -- bash -c 'likwid-perfctr -C 0 -g L2 -m likwid-bench -t load -w S0:20kB:1 -i 10 >/dev/null; ls -A /tmp'
SCRIPT
    copy=$(mktemp -d /var/tmp/assay-look-XXXXXX)
    cp look "$copy"
    run --separate-stderr bash -c 'cd "$1" && unshare -m bash ./look "$2" vnode' - "$copy" "$assay"
    rm -rf "$copy"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" =~ ^assay-node-[A-Za-z0-9]{6}$ ]]
}
