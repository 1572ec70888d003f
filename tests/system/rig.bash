# rig.bash - a machine with counters for tests of the native path: Assay itself runs on a virtual node and takes the node's processor and
# daemon for the machine's own. It runs natively there, as LIKWID's tools do: under the engine its plans would take minutes.
# SPDX-License-Identifier: GPL-3.0-or-later

# machine [--fault FILE] COMMAND...: on a machine whose counters nobody may touch, as it has no /dev/cpu.
machine() {
    local fault=()
    [ "$1" != --fault ] || { fault=("$1" "$2"); shift 2; }
    make_rig
    "$assay" vnode --node "${MACHINE:-haswellEP-1x1}" "${fault[@]}" -- rig/likwid-rig "${@/#"$assay"/"$assay-rig"}"
}

# rig/likwid-rig is a tool of LIKWID for the node, because of its name and neighbour (vnode/program.c). It waits for the command as a child:
# a tool that does not wait holds the node's programs (vnode/shim/native_time.h).
make_rig() {
    mkdir -p rig
    touch rig/likwid-perfctr
    printf '%s\n' '#!/bin/bash' "sh '$root/tests/system/rig_inside.sh' \"\$@\"" 'exit $?' >rig/likwid-rig
    chmod +x rig/likwid-rig
}

# with_registers COMMAND...: with a /dev/cpu/0/msr, in a /dev of its own, and with a lock of its own on the machine (a socket of its
# network). Needs root's rights. REGISTERS: direct_machine.
with_registers() {
    [ "$(id -u)" -eq 0 ] || skip "needs root's rights"
    unshare --mount --net bash -c '
        set -e
        dev=$(mktemp -d)
        mount -t tmpfs dev "$dev"
        mkdir -p "$dev"/{shm,pts,cpu/0}
        touch "$dev/cpu/0/msr"
        for file in null zero full random urandom tty ${REGISTERS:+fuse}; do touch "$dev/$file"; mount --bind "/dev/$file" "$dev/$file"; done
        for folder in shm pts; do mount --rbind "/dev/$folder" "$dev/$folder"; done
        ln -s pts/ptmx "$dev/ptmx"
        ln -s /proc/self/fd "$dev/fd"
        mount --rbind "$dev" /dev
        if [ -n "${REGISTERS:-}" ]; then
            rm -f node served
            mkfifo node served
            trap "umount -l /proc/bus/pci /dev/cpu 2>/dev/null" EXIT # which ends the program
            {
                read -r node <node
                "$REGISTERS" "$node" /dev/cpu $REFUSED && mount --bind /dev/cpu/pci /proc/bus/pci
                echo >served # whatever came of it: the node waits
            } &
        fi
        "$@"
    ' bash "$@"
}

# open_machine [--fault FILE] COMMAND...: on a machine with registers (with_registers). CPUS="1 3": it may use these CPUs only. ACCESS:
# an option that the machine's likwid-perfctr adds.
open_machine() {
    local fault=()
    [ "$1" != --fault ] || { fault=("$1" "$2"); shift 2; }
    make_rig
    with_registers "$assay" vnode --node "${MACHINE:-haswellEP-1x1}" "${fault[@]}" -- rig/likwid-rig "${@/#"$assay"/"$assay-rig"}"
}

# direct_machine COMMAND...: the same with the node's registers in /dev/cpu and /proc/bus/pci (registers.c), for likwid-perfctr -M 0.
# REFUSED=REGISTER: writes to it are refused.
direct_machine() {
    [ -c /dev/fuse ] || skip "no /dev/fuse: registers cannot be shown as files"
    local objects
    objects=$(printf '%s\n' "$build"/vnode/pmu/*.o | grep -v /daemon.o)
    # shellcheck disable=SC2086,SC2046 # words
    cc -I"$root" -D_GNU_SOURCE "$root/tests/system/registers.c" $objects -o registers $(pkg-config --cflags --libs fuse3) -lm || return
    REGISTERS=$PWD/registers REFUSED=${REFUSED:-} open_machine "$@"
}
