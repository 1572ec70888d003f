#!/usr/bin/env bats
# Every command in the documents runs, and prints the output shown there (document.lua).
load common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    campaign kept bandwidth_saturation --node virtual --quick --only load,triad --level L2
    cp kept.json record.json
    rm kept.*
    mkdir home
    export HOME=$PWD/home PATH=$build:$PATH
}

run_document() { lua5.4 "$root/tests/system/document.lua" "$root/docs/$1"; }

@test "the check of documents finds a wrong line, a wrong order and a wrong command" {
    document() { # LINE...: below the command
        printf '%s\n' '  ```console' "  $ printf 'a 1\nb  2 c\n'" "${@/#/  }" '  ```' >document.md
        lua5.4 "$root/tests/system/document.lua" document.md
    }
    document "a  1" "b ... c"
    for wrong in "b 3 c" "b 2" "b 2 ... c d"; do
        refute document "$wrong"
    done
    refute document "a 1" "a 1"
    refute document "b ... c" "a 1"
    refute document '$ false'
    refute lua5.4 "$root/tests/system/document.lua" /dev/null
}

@test "tutorial.md" { run_document tutorial.md; }
@test "engineer.md" { run_document engineer.md; }
# bats test_tags=long
@test "wiki-keeper.md" { run_document wiki-keeper.md; }
# bats test_tags=long
@test "tool-developer.md" { run_document tool-developer.md; }
# bats test_tags=long
@test "verdicts.md" { run_document verdicts.md; }
# bats test_tags=long
@test "contribute-results.md" { run_document contribute-results.md; }
# bats test_tags=long
@test "teaching.md" { run_document teaching.md; }
# bats test_tags=long
@test "time.md" { run_document time.md; }
# bats test_tags=long
@test "sampling.md" { run_document sampling.md; }
# bats test_tags=long
@test "analyse.md" { run_document analyse.md; }

@test "the commands of papers.md run on the virtual node" {
    mapfile -t commands < <(grep -o '`assay vnode -- [a-z-]* [^`.]*`' "$root/docs/papers.md" | tr -d '`')
    [ ${#commands[@]} -gt 0 ]
    for command in "${commands[@]}"; do
        echo "$command"
        eval "$assay ${command#assay }" >out 2>&1
        grep -q "[0-9]  *instructions\|TABLE\|^| *[A-Z_0-9]* *| *\(PMC\|FIXC\)[0-9]" out
    done
}

@test "links between documents have a target" {
    cd "$root/docs"
    for link in $(grep -ohE '\]\([^)#:]+\)' ./*.md | sed 's/^](//; s/)$//'); do
        echo "$link"
        [ -e "$link" ]
    done
}

# complete WORD...: the completions of the last word.
complete_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _assay
    printf '%s\n' "${COMPREPLY[@]}" | sort
}

@test "bash completion" {
    source "$root/docs/completion/assay.bash"
    [ "$(complete_words assay gr)" = groups ]
    [ "$(complete_words assay list a)" = archs ]
    [ "$(complete_words assay groups --format j)" = json ]
    [ "$(complete_words assay groups --arch haswellE)" = haswellEP ]
    [ "$(complete_words assay groups --record rec)" = record.json ]
    [ "$(complete_words assay validate bandw)" = bandwidth_saturation ]
    [ "$(complete_words assay validate --node virtual : haswellEP-1)" = haswellEP-1x2 ]
    [ "$(complete_words assay vnode --node haswellEP-1)" = haswellEP-1x2 ]
    complete_words assay vnode -- likwid-perf | grep -qx likwid-perfctr
}

@test "completion knows every command of the program" { # and its options: usage.bats
    source "$root/docs/completion/assay.bash"
    complete_words assay "" >offered
    assay --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' >commands
    [ "$(wc -l <commands)" -ge 12 ]
    diff <(printf '%s\n' --help --version | sort - commands) <(grep -xF -e --help -e --version -f commands offered)
}
