#!/usr/bin/env bats
# assay lint: files, folders and architectures; formats; exit status; a tree of LIKWID's sources; LIKWID's installed groups.
load common

# A group of an architecture "tiny" with a sum that misses a box, and the sources of a LIKWID that has it.
write_tree() {
    mkdir -p tree/groups/tiny tree/src/includes
    printf '%s\n' 'SHORT Memory' '' EVENTSET 'MBOX0C0 CAS_RD' 'MBOX1C0 CAS_RD' 'MBOX2C0 CAS_RD' '' METRICS \
        'Memory read bandwidth [MBytes/s] 1.0E-06*(MBOX0C0+MBOX1C0)*64.0/time' '' LONG >tree/groups/tiny/MEM.txt
    printf '%s\n' 'static const char* short_tiny = "tiny";' 'case P6_FAMILY:' 'case TINY:' 'cpuid_info.short_name = short_tiny;' >tree/src/topology.c
    printf '%s\n' '#define P6_FAMILY 0x6U' '#define TINY 0x8FU' >tree/src/includes/topology.h
    printf '%s\n' 'case TINY:' 'eventHash = tiny_arch_events;' 'counter_map = tiny_counter_map;' >tree/src/perfmon.c
    printf '%s\n' 'static RegisterMap tiny_counter_map[3] = {' '{"MBOX0C0", X},' '{"MBOX1C0", X},' '{"MBOX2C0", X},' '};' \
        >tree/src/includes/perfmon_tiny_counters.h
    printf '%s\n' 'EVENT_CAS 0x04 MBOX' 'UMASK_CAS_RD 0x03' >tree/src/includes/perfmon_tiny_events.txt
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    write_tree
}

@test "a finding is a line with file, line, severity, consequence and rule; the status is 1" {
    run -1 --separate-stderr "$assay" lint --likwid-source tree
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "tree/groups/tiny/MEM.txt:9: error: metric 'Memory read bandwidth [MBytes/s]' sums 2 of the 3 boxes"*"x0.667"*"[missing-box]" ]]
    run -1 --separate-stderr "$assay" lint tree/groups/tiny/MEM.txt
    [[ $output == *"[missing-box]" && $stderr == *"not compared with LIKWID's event tables"*": tiny" ]]
    mkfifo tree/groups/tiny/PIPE.txt # is not waited for
    run -1 --separate-stderr "$assay" lint tree/groups/ --likwid-source tree
    [ "${#lines[@]}" -eq 1 ]
}

@test "the event table of the sources is linted, and limits what groups may use" {
    sed -i 's/0x04/0xa4/' tree/src/includes/perfmon_tiny_events.txt
    sed -i 's/^MBOX2C0 CAS_RD/MBOX3C0 CAS_WR/; s/MBOX1C0)/MBOX1C0+MBOX3C0)/' tree/groups/tiny/MEM.txt
    run -1 --separate-stderr "$assay" lint --likwid-source tree
    [[ $output == *"perfmon_tiny_events.txt:1: error: "*"[generator]"* && $output == *"MEM.txt:6: error: MBOX3C0: "*"[unknown-counter]"* ]]
    [[ $output == *"perfmon_tiny_events.txt:"*"[orphans]"* ]]
}

@test "formats hold the same findings, and no findings are status 0" {
    "$assay" lint --likwid-source tree --format json >out || [ $? -eq 1 ]
    jq -e '.findings | length == 1 and .[0].rule == "missing-box" and .[0].line == 9' out
    "$assay" lint --likwid-source tree --format sarif >out || [ $? -eq 1 ]
    jq -e '.runs[0].results | length == 1 and .[0].ruleId == "missing-box" and .[0].locations[0].physicalLocation.region.startLine == 9' out
    cp -r tree "t 1"
    "$assay" lint --likwid-source "t 1/" --format sarif >out || [ $? -eq 1 ]
    [ "$(jq -r '.runs[].results[].locations[].physicalLocation.artifactLocation.uri' out)" = t%201/groups/tiny/MEM.txt ]
    run -1 --separate-stderr "$assay" lint --likwid-source tree --format github
    [[ $output == "::error file=tree/groups/tiny/MEM.txt,line=9,title=missing-box::"* ]]
    run -1 --separate-stderr "$assay" lint --likwid-source tree --format junit
    [[ $output == *'failures="1"'* ]]
    sed -i 's/MBOX1C0)/MBOX1C0+MBOX2C0)/' tree/groups/tiny/MEM.txt
    run -0 --separate-stderr "$assay" lint --likwid-source tree
    [ -z "$output" ]
}

