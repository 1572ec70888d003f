#!/usr/bin/env bats
# assay report of an analysis record: its three trees in a real browser, and the file for Cube. Records are made by hand (tests/lua/analyses.lua).
load common
load browser

# make_record NAME: NAME.json
make_record() {
    (cd "$root" && lua5.4 - "$1") >"$1.json" <<'LUA'
package.path = "lua/?.lua;tests/lua/?.lua;" .. package.path
print(require("report.page.json").encode(require("analyses")[arg[1]](), 17))
LUA
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    for name in hybrid machines; do
        make_record $name
        "$assay" report $name.json --html $name.html --cube $name.cubex
    done
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    made=$BATS_FILE_TMPDIR
}

teardown_file() {
    close_browser
}

# tree ID: its visible lines, each "level value percent name", separated by |
tree() {
    value "[...document.querySelectorAll('#$1 [role=treeitem]')].map((l) => l.ariaLevel + [...l.querySelector('.line').children].slice(2).map((s) => ' ' + s.textContent).join('')).join('|')"
}

# go STATE: opens the page at another address, and waits until its script has handled that
go() {
    send Runtime.evaluate "{\"expression\":\"new Promise((done) => { addEventListener('hashchange', done, { once: true }); location.hash = '$1' }).then(() => 1)\",\"awaitPromise\":true}"
}

click() {
    value "document.querySelector('$1').click()" >/dev/null
}

@test "bad input: one line, status 2, no file" {
    fails_with 2 "usage: assay report" "$assay" report "$made/hybrid.json"
    jq '.values[2].region = 7' "$made/hybrid.json" >far.json
    fails_with 2 "far.json: values[2].region is 7, there are 2 regions" "$assay" report far.json --html x.html
    fails_with 2 "far.json: values[2].region is 7, there are 2 regions" "$assay" report far.json --cube x.cubex
    jq 'del(.metrics[1].kind)' "$made/hybrid.json" >shape.json
    fails_with 2 "shape.json: metrics[1].kind" "$assay" report shape.json --html x.html
    jq '.values = []' "$made/hybrid.json" >empty.json
    fails_with 2 "nothing in it has a value" "$assay" report empty.json --cube x.cubex
    fails_with 2 "no record of an analysis" "$assay" report "$(reference)" --cube x.cubex
    fails_with 2 "no record of curves" "$assay" report "$made/hybrid.json" --svg x
    fails_with 2 "kind is analysis" "$assay" tables "$made/hybrid.json"
    [ ! -e x.html ] && [ ! -e x.cubex ]
}

@test "the page names no other resource, and the same record gives the same bytes" {
    refute grep -nE '(src|href)="[^#]|url\(|@import|https?:' "$made/hybrid.html"
    grep -q "default-src 'none'" "$made/hybrid.html"
    (cd "$made" && "$assay" report hybrid.json --html "$BATS_TEST_TMPDIR/again.html" --cube "$BATS_TEST_TMPDIR/again.cubex")
    cmp "$made/hybrid.html" again.html
    cmp "$made/hybrid.cubex" again.cubex
}

@test "closed metrics are inclusive, in % of the root; regions and threads start open" {
    browse "$made/hybrid.html"
    [ "$(tree metric)" = "1 ~1,420 100.0 % DATA_ACCESSES|1 20,000.5 100.0 % CYCLES|1 -  SHARE|1 8 100.0 % </script><img src=x onerror=alert(1)>" ]
    [ "$(tree region)" = "1 0 0 % all regions|2 120 8.5 % init|2 ~1,300 91.5 % solve" ]
    [ "$(tree system)" = "1 0 0 % n1|2 0 0 % process 0|3 176 12.4 % thread 0, core 0|3 ~242 17.0 % thread 1, core 1|2 0 0 % process 1|3 418 29.4 % thread 0, core 2|3 584 41.1 % thread 1, core 3" ]
    [[ "$(value "document.querySelector('.banner').innerText")" == *"no evidence about silicon"* ]]
}

@test "open metrics are exclusive (without the children); visible values add up to the root" {
    browse "$made/hybrid.html"
    click '#m0 .twist'
    [ "$(value "location.hash")" = "#metric=0&region=0&system=0&open=m0.r0.s0.s1.s4" ]
    [[ "$(tree metric)" == "1 ~0 0 % DATA_ACCESSES|2 1,210 85.2 % DATA_IN_L1|2 210 14.8 % DATA_IN_MEMORY|1 "* ]]
    click '#m1 .twist'
    [[ "$(tree metric)" == *"|2 0 0 % DATA_IN_L1|3 1,100 77.5 % LOADS|3 110 7.7 % STORES|2 210 "* ]]
    click '#m5 .twist'
    [[ "$(tree metric)" == *"|1 ~16,000.5 80.0 % CYCLES|2 4,000 20.0 % STALLED|"* ]]
    click '#m0 .twist'
    [[ "$(tree metric)" == "1 ~1,420 100.0 % DATA_ACCESSES|1 ~16,000.5 "* ]]
}

