# Many runs in a row: none crashes, hangs or loses a count.
# SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "500 runs of likwid-perfctr on the virtual node" {
    for run in $(seq 500); do
        timeout 60 "$assay" vnode -- likwid-perfctr -C 0 -g DATA -m likwid-bench -t load -w S0:20kB:1 -i 10 >out 2>err ||
            { echo "run $run: exit status $?"; tail -5 out err; return 1; }
        grep -q 'MEM_UOPS_RETIRED_LOADS' out
    done
}
