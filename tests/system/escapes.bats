#!/usr/bin/env bats
# Texts from records and files are escaped in every output. The outputs, each with its test below:
#   terminal     show, show --all, show --oracles, diff, history, groups (table), errors
#   Markdown     tables: tables, headings, captions, lists, alternative texts
#   SVG          tables: title, description, legend, labels; the gnuplot script that draws them
#   HTML         report: text, attributes, data of the page's program, commands to copy; of an analysis: analysis_report.bats
#   XML          report --cube: names, definitions, attributes: analysis_report.bats
#   CSV, JSON    groups --format csv, json
#   group files  groups --format likwid, --install: comments
# and a file's name: headers of diff, history's commands, evidence of groups, report. Texts of data files (patterns,
# machines, groups) may hold no control characters at all.
load common

hostile=$root/tests/system/hostile.py

make_hostile() {
    mkdir -p results/haswellEP/haswellEP-1x2
    bad=results/haswellEP/haswellEP-1x2/bad.json
    python3 "$hostile" make "$(reference)" $bad
}

@test "the terminal gets no control characters from a record" {
    make_hostile
    "$assay" show $bad >show.txt
    "$assay" show $bad --all >all.txt
    "$assay" show $bad --oracles >oracles.txt
    "$assay" diff $bad "$(reference)" >diff.txt || [ $? -eq 1 ]
    "$assay" diff "$(reference)" $bad >diff2.txt || [ $? -eq 1 ]
    "$assay" history results >history.txt
    "$assay" groups --record $bad >groups.txt
    python3 "$hostile" text ./*.txt
    for file in show all diff diff2 history groups; do grep -q evil $file.txt; done
    # a newline in a text adds no line to the table
    run grep -c '^ *| evil' show.txt all.txt oracles.txt diff.txt diff2.txt history.txt groups.txt
    [[ "$output" != *:[1-9]* ]]
    # no line is wider than the table because of it, and none is cut inside of a character
    iconv -f UTF-8 -t UTF-8 all.txt >/dev/null
}

@test "errors that quote a record, its keys or a file's name are plain" {
    printf '{"schema": 1, "a\\u001b[31m\\u009b\\n": 1, "a\\u001b[31m\\u009b\\n": 1}' >bad.json
    run -2 "$assay" show bad.json
    echo "$output" >error.txt
    jq '.metrics[0].verdict = "\u001b[31m\u009bevil\n"' "$(reference)" >bad.json
    run -2 "$assay" show bad.json
    [[ "$output" == *evil* ]]
    echo "$output" >error2.txt
    run -2 "$assay" show $'no\e[31msuch\nfile'
    echo "$output" >error3.txt
    run "$assay" $'bad\e[31mcommand'
    echo "$output" >error4.txt
    run "$assay" list $'bad\e[31mword'
    echo "$output" >error5.txt
    for file in error*.txt; do
        run wc -l $file
        [[ "$output" == "1 "* ]]
        run -1 grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' $file
    done
}

# bats test_tags=long
@test "Markdown, SVG and the gnuplot scripts stay well-formed" {
    make_hostile
    "$assay" tables $bad --out tables
    run find . -name 'pwned*'
    [ -z "$output" ]
    python3 "$hostile" markdown tables/*.md
    python3 "$hostile" drawing tables/*.svg
    # a label is the record's text, not a gnuplot format
    run -0 grep -l '%s %n' tables/*.svg
    grep -q 'evil' tables/haswellEP.md
}

@test "the report page has its two scripts and no other code" {
    make_hostile
    "$assay" report $bad --html page.html
    python3 "$hostile" page page.html
}

# bats test_tags=long
@test "CSV, JSON and group files stay well-formed" {
    make_hostile
    "$assay" groups --record $bad --format csv >groups.csv
    python3 "$hostile" csv groups.csv
    "$assay" groups --record $bad --format json | jq -e '.architectures[0].groups | length > 0'
    "$assay" groups --record $bad --install bad >/dev/null
    "$assay" groups --record "$(reference)" --install good >/dev/null
    # a reason, an erratum, a unit with a newline adds no line to a group file: all lines begin as those of a good record do
    for file in bad/*/*.txt; do
        iconv -f UTF-8 -t UTF-8 "$file" >/dev/null
        run grep -nP '^(\| evil|[ \t]*<|\[)|[\x00-\x08\x0b-\x1f\x7f]' "$file"
        echo "$file: $output"
        [ "$status" -eq 1 ]
        # LIKWID reads the same from it as from the good one
        other=good/${file#bad/}
        [ ! -e "$other" ] || diff <(sed '/^LONG/,$d' "$file") <(sed '/^LONG/,$d' "$other") ||
            grep -qE '^SHORT' "$file"
    done
    run -0 grep -l evil bad/*/*.txt
}

@test "commands to copy are quoted" {
    make_hostile
    jq 'del(.command) | .metrics |= map(.pattern = "x; touch pwned")' "$(reference)" >nocommand.json
    "$assay" report nocommand.json --html page.html
    grep -q "assay validate &#39;x; touch pwned&#39;\|assay validate 'x; touch pwned'" page.html
    # history: two records, the second worse, in a folder with a blank
    mkdir -p 'my results/haswellEP/haswellEP-1x2'
    cp "$(reference)" 'my results/haswellEP/haswellEP-1x2/1.json'
    jq '.started = "2030-01-01T00:00:00Z" | .metrics |= map(.verdict = "rejected")' "$(reference)" \
        >'my results/haswellEP/haswellEP-1x2/2.json'
    run "$assay" history 'my results'
    [[ "$output" == *"assay diff 'my results/haswellEP/haswellEP-1x2/1.json' 'my results"* ]]
}

@test "names of files are shown without control characters, and need not be UTF-8" {
    cp "$(small_reference)" $'a\e[31m\n|<b>.json'
    mv small_reference.json $'b\xff.json'
    "$assay" diff $'a\e[31m\n|<b>.json' $'b\xff.json' >diff.txt
    "$assay" groups --record $'a\e[31m\n|<b>.json' >groups.txt
    "$assay" groups --record $'b\xff.json' >groups2.txt
    "$assay" tables $'a\e[31m\n|<b>.json' $'b\xff.json' --out tables
    for file in *.txt; do
        run -1 grep -P '[\x00-\x09\x0b-\x1f\x7f]' "$file"
        iconv -f UTF-8 -t UTF-8 "$file" >/dev/null
    done
    "$assay" report $'a\e[31m\n|<b>.json' --html page.html
    run grep -c '<b>\.json' page.html
    [ "$output" -eq 0 ]
    "$assay" report $'b\xff.json' --html page.html
}

# bats test_tags=long
@test "names that are longer than a column are cut between characters" {
    jq '.metrics |= map(.code = "ééééééééééééééééééééééééééééééééééééééééééééééééééééééé" | .verdict = "rejected" | .reason = .code + .code + .code)' \
        "$(reference)" >long.json
    for option in "" --all --oracles; do
        # shellcheck disable=SC2086
        "$assay" show long.json $option >show.txt
        iconv -f UTF-8 -t UTF-8 show.txt >/dev/null
        grep -q éééé show.txt
    done
}

@test "texts of data files hold no control characters" {
    copy_data
    sed -i '0,/title = "Expensive/s//title = "Expensive\\27[31m/' data/patterns/long_latency.lua
    line=$(grep -n '^return pattern {' data/patterns/long_latency.lua | cut -d: -f1)
    fails_with 2 "long_latency.lua:$line: pattern.title must be one line of text" "$assay" tables "$(reference)" --out tables
    cp "$root/patterns/long_latency.lua" data/patterns/
    sed -i $'1s/$/\e[31m/' data/groups/haswellEP/ASSAY_L2.txt
    fails_with 2 "ASSAY_L2.txt:1: a control character" "$assay" tables "$(reference)" --out tables
    fails_with 2 "ASSAY_L2.txt:1: a control character" "$assay" groups --record "$(reference)"
}