# bats test_tags=long
@test "the visible nodes of a tree add up to its root, whichever are open" {
    browse "$made/hybrid.html"
    # of the metrics with children, each combination; sums of the tree of DATA_ACCESSES and of CYCLES, of regions and of threads
    sums="(() => { const n = (t) => Number(t.replace(/[~,]/g, '')); const sum = (s) => [...document.querySelectorAll(s)].reduce((a, e) => a + n(e.textContent), 0); return [sum('#m0 .value'), sum('#m5 .value'), sum('#region .value') === n(document.querySelector('#metric [aria-selected=true] .value').textContent), sum('#system .value') === sum('#region .value')].join(' ') })()"
    for metrics in m0 m0.m1 m1 m5 m0.m1.m5; do
        for others in r0.s0 s0.s1 r0 r0.s0.s1.s4 ''; do
            go "metric=5&region=0&system=0&open=$metrics${others:+.$others}"
            result=$(value "$sums")
            echo "$metrics $others: $result"
            [ "$result" = "1420 20000.5 true true" ]
        done
    done
}

@test "a rounding error instead of 0 is shown as 0" {
    # 0.1 + 0.2 - 0.1 - 0.2 is not 0
    jq '.values = [{"metric": 1, "value": (0.1 + 0.2)}, {"metric": 3, "value": 0.1}, {"metric": 4, "value": 0.2} | . + {"region": 0, "leaf": 0, "partial": false}]' \
        "$made/hybrid.json" >small.json
    "$assay" report small.json --html small.html
    browse "$PWD/small.html"
    go 'metric=1&region=0&system=0&open=m0.m1'
    [[ "$(tree metric)" == *"|2 0  DATA_IN_L1|3 0.1  LOADS|3 0.2  STORES"* ]]
}

# bats test_tags=long
@test "selecting a metric changes regions and threads, selecting a region changes the threads" {
    browse "$made/hybrid.html"
    go 'metric=0&region=0&system=0&open=m0.m1.r0.s0.s1.s4'
    click '#m3 .name'
    [ "$(tree region)" = "1 0 0 % all regions|2 100 9.1 % init|2 1,000 90.9 % solve" ]
    [[ "$(tree system)" == *"|3 110 10.0 % thread 0, core 0|3 220 20.0 % thread 1, core 1|"*"|3 440 40.0 % thread 1, core 3" ]]
    click '#r1 .name'
    [ "$(tree region)" = "1 0 0 % all regions|2 100 9.1 % init|2 1,000 90.9 % solve" ]
    [[ "$(tree system)" == *"|3 10 10.0 % thread 0, core 0|3 20 20.0 % thread 1, core 1|"*"|3 40 40.0 % thread 1, core 3" ]]
    [ "$(value "location.hash")" = "#metric=3&region=1&system=0&open=m0.m1.r0.s0.s1.s4" ]
    # an open metric shows its exclusive value: cycles that were not stalled, as far as known
    go 'metric=5&region=2&system=0&open=m5.r0.s0.s1.s4'
    [ "$(tree region)" = "1 0 0 % all regions|2 ~4,000 25.0 % init|2 12,000.5 75.0 % solve" ]
    [[ "$(tree system)" == *"|3 3,000.5 25.0 % thread 1, core 3" ]]
    go 'metric=5&region=2&system=0&open=r0.s0.s1.s4'
    [ "$(tree region)" = "1 0 0 % all regions|2 4,000 20.0 % init|2 16,000.5 80.0 % solve" ]
}

@test "absent values are shown as absent, and a ratio only for one thread of one region" {
    browse "$made/hybrid.html"
    go 'metric=2&region=2&system=0&open=m0.r0.s0.s1.s4'
    [[ "$(tree system)" == *"|3 50 25.0 % thread 0, core 0|3 -  thread 1, core 1|"* ]]
    [[ "$(value "document.querySelector('#selected').innerText")" == *"3 of 4"* ]]
    [[ "$(value "document.querySelector('#selected').innerText")" == *IN_FAR_MEMORY* ]]
    [ "$(value "document.querySelector('#m2').ariaExpanded")" = null ]
    go 'metric=8&region=2&system=0&open=r0.s0.s1.s4'
    [[ "$(tree system)" == "1 -  n1|2 -  process 0|3 0.25  thread 0, core 0|"* ]]
    [[ "$(value "document.querySelector('#selected').innerText")" == *"does not add up"* ]]
}

