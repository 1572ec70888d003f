#!/usr/bin/env bats
# assay report: the page in a real browser. The small record made here has five of the eight verdicts, and names that contain HTML.
load common
load browser

# metric NAME CODE LEVEL VERDICT CLASS MIN AVG MAX: one entry of "metrics"; MIN "-": error_pct is null
metric() {
    local errors=null
    [ "$6" != - ] && errors="{\"min\":$6,\"avg\":$7,\"max\":$8,\"median\":$7,\"sd\":0.1}"
    echo "{\"pattern\":\"bandwidth_saturation\",\"code\":\"$2\",\"level\":\"$3\",\"placement\":\"S0:1\",\"group\":\"ASSAY_$3\",
     \"metric\":\"$1\",\"unit\":\"GBytes\",\"kind\":\"volume\",\"direction\":\"total\",\"n\":2,\"expected\":{\"min\":1,\"max\":2,\"mean\":1.5},
     \"measured\":{\"min\":1,\"max\":2,\"mean\":1.5},\"error_pct\":$errors,\"fit\":null,\"tolerance_pct\":1,\"class\":\"$5\",\"verdict\":\"$4\",
     \"reason\":null,\"errata\":[]}"
}

sample() {
    echo "{\"code\":\"load\",\"point\":\"$1\",\"rep\":1,\"thread\":0,\"group\":\"ASSAY_L2\",\"metric\":\"volume\",\"measured\":$2,\"unit\":\"GBytes\",
     \"pattern\":\"bandwidth_saturation\",\"level\":\"L2\",\"placement\":\"S0:1\",\"work\":1,\"expected\":{\"min\":1,\"value\":1,\"max\":1}}"
}

make_record() {
    local name='<img src=x onerror=alert(1)>'
    cat >record.json <<JSON
{"schema":1,"assay":"0.1.0","started":"2026-01-02T03:04:05Z","seconds":1,"faults":[],
 "node":{"kind":"virtual","name":"$name","arch":"haswellEP","cpu":"cpu","likwid":"5.2.2"},
 "metrics":[$(metric volume load L2 validated exact 0.1 0.2 0.3),$(metric volume store L2 correctable multiplicative 9 10 11),
  $(metric volume copy L2 rejected random -40 1 40),$(metric volume load L3 qualitative unknown -2 -1 -0.5),
  $(metric volume store L3 missing missing -),$(metric '</script><b>' copy L3 validated exact 0 0 0)],
 "samples":[$(sample p1 1.002),$(sample p2 1.5)],
 "failures":[{"command":"likwid-perfctr -m <x>","status":3,"stderr_tail":"no & no"}]}
JSON
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    make_record
    "$assay" report record.json --html page.html
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    page=$BATS_FILE_TMPDIR/page.html
}

teardown_file() {
    close_browser
}

# Codes and levels of the rows that are shown, in their order.
shown="[...document.querySelectorAll('tbody[data-i]')].filter((b) => !b.hidden).map((b) => b.rows[0].cells[2].firstChild.data + b.rows[0].cells[3].innerText).join(' ')"
hash() { value "location.hash = '$1'" >/dev/null; }

@test "bad input: one line, status 2, no page" {
    fails_with 2 "no record named" "$assay" report --html x.html
    fails_with 2 "no page named" "$assay" report "$BATS_FILE_TMPDIR/record.json"
    fails_with 2 "usage: assay report" "$assay" report a b --html c
    fails_with 2 "nothing.json: cannot read" "$assay" report nothing.json --html x.html
    fails_with 2 "/nonexistent/x.html" "$assay" report "$BATS_FILE_TMPDIR/record.json" --html /nonexistent/x.html
    [ ! -e x.html ]
}

@test "the page names no other resource" {
    run ! grep -nE '(src|href)="[^#]|url\(|@import|https?:' "$page"
    grep -q "default-src 'none'" "$page"
}

@test "the same record gives the same bytes" {
    (cd "$BATS_FILE_TMPDIR" && "$assay" report record.json --html "$BATS_TEST_TMPDIR/again.html")
    cmp "$page" again.html
}

@test "texts of a record never become markup" {
    browse "$page"
    [ "$(value "document.querySelectorAll('img, td b').length")" = 0 ]
    [[ "$(value "document.querySelector('h1').innerText")" == *'<img src=x'* ]]
    [ "$(value "document.querySelector('[data-i] button').ariaLabel")" = "samples of volume, load" ]
}

@test "summary, plots, failures" {
    browse "$page"
    [ "$(value "[...document.querySelectorAll('.tile b')].map((b) => b.innerText).join(' ')")" = "2 1 1 0 0 1 1 0" ]
    [ "$(value "document.querySelectorAll('figure svg').length")" = 2 ]
    [ "$(value "document.querySelectorAll('figure svg rect.average').length")" = 5 ]
    [[ "$(value "document.querySelector('#failures').innerText")" == *"likwid-perfctr -m <x>"* ]]
    [[ "$(value "document.querySelector('.banner').innerText")" == *"no evidence about silicon"* ]]
    [[ "$(value "document.querySelector('#commands pre').innerText")" == *"assay validate bandwidth_saturation --node 'virtual:<img"* ]]
}

