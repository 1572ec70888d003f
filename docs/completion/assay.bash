# assay.bash - completion of `assay` for bash. SPDX-License-Identifier: GPL-3.0-or-later

_assay_words() {
    case $1 in
    validate | calibrate)
        echo "--node --reps --quick --out --all --matrix --interface --jobs --timeout --calibrate --fault --noise --only --level --placement --health --reference --plan --dry-run"
        "${COMP_WORDS[0]}" list patterns --names 2>/dev/null
        ;;
    events) echo "--node --reps --quick --all --curves --noise --out --jobs --timeout --fault" ;;
    discover) echo "--node --reps --out --groups --check --jobs --timeout --fault" ;;
    configuration) echo "--node --out --jobs --timeout --fault" ;;
    sampling) echo "--node --periods --skid --out --timeout --fault --" ;;
    analyse) echo "--node --reps --out --cores --ranks --launcher --whole --timeout --jobs --fault --hierarchy --tree --plan --threads --region --" ;;
    diagnose) echo "--node --record --share --scale --format --reps --out --cores --ranks --launcher --whole --timeout --jobs --fault --plan --" ;;
    laws) echo "--node --laws --all --plan --reps --out --cores --ranks --launcher --whole --timeout --jobs --fault --" ;;
    merge | mean | subtract) echo "--out --threads --region" ;;
    show) echo "--all --oracles --why --threads --region --commands" ;;
    report) echo "--html --svg --cube" ;;
    compare) echo "--html" ;;
    tables) echo "--out" ;;
    compact) echo "--out --least" ;;
    historical) echo "--out" ;;
    why)
        echo "--record --format"
        [ "$COMP_CWORD" -ne 2 ] || "${COMP_WORDS[0]}" list archs --names 2>/dev/null
        [ "$COMP_CWORD" -ne 3 ] || "${COMP_WORDS[0]}" list groups --names 2>/dev/null | sed -n "s|^${COMP_WORDS[2]}/||p"
        ;;
    fleet)
        [ "$COMP_CWORD" -gt 2 ] || echo "run status collect report"
        case ${COMP_WORDS[2]} in
        run)
            echo "--nodes --partition --per-node-minutes --out --node-options --node --reps --quick --only --level --placement --launcher --first --broadcast --dry-run"
            "${COMP_WORDS[0]}" list patterns --names 2>/dev/null
            ;;
        collect) echo "--out" ;;
        report) echo "--html --csv --openmetrics --junit --false-alarms --all" ;;
        esac
        ;;
    groups) echo "--arch --format --verdict --record --install" ;;
    signatures) echo "--format --install" ;;
    lint)
        echo "--format --likwid-source --perfmon --fix --rules"
        "${COMP_WORDS[0]}" list archs --names 2>/dev/null
        ;;
    list) echo "--names --long --node --format patterns kernels groups archs nodes laws unjudged events" ;;
    doctor) echo "--node" ;;
    bundle) echo "--list --out" ;;
    vnode) echo "--node --fault --noise --" ;;
    esac
    echo "--help"
}

_assay_values() {
    case $2 in
    --node)
        local nodes
        nodes=$("${COMP_WORDS[0]}" list nodes --names 2>/dev/null)
        if [ "$1" = vnode ]; then echo "$nodes"; else echo "auto native virtual" && sed 's/^/virtual:/' <<<"$nodes"; fi
        ;;
    --arch) "${COMP_WORDS[0]}" list archs --names 2>/dev/null ;;
    --format)
        case $1 in
        list) echo "text json" ;;
        why) echo "text json html" ;;
        lint) echo "text json sarif github junit" ;;
        signatures) echo "json clustercockpit perf" ;;
        *) echo "likwid json csv clustercockpit kerncraft papi perf reframe" ;;
        esac
        ;;
    --verdict) echo "validated correctable qualitative unresolved untested rejected missing" ;;
    --level) echo "L2 L3 MEM" ;;
    --launcher) echo "slurm mpi" ;;
    *) return 1 ;;
    esac
}

_assay() {
    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words i
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "validate calibrate events discover configuration sampling diagnose analyse laws merge mean subtract compare show report tables compact diff history groups why signatures historical lint list fleet doctor bundle vnode --help --version" -- "$current")
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do # behind their "--" stands a command of its own
        if [[ $command == @(vnode|sampling|diagnose|analyse|laws) ]] && [ "${COMP_WORDS[i]}" = -- ]; then
            mapfile -t COMPREPLY < <(compgen -c -f -- "$current")
            return
        fi
    done
    # readline takes ':' as the end of a word: "virtual:NAME" arrives in three
    if [[ $COMP_WORDBREAKS == *:* && ($current == : || ${COMP_WORDS[COMP_CWORD - 1]} == :) ]]; then
        [ "$current" = : ] && current=
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" list nodes --names 2>/dev/null)" -- "$current")
        return
    fi
    if words=$(_assay_values "$command" "${COMP_WORDS[COMP_CWORD - 1]}"); then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$(_assay_words "$command")" -- "$current")
    case $command in merge | mean | subtract | compare | show | report | tables | compact | bundle | diff | groups | signatures | historical | lint | validate | history | fleet) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;; esac
}

complete -o filenames -F _assay assay