@test "neither texts of a record nor an address become markup" {
    browse "$made/hybrid.html"
    go "metric=9&region=0&system=0&open=%3Cimg%20src=x%3E"
    [ "$(value "document.querySelectorAll('img, #selected b, td b').length")" = 0 ]
    [[ "$(value "document.querySelector('#selected').innerText")" == *"</script><img src=x"*"a & b"* ]]
    go "metric=99&region=-1&system=x"
    [[ "$(tree metric)" == "1 ~1,420 100.0 % DATA_ACCESSES|"* ]]
    [ "$(tree region)" = "1 ~1,420 100.0 % all regions" ]
    [ "$(tree system)" = "1 ~1,420 100.0 % n1" ]
    [ "$(value "[...document.querySelectorAll('[aria-selected=true]')].map((l) => l.id).join(' ')")" = "m0 r0 s0" ]
}

# bats test_tags=long
@test "no text of a record becomes markup at any place, or breaks the file for Cube's browser" {
    jq --arg bad "</script><img src=x onerror=alert(1)>&\"']]>" 'walk(if type == "string" and (IN("analysis", "measured", "composed", "computed", "virtual") | not) then $bad + . else . end)
        | .faults = [$bad] | .failures = [{"command": $bad, "status": 1, "stderr_tail": $bad}] | .operation = {"name": "merge", "of": [$bad]}' \
        "$made/hybrid.json" >bad.json
    "$assay" report bad.json --html bad.html --cube bad.cubex
    python3 "$root/tests/system/cubex.py" bad.cubex bad.json
    browse "$PWD/bad.html"
    go 'metric=5&region=1&system=2&open=m0.r0.s0.s1'
    [ "$(value "document.querySelectorAll('img').length")" = 0 ]
    [ "$(value "document.querySelectorAll('script').length")" = 2 ]
    [ "$(value "document.querySelector('#region [aria-selected=true] .name').textContent")" = "</script><img src=x onerror=alert(1)>&\\\"']]>init" ]
}

# bats test_tags=long
@test "links to sections do not change the view" {
    browse "$made/hybrid.html"
    go 'metric=5&region=0&system=0&open=m5'
    value "document.querySelector('nav a').click()" >/dev/null
    [ "$(value "location.hash")" = "#trees" ]
    [ "$(value "document.querySelector('#metric [aria-selected=true]').id")" = m5 ]
    [[ "$(tree metric)" == *"|1 ~16,000.5 80.0 % CYCLES|"* ]]
}

# bats test_tags=long
@test "keyboard: Tab between trees, arrows within one, Enter selects" {
    browse "$made/hybrid.html"
    value "document.querySelector('nav a:last-child').focus()" >/dev/null
    press Tab 9
    [ "$(value "document.activeElement.id")" = m0 ]
    press ArrowRight 39
    [ "$(value "document.activeElement.id + document.activeElement.ariaExpanded")" = m0true ]
    press ArrowRight 39
    press ArrowDown 40
    [ "$(value "document.activeElement.id")" = m2 ]
    press Enter 13 '\r'
    [ "$(value "document.activeElement.id + document.activeElement.ariaSelected")" = m2true ]
    [[ "$(tree region)" == *"|2 10 4.8 % init|"* ]]
    press ArrowLeft 37
    press ArrowLeft 37
    # the selected line was inside the closed one, which is now selected
    [ "$(value "document.activeElement.id + document.activeElement.ariaExpanded + document.activeElement.ariaSelected")" = m0falsetrue ]
    press End 35
    [ "$(value "document.activeElement.id")" = m9 ]
    press Home 36
    press ArrowUp 38
    [ "$(value "document.activeElement.id")" = m0 ]
    press Tab 9
    [ "$(value "document.activeElement.id")" = r0 ]
    press ArrowDown 40
    press ' ' 32 ' '
    [ "$(value "document.querySelector('#region [aria-selected=true]').id")" = r1 ]
    press Tab 9
    [ "$(value "document.activeElement.id")" = s0 ]
    [ "$(value "[...document.querySelectorAll('[role=treeitem]')].filter((l) => l.tabIndex === 0).length")" = 3 ]
    # Tab moves to the selected line
    go 'metric=5&region=2&system=0&open=r0'
    value "document.querySelector('nav a:last-child').focus()" >/dev/null
    press Tab 9
    [ "$(value "document.activeElement.id")" = m5 ]
    press Tab 9
    [ "$(value "document.activeElement.id")" = r2 ]
}

# bats test_tags=long
@test "several machines, a whole program" {
    browse "$made/machines.html"
    go 'metric=0&region=0&system=0&open=s0'
    [ "$(tree region)" = "1 15 100.0 % whole program" ]
    [ "$(tree system)" = "1 0 0 % all machines|2 3 20.0 % n1|2 12 80.0 % n2" ]
}