@test "the architecture's table has a row per metric and level, and what it does not count" {
    jq '.metrics[0].vendor = [] | .metrics[3].vendor = [{"event": "E", "state": "differs", "consequence": "counts <b>"}]
        | .metrics += [.metrics[4] + {"group": null, "metric": null, "class": null, "verdict": "skipped", "reason": "no event of <b>"}]' \
        "$BATS_FILE_TMPDIR/record.json" >record.json
    "$assay" report record.json --html page.html
    browse "$PWD/page.html"
    [ "$(value "document.querySelector('#counted h2').innerText")" = "What haswellEP counts" ]
    [ "$(value "[...document.querySelectorAll('#counted tbody tr')].map((r) => [...r.cells].slice(1).map((c) => c.innerText).join('|')).join(' ')")" = \
        "L2|volume|ASSAY_L2|same|1|validated 1, correctable 1, rejected 1 L3|volume|ASSAY_L3|E: counts <b>|1|qualitative 1, missing 1 L3|</script><b>|ASSAY_L3|-|1|validated 1" ]
    [ "$(value "document.querySelector('#counted li').innerText")" = "no event of <b>" ]
}

@test "a click on a heading sorts, with absent values last in both directions" {
    browse "$page"
    [ "$(value "$shown")" = "loadL2 storeL2 copyL2 loadL3 storeL3 copyL3" ]
    value "document.querySelector('[data-sort=max]').click()" >/dev/null
    [ "$(value "$shown")" = "loadL3 copyL3 loadL2 storeL2 copyL2 storeL3" ]
    [ "$(value "document.querySelector('[data-sort=max]').parentElement.ariaSort")" = ascending ]
    value "document.querySelector('[data-sort=max]').click()" >/dev/null
    [ "$(value "$shown")" = "copyL2 storeL2 loadL2 copyL3 loadL3 storeL3" ]
    [ "$(value "document.querySelector('[data-sort=max]').parentElement.ariaSort")" = descending ]
    [ "$(value "location.hash")" = "#sort=max&dir=descending" ]
}

# bats test_tags=long
@test "rows can be filtered by address, tile, choice and search" {
    browse "$page"
    hash '#level=L3'
    until [ "$(value "$shown")" = "loadL3 storeL3 copyL3" ]; do sleep 0.05; done
    [ "$(value "document.querySelector('output').value")" = "3 of 6 metrics" ]
    value "document.querySelector('.tile.validated').click()" >/dev/null
    [ "$(value "$shown")" = "copyL3" ]
    value "document.querySelector('form [type=reset]').click()" >/dev/null
    [ "$(value "$shown")" = "loadL2 storeL2 copyL2 loadL3 storeL3 copyL3" ]
    value "(() => { const e = document.querySelector('[name=q]'); e.value = 'rejected copy'; e.dispatchEvent(new Event('input', { bubbles: true })) })()" >/dev/null
    [ "$(value "$shown")" = "copyL2" ]
}

# bats test_tags=long
@test "keyboard: sort a column, open the samples, type a search" {
    browse "$page"
    value "document.querySelector('[data-sort=verdict], [data-sort=rank]').focus()" >/dev/null
    press Tab 9
    [ "$(value "document.activeElement.dataset.sort")" = code ]
    press Enter 13 '\r'
    [ "$(value "$shown")" = "copyL2 copyL3 loadL2 loadL3 storeL2 storeL3" ]
    value "[...document.querySelectorAll('tbody')].find((b) => b.dataset.i === '0').querySelector('.open').focus()" >/dev/null
    press ' ' 32 ' '
    [ "$(value "document.activeElement.ariaExpanded")" = true ]
    [ "$(value "document.querySelectorAll('.samples tbody tr').length")" = 2 ]
    [[ "$(value "document.querySelector('.samples tbody').rows[1].innerText.replace(/\\\\s+/g, ' ')")" == "p2 1 0 1.5 1 1 1 +50"* ]]
    press ' ' 32 ' '
    [ "$(value "document.querySelectorAll('.detail').length")" = 0 ]
    value "document.querySelector('[name=q]').focus()" >/dev/null
    for key in m i s; do press $key 0 $key; done
    [ "$(value "$shown")" = "storeL3" ]
}

# bats test_tags=long
@test "nothing is wider than the window, text of plots stays inside" {
    browse "$page"
    fits 1400 1024 400
    [ "$(value "[...document.querySelectorAll('svg')].every((s) => { const o = s.getBoundingClientRect(); return [...s.querySelectorAll('text')].every((t) => { const b = t.getBoundingClientRect(); return b.left >= o.left - 1 && b.right <= o.right + 1 && b.bottom <= o.bottom + 1 && b.top >= o.top - 1 }) })")" = true ]
}

# bats test_tags=long
@test "text and background differ enough, light and dark (WCAG AA)" {
    browse "$page"
    readable 'h1, .facts, .banner, .tile:not(:disabled) span, .tile:not(:disabled) small, .badge, td, th, td small, caption, a, figcaption'
}

# bats test_tags=long
@test "screenshot and paper" {
    browse "$page"
    send Page.captureScreenshot '{}'
    jq -r .result.data "$browser/answer" | base64 -d >page.png
    [ "$(head -c 8 page.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
    [ "$(stat -c %s page.png)" -gt 50000 ]
    send Page.printToPDF '{}'
    jq -r .result.data "$browser/answer" | base64 -d >page.pdf
    [ "$(head -c 4 page.pdf)" = %PDF ]
}