# Lines of PAPI's presets for FreeBSD, and of the example in the manual of cc-metric-collector's likwid collector.
@test "files of other tools are told by their content, and compared with the lists beside them" {
    printf '%s\n' CPU,UNKNOWN PRESET,PAPI_BR_INS,NOT_DERIVED,BRANCHES PRESET,PAPI_BR_INS,NOT_DERIVED,INTERRUPTS \
        PRESET,PAPI_STL_ICY,FR_DECODER_EMPTY PRESET,PAPI_BR_ISN,NOT_DERIVED,BRANCHES >presets.csv
    printf '#define PAPI_%s (PAPI_%s_idx | PAPI_PRESET_MASK)\n' BR_INS BR_INS STL_ICY STL_ICY >papiStdEventDefs.h
    run -1 --separate-stderr "$assay" lint presets.csv
    [ "${#lines[@]}" -eq 3 ]
    [ -z "$stderr" ]
    [[ ${lines[0]} == "presets.csv:3: error: PAPI_BR_INS is defined otherwise in line 2"* ]]
    [[ ${lines[1]} == "presets.csv:4: error: PAPI_STL_ICY: 'FR_DECODER_EMPTY' is no derivation"* ]]
    [[ ${lines[2]} == "presets.csv:5: error: PAPI_BR_ISN: "*"[unknown-preset]" ]]

    mkdir -p perfmon/T/events perfmon/T/metrics/perf
    echo '[{"EventName": "UNC_CAS.RD"}, {"EventName": "UNC_CAS.WR"}]' >perfmon/T/events/t.json
    echo '[{"MetricName": "reads", "MetricExpr": "UNC_CAS.RT * 64 / 1e6 / duration_time", "ScaleUnit": "1MB/s"}]' >perfmon/T/metrics/perf/m.json
    echo '{"Metrics": [{"MetricName": "r", "Events": [{"Name": "UNC_CAS.RT", "Alias": "a"}], "Formula": "a"}]}' >perfmon/T/metrics/m.json
    for file in perfmon/T/metrics/m.json perfmon/T/metrics/perf/m.json perfmon/T/metrics; do
        run -1 --separate-stderr "$assay" lint $file
        [[ ${#lines[@]} -eq 1 && $output == "perfmon/T/metrics/"*"m.json:1: error: UNC_CAS.RT: "*"[unknown-event]" && -z $stderr ]]
    done

    printf '%s\n' '{"likwid": {"eventsets": [{"events": {"PWR0": "RAPL_CORE_ENERGY"},' \
        ' "metrics": [{"name": "pwr_core", "calc": "PWR0/time", "unit": "Watt", "type": "socket", "publish": true}]}]}}' >collectors.json
    run -1 --separate-stderr "$assay" lint collectors.json
    [[ $output == "collectors.json:2: error: metric 'pwr_core [Watt]' is of type socket, PWR0 counts for a hwthread"*"[metric-type]" ]]
    run -0 --separate-stderr "$assay" lint collectors.json --fix
    [ -z "$output" ]
}

@test "--fix prints a patch that mends the group, from the top of LIKWID's tree" {
    "$assay" lint --likwid-source tree --fix >fix.patch 2>notes || [ $? -eq 1 ]
    grep -q '1 lines mended, of 1 findings' notes
    git -C tree init -q
    for name in tree/ "$PWD/tree" ./tree//; do
        "$assay" lint --likwid-source "$name" --fix >same.patch || [ $? -eq 1 ]
        cmp fix.patch same.patch
    done
    (cd tree && "$assay" lint --likwid-source . --fix | cmp ../fix.patch -)
    cp -r tree/groups "my groups"
    "$assay" lint "my groups" --fix >blank.patch 2>/dev/null || [ $? -eq 1 ]
    patch -s -p1 --dry-run <blank.patch
    [ -s blank.patch ]
    git -C tree apply --check ../fix.patch
    patch -s -p1 -d tree <fix.patch
    run -0 --separate-stderr "$assay" lint --likwid-source tree
    run -0 --separate-stderr "$assay" lint --likwid-source tree --fix
    [ -z "$output" ]
}

@test "--perfmon compares all events with the vendor's lists, by processor" {
    mkdir -p perfmon/T/events
    printf '%s\n' 'Family-model,Version,Filename,EventType,,,' 'GenuineIntel-6-8F,V1,/T/events/t.json,uncore,,,' \
        'GenuineIntel-6-8E,V1,/T/events/other.json,uncore,,,' 'GenuineIntel-6-8F,V1,/T/metrics/m.json,metrics,,,' >perfmon/mapfile.csv
    list() {
        printf '{"Events": [{"Unit": "iMC", "EventCode": "0x04", "UMask": "%s", "EventName": "UNC_M_CAS.RD"}]}\n' "$1" >perfmon/T/events/t.json
    }
    sed -i 's/MBOX1C0)/MBOX1C0+MBOX2C0)/' tree/groups/tiny/MEM.txt
    list 0x03
    run -0 --separate-stderr "$assay" lint --likwid-source tree --perfmon perfmon
    list 0x0f
    run -1 --separate-stderr "$assay" lint --likwid-source tree --perfmon perfmon
    [[ $output == *"MEM.txt:4: warning: CAS_RD is 0x04:0x03, the vendor's UNC_M_CAS.RD is 0x04:0x0f; it does not count what bits 0x0c"*"[vendor]"* ]]
    [[ $output == *"perfmon_tiny_events.txt:2: "*"[vendor-table]"* && ${#lines[@]} -eq 2 ]]
    fails_with 2 "--perfmon: needs --likwid-source" "$assay" lint --perfmon perfmon
    fails_with 2 "perfmon/T/mapfile.csv" "$assay" lint --likwid-source tree --perfmon perfmon/T
    echo '{' >perfmon/T/events/t.json
    fails_with 2 "perfmon/T/events/t.json:" "$assay" lint --likwid-source tree --perfmon perfmon
}

@test "--rules lists each rule with its class" {
    run -0 "$assay" lint --rules
    [[ $output == *"missing-box        S7  error "* ]]
}

@test "bad input is refused in one line" {
    fails_with 2 "--format xml: unknown" "$assay" lint --format xml tree
    fails_with 2 "nowhere: no file, no folder, and no architecture" "$assay" lint nowhere
    fails_with 2 ": no file, no folder, and no architecture" "$assay" lint ""
    cp -r tree/groups/tiny $'t\xff'
    fails_with 2 "MEM.txt: the name is not UTF-8; rename it" "$assay" lint $'t\xff'
    fails_with 2 "no tree of LIKWID's sources" "$assay" lint --likwid-source tree/groups
    fails_with 2 "leave out --format" "$assay" lint --fix --format text tree
    mkdir empty
    fails_with 2 "empty: no *.txt in it" "$assay" lint empty
}

@test "the groups of an architecture of ours have no finding" {
    run -0 --separate-stderr "$assay" lint haswellEP
    [ -z "$output" ]
}

@test "LIKWID's lists of events are kept until a file of an architecture changes" {
    mkdir build
    cp "$assay" build/
    cp -r "$(dirname "$assay")/groups" build/
    ln -s "$(dirname "$assay")/vnode" build/
    ln -s "$root/lua" .
    run -0 build/assay lint haswell
    sed -i 's/L1D_REPLACEMENT/GONE/g' build/cache/listed.json
    run -1 build/assay lint haswell
    [[ "$output" == *"L1D_REPLACEMENT on PMC0: LIKWID's table of haswell has no such event"* ]]
    touch build/groups/haswell/machine.lua
    run -0 build/assay lint haswell
}

@test "in LIKWID's installed groups known faults are found" {
    stock=$(groups_of_likwid)
    [ -d "$stock/haswellEP" ] || skip "LIKWID's groups are elsewhere"
    cp -r "$stock/haswellEP" "$stock/sandybridgeEP" "$stock/goldmont" .
    "$assay" lint haswellEP sandybridgeEP goldmont >found 2>notes || [ $? -eq 1 ]
    grep -q "haswellEP/CACHES.txt:.*sums 14 of the 18 boxes.*missing-box" found
    grep -q "sandybridgeEP/L3CACHE.txt:.*undefined-counter" found
    grep -q "goldmont/ENERGY.txt:.*'Energy DRAM \[J\]' has the formula of 'Energy PP0 \[J\]'.*same-formula" found
    grep -q "not compared.*sandybridgeEP" notes
}

# bats test_tags=long
@test "22 mended metrics count on virtual nodes what closed forms say, and did not before" {
    lua5.4 "$root/tests/system/lint_fixes.lua" "$assay" "$root/tests/system/lint_fixes.tsv" "$(groups_of_likwid)" >found || { cat found >&2; return 1; }
    grep -q "^22 mended, 0 not" found
}

# bats test_tags=long
@test "--fix changes no group of LIKWID's but those that are wrong, and none of ours" {
    stock=$(groups_of_likwid)
    [ -d "$stock/haswellEP" ] || skip "LIKWID's groups are elsewhere"
    cp -r "$stock" groups
    "$assay" lint groups --fix >fix.patch 2>notes || [ $? -eq 1 ]
    sed -n 's,^+++ b/groups/,,p' fix.patch >changed
    diff changed - <<END
haswellEP/CACHES.txt
knl/HBM_OFFCORE.txt
knl/L2.txt
sandybridge/L3CACHE.txt
sandybridgeEP/L3CACHE.txt
END
    run -0 --separate-stderr "$assay" lint --fix
    [ -z "$output" ]
}
