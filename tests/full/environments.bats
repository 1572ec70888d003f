# Counts do not depend on the environment.
# SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common
load ../system/varied_environment

@test "64 environments give one set of samples" {
    samples_in FILLING= >expected
    [ "$(wc -l <expected)" -ge 20 ]
    for number in $(seq 64); do
        mapfile -t variables < <(varied_environment "$number")
        samples_in "${variables[@]}" >found
        diff expected found || { echo "environment $number"; return 1; }
    done
}

@test "runs are in the plan's order whatever --jobs is" {
    for jobs in 1 4; do
        "$assay" validate control_flow long_latency synchronisation --node virtual --quick --jobs $jobs --out $jobs.json
        jq '[.runs[].run], .samples' $jobs.json >$jobs.order
    done
    cmp 1.order 4.order
}
