#!/usr/bin/env bats
# Every command in the documents runs, and prints the output shown there. In a ```console block each line "$ COMMAND" is run. The lines
# below it must occur in the output in this order; ... stands for any text, and several blanks count as one.
load common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    campaign kept bandwidth_saturation --node virtual --quick --only load,triad --level L2
    cp kept.json record.json
    rm kept.*
    mkdir home
    export HOME=$PWD/home PATH=$build:$PATH
}

# Lines of the console blocks, without the blocks' indentation.
blocks() {
    awk '/^ *```console$/ { inside = 1; match($0, /^ */); indent = RLENGTH; next } /^ *```$/ { inside = 0 }
         inside { print substr($0, indent + 1) }' "$1"
}

flat() { tr -s ' \t' ' ' | sed 's/^ //; s/ $//'; }

# Runs COMMAND into the file output.
run_command() {
    local status=0
    timeout 120 bash -c "$1" >raw 2>&1 || status=$?
    echo "$ $1 (status $status)"
    [ "$status" -eq 0 ] || { cat raw; return 1; }
    flat <raw >output
    at=0
}

# Finds the line TEXT in the output below line `at`.
expect_line() {
    local wanted line number=0
    wanted=$(flat <<<"$1")
    while IFS= read -r line; do
        number=$((number + 1))
        # shellcheck disable=SC2254
        if [ "$number" -gt "$at" ] && matches "$line" "$wanted"; then
            at=$number
            return 0
        fi
    done <output
    echo "not in the output: $1"
    cat output
    return 1
}

# matches LINE WANTED: ... in WANTED stands for any text.
matches() {
    local rest=$1 wanted=$2 part
    [[ $wanted == ...* || $rest == "${wanted%%...*}"* ]] || return 1
    [[ $wanted == *... || $rest == *"${wanted##*...}" ]] || return 1
    while [ -n "$wanted" ]; do
        part=${wanted%%...*}
        part=${part# }
        part=${part% }
        [[ $rest == *"$part"* ]] || return 1
        rest=${rest#*"$part"}
        [[ $wanted == *...* ]] || break
        wanted=${wanted#*...}
    done
}

run_document() {
    local line count=0
    while IFS= read -r line <&7; do
        case $line in
        "$ "*) run_command "${line#"$ "}" || return 1; count=$((count + 1)) ;;
        "") ;;
        *) expect_line "$line" || return 1 ;;
        esac
    done 7< <(blocks "$root/docs/$1")
    [ "$count" -gt 0 ]
}

@test "the check of documents finds a wrong line, a wrong order and a wrong command" {
    run_command "printf 'a 1\nb  2 c\n'"
    expect_line "a 1"
    expect_line "b ... c"
    run ! expect_line "a 1"
    at=0
    run ! expect_line "b 3 c"
    run ! expect_line "b 2"
    run ! run_command false
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
        eval "$assay ${command#assay }" >out
        grep -q "TABLE\|^| *[A-Z_0-9]* *| *\(PMC\|FIXC\)[0-9]" out
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

@test "completion knows every command and option of the program" {
    source "$root/docs/completion/assay.bash"
    for word in $(assay --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p') --help --version; do
        complete_words assay "" | grep -qx -- "$word"
    done
    offered=$(for command in $(complete_words assay ""); do complete_words assay "$command" --; done)
    for option in $(assay --help | grep -oE '(^|[[ |])--[a-z]+' | grep -oE -- '--[a-z]+' | sort -u); do
        [[ $option == --help || $option == --version ]] || grep -qx -- "$option" <<<"$offered"
    done
}
