# varied_environment.bash - the same measurement in different environments.
# SPDX-License-Identifier: GPL-3.0-or-later

# counts_in NAME=VALUE...: the counts of a region in this environment, without its time.
counts_in() {
    env "$@" "$assay" vnode -- likwid-perfctr -C 0 -g L2 -m -o counts.csv likwid-bench -t triad_avx -w S0:20kB:1 -i 10 >said 2>&1 ||
        { cat said; return 1; }
    grep -E '^[A-Z_0-9]+,(PMC|FIXC)' counts.csv
}

# samples_in NAME=VALUE...: the samples of a code whose mispredictions depend on all branches before it.
samples_in() {
    env "$@" "$assay" validate control_flow --node virtual --quick --out samples.json >said 2>&1 || { cat said; return 1; }
    jq -c '.samples[]' samples.json
}

# varied_environment NUMBER: an environment, NAME=VALUE lines, unlike those of other numbers in the lengths of variables and
# in how many there are.
varied_environment() {
    local folder
    folder=$PWD/$(printf "%0$((1 + $1 * 7 % 150))d" 0)
    mkdir -p "$folder"
    printf '%s\n' "TMPDIR=$folder" "FILLING=$(printf "%$((1 + $1 * 97 % 6000))s" "" | tr ' ' x)"
    seq "$(($1 % 20))" | sed 's/.*/ZZ_VARIABLE_&=x/'
}