# bats test_tags=long
@test "nothing is wider than the window; text and background differ enough, light and dark (WCAG AA)" {
    browse "$made/hybrid.html"
    go 'metric=3&region=0&system=0&open=m0.m1.r0.s0.s1.s4'
    fits 1400 1024 400
    readable '.line span:not(.box), .of, #selected dt, #selected dd, .scale span, caption, td, th'
}

@test "without its script the page is a table" {
    mkdir still
    sed '/^<script>$/,/<\/script>/d' "$made/hybrid.html" >still/page.html
    browse "$PWD/still/page.html"
    [ "$(value "document.querySelector('#trees').hidden")" = true ]
    [ "$(value "[...document.querySelectorAll('.values tbody')].map((b) => b.rows.length).join(' ')")" = "9 9 9" ]
    [ "$(value "[...document.querySelectorAll('.values')][0].tBodies[0].rows[2].innerText.replace(/\\\\s+/g, ' ')")" = "LOADS accesses 1100 77.5 110 220 330 440" ]
}

@test "compare: side by side on a page, opened and closed by buttons; the address stores which are closed" {
    jq '.metrics |= map(select(.name != "CYCLES" and .name != "STALLED")) | .values = [.values[] | select(.metric < 5) | .value *= 2] | .node.name = "<b>zen3"
        | .metrics[4].name = "OTHERS"' "$made/hybrid.json" >other.json
    "$assay" compare "$made/hybrid.json" other.json --html both.html >text
    [ ! -s text ]
    refute grep -nE '(src|href)="[^#]|url\(|@import|https?:' both.html
    browse "$PWD/both.html"
    row="(n) => { const r = [...document.querySelectorAll('#region1 tbody tr')].find((r) => r.querySelector('th').textContent === n); return r.hidden ? 'hidden' : [...r.cells].slice(2).map((c) => c.textContent.trim()).join('|') }"
    [ "$(value "($row)('LOADS')")" = "100|83.3|200|83.3" ]
    [ "$(value "($row)('CYCLES')")" = "4000|100|-|" ]
    [ "$(value "($row)('STORES')")" = "10|8.33|-|" ]
    [ "$(value "($row)('OTHERS')")" = "-||20|8.33" ]
    value "[...document.querySelectorAll('button')].find((b) => b.ariaLabel === 'what is in DATA_IN_L1').focus()" >/dev/null
    press Enter 13 '\r'
    [ "$(value "($row)('LOADS')")" = hidden ]
    [ "$(value "document.activeElement.ariaExpanded + ($row)('DATA_IN_L1')")" = "false110|91.7|220|91.7" ]
    [ "$(value "location.hash")" = "#closed=1.2" ]
    go 'closed=1.1.2.2'
    [ "$(value "($row)('DATA_IN_L1') + ($row)('LOADS') + ($row)('DATA_ACCESSES')")" = "hiddenhidden120|100|240|100" ]
    go 'closed='
    [ "$(value "document.querySelectorAll('tr[hidden]').length + ' ' + document.querySelectorAll('img, li b, td b').length")" = "0 0" ]
    fits 1400 400
    jq '.node.kind = "native"' other.json >native.json
    fails_with 2 "never share a table" "$assay" compare "$made/hybrid.json" native.json --html x.html
    fails_with 2 "/nonexistent/x.html" "$assay" compare "$made/hybrid.json" other.json --html /nonexistent/x.html
    [ ! -e x.html ]
}

@test "the file for Cube's browser has all values of the record, and says virtual" {
    run python3 "$root/tests/system/cubex.py" "$made/hybrid.cubex" "$made/hybrid.json"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "59 values, 8 metrics, 2 regions, 4 threads" ]
    python3 "$root/tests/system/cubex.py" "$made/machines.cubex" "$made/machines.json"
    tar xOf "$made/hybrid.cubex" anchor.xml | grep 'key="Warning"'
    # the reader of these files reports errors
    jq '.values[5].value += 1e-12' "$made/hybrid.json" >other.json
    refute python3 "$root/tests/system/cubex.py" "$made/hybrid.cubex" other.json
    jq 'del(.values[5])' "$made/hybrid.json" >less.json
    refute python3 "$root/tests/system/cubex.py" "$made/hybrid.cubex" less.json
}

@test "a file that cannot be written is not left behind" {
    fails_with 2 "/nonexistent/x.cubex" "$assay" report "$made/hybrid.json" --cube /nonexistent/x.cubex
    ln -s elsewhere link.cubex
    "$assay" report "$made/hybrid.json" --cube link.cubex
    [ ! -e elsewhere ] && [ ! -L link.cubex ] && [ ! -e link.cubex.tmp ]
}
