#!/usr/bin/env bats
# The vendor check: LIKWID's codes against the vendor's tables (groups/ARCH/pmu.vendor), and the tables against libpfm4.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# events_of ARCH: the events in Assay's group files, without those whose threshold the group sets itself.
events_of() {
    awk '/^EVENTSET/ { in_set = 1; next } NF != 2 { in_set = 0 } in_set && $1 !~ /THRESHOLD/ { print $2 }' "$build/groups/$1"/ASSAY_*.txt | sort -u
}

# bats test_tags=architectures
@test "no event of Assay's groups has a code that differs from the vendor's" {
    for arch in $(nodes_here skylakeX haswellEP broadwellEP CLX zen2 zen3 haswell broadwell skylake); do
        "$assay" list events "$arch" >list
        grep "^CPU_CLOCK\|^RETIRED_INSTRUCTIONS" list | grep " same$"
        awk '/ differs: /{ print $1 }' list | sort >differ
        grep "^absent: .*: LIKWID's list has no such event$" list
        [ -z "$(comm -12 differ <(events_of "$arch"))" ]
    done
}

@test "bits of a register that LIKWID drops are found" {
    copy_data
    sed -i '/OFFCORE_RESPONSE_1/s/BITS=[^ ]*/BITS=0x7fff/' data/groups/skylakeX/pmu.vendor
    sed -i '/CAS_COUNT_RD /s/0x03/0x0f/; /L1D_REPLACEMENT/s/0x51/0x15/' data/groups/skylakeX/pmu.vendor
    "$assay" list events --node virtual:skylakeX-1x1 >list
    grep "^OFFCORE_RESPONSE_1.* differs: never sets bits 0x7000 of its register$" list
    grep "^CAS_COUNT_RD .* differs: does not count what bits 0x0c of the unit mask select" list
    grep "^L1D_REPLACEMENT .* differs: counts another event$" list
    grep "^OFFCORE_RESPONSE_0.* same$" list
    rm data/groups/skylakeX/pmu.vendor
    "$assay" list events --node virtual:skylakeX-1x1 | grep "no vendor's table"
}

@test "the result of the check is shown with verdicts, in the record and in the catalogue" {
    campaign avx avx_flops --quick --node virtual:haswellEP-1x2 --only fma_registers
    grep "^avx_flops: AVX operations, .*, vendor check: AVX_INSTS_CALC LIKWID only$" avx.txt
    jq -e '.metrics[] | select(.metric == "AVX loads") | .vendor == [{"event": "AVX_INSTS_LOADS", "unit": "PMC",
        "likwid": "0xc6:0x01", "state": "LIKWID only"}]' avx.json
    jq -e 'all(.metrics[] | select(.verdict != "skipped"); .vendor | type == "array")' avx.json
    python3 -m jsonschema -i avx.json "$root/docs/record.schema.json"
    "$assay" groups --record avx.json --install installed
    grep "  vendor check: AVX_INSTS_CALC LIKWID only" installed/haswellEP/ASSAY_AVX.txt
    "$assay" groups --record avx.json --format json >catalogue.json
    jq -e '[.. | objects | .vendor // empty | .[].event] | index("AVX_INSTS_LOADS")' catalogue.json
    python3 -m jsonschema -i catalogue.json "$root/docs/catalogue.schema.json"
}

@test "libpfm4 agrees with the vendor's codes in the tables" {
    declare -A units=([haswellEP]="hsw_ep hswep_unc_cbo0 hswep_unc_ha0 hswep_unc_imc0 hswep_unc_qpi0"
        [broadwellEP]="bdw_ep bdx_unc_cbo0 bdx_unc_ha0 bdx_unc_imc0 bdx_unc_qpi0"
        [CLX]="clx skx_unc_cha0 skx_unc_imc0 skx_unc_m2m0 skx_unc_upi0"
        [haswell]=hsw [broadwell]=bdw [skylake]=skl
        [skylakeX]="skx skx_unc_cha0 skx_unc_imc0 skx_unc_m2m0 skx_unc_upi0" [zen3]="amd64_fam19h_zen3 amd64_fam19h_zen3_l3"
        [zen2]="amd64_fam17h_zen2")
    cd "$root"
    for arch in "${!units[@]}"; do
        # shellcheck disable=SC2086 # words
        run -0 bash -c 'tests/vendor/libpfm4.py "${@:2}" | lua5.4 tests/vendor/compare.lua "$1"' - "$arch" ${units[$arch]}
        [[ "$output" =~ ^[0-9]+" events that both know"$ ]]
        [ "${output%% *}" -gt $(($(grep -c "^event" "$build/groups/$arch/pmu.vendor") * 2 / 3)) ]
    done
}

@test "the generator finds events by name, by code and as sums, writes lists of them, and what differs from the family" {
    mkdir -p groups/{new,other,child}
    cp -r "$root"/{lua,tests,inherit} .
    printf 'event PMC A_B A_SUM NOWHERE NOT_LISTED\nevent PMC 2 6 OTHER_NAME = 0\nevent MBOX R_{R:8-9} = 0\nevent MBOX X_B{B:0-3}\n' \
        >groups/new/pmu.events
    echo "event PMC C_D = 0" >groups/other/pmu.events
    {
        echo "This architecture has 10 events."
        printf '%s\n' 'A_B, 0x1, 0x3, PMC' 'OTHER_NAME, 0x2, 0x6, PMC' 'A_SUM, 0x2, 0x7, PMC' 'NOWHERE, 0x3, 0x1, PMC' \
            'R_'{8,9}', 0x4, 0x'{1,2}', MBOX' 'X_B'{0,1,2,3}', 0x5, 0x'{0,1,2,3}', MBOX' 'UNUSED, 0x9, 0x2, PMC, THRESHOLD=0x1' \
            'RIGHT, 0x8, 0x1, PMC' 'C_D, 0x10, 0x0, PMC'
    } >list
    one() { printf '{"EventName": "%s", "EventCode": "%s", "UMask": "%s"%s}%s\n' "$@"; }
    {
        echo '['
        one A.B 0x01 0x01 ', "CounterMask": "2", "Counter": "2"' , && one A.OTHER 0x02 0x06 "" , && one A.REST 0x02 0x01 "" ,
        one R.8 4 1 ', "Unit": "iMC"' , && one R.9 4 2 ', "Unit": "iMC"' ,
        for n in 0 1 2 3; do one X.B$n 5 $n ', "Unit": "iMC"' ,; done
        one C.D 0x10 0 "" , && one NOT.LISTED 7 1 "" , && one UNUSED 0x09 0x02 "" , && one RIGHT 8 1 "" ']'
    } >list.json
    echo "new A.B 0x301" >second
    [ "$(lua5.4 tests/vendor/generate.lua new "List 1" list second list.json)" = groups/new/pmu.vendor ]
    diff groups/new/pmu.vendor - <<'TABLE'
# Written by tests/vendor/generate.lua; do not edit. Syntax: inherit/vendor_codes.lua.
# Source: List 1.
# Second opinion: libpfm4.
event MBOX 0x04 R_*: 0x01 8, 0x02 9
event MBOX 0x05 X_*: 0x00-0x03 B0-3
event PMC 0x01 0x01 A_B THRESHOLD=0x2 COUNTERS=2 OLD=0x03 = A.B
event PMC 0x02 * = A.*: 0x06 OTHER_NAME=OTHER, 0x07 A_SUM=OTHER+REST
event PMC 0x09 0x02 UNUSED = UNUSED
event PMC 0x10 0x00 C_D = C.D
TABLE
    echo "family new" >groups/child/family
    sed -i 's/"EventName": "C.D", "EventCode": "0x10"/"EventName": "C.D", "EventCode": "0x11"/; /"X.B/d' list.json
    touch groups/child/pmu.vendor
    [ "$(lua5.4 tests/vendor/generate.lua child "List 2" list /dev/null list.json)" = groups/child/pmu.vendor.changes ]
    diff <(sed '$d' groups/child/pmu.vendor.changes) - <<'TABLE'
# Written by tests/vendor/generate.lua; do not edit. Syntax: inherit/vendor_codes.lua.
# Source: List 2.
# Second opinion: none, as libpfm4 lacks the processor.
without MBOX X_*
event PMC 0x01 0x01 A_B THRESHOLD=0x2 COUNTERS=2 = A.B
event PMC 0x11 0x00 C_D = C.D
TABLE
    grep -E "^checked 7 0x[0-9a-f]{8}$" groups/child/pmu.vendor.changes
    [ ! -e groups/child/pmu.vendor ]
    [ -z "$(lua5.4 tests/vendor/generate.lua child "List 2" list /dev/null list.json)" ]
    # another list of the family: the child keeps its events
    sed 's/"A.REST"/"A.MORE"/' list.json >other.json
    cp groups/child/pmu.vendor.changes before
    [ "$(lua5.4 tests/vendor/generate.lua new "List 1" list second other.json)" = "groups/new/pmu.vendor
groups/child/pmu.vendor.changes" ]
    diff before groups/child/pmu.vendor.changes >differ || true
    [ "$(sed -n '/^[<>]/p' differ)" = "< without MBOX X_*
< event PMC 0x11 0x00 C_D = C.D
> event PMC 0x02 0x07 A_SUM = A.OTHER+REST" ]
}

@test "list events refuses wrong arguments" {
    fails_with 2 "no such architecture" "$assay" list events nowhere
    fails_with 2 "skylakeX: unexpected; only assay list events" "$assay" list laws skylakeX
}
