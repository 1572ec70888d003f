#!/bin/sh
# Assay: validates the hardware counters of @COUNT@ nodes, one task a node. Written by `assay fleet run`.
#   sh FILE send         makes DIR, and sends it to Slurm: arrays, held; each task is given its node, and released. Never sends twice.
#   sh FILE task HOST    the task of one host, here: for any other launcher, or again after a failure.
#   sh FILE rank         the task of the host that this runs on: mpirun starts one on every host.
#   sh FILE release      the tasks that wait until one of the first nodes counts need not wait any more.
# A task that runs again goes on where it was, and does nothing if it had come to its end.
# Into DIR go nodes/HOST.json (the record without its samples), full/HOST.json (the record), log/HOST, end/HOST (status and reason).
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --mem=0
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --time=@MINUTES@
#SBATCH --signal=B:TERM@@GRACE@
@PARTITION@
id=@ID@
dir=@DIR@
assay=@ASSAY@
node=@NODE@
patterns=@PATTERNS@
options=@OPTIONS@
launcher=@LAUNCHER@
broadcast=@BROADCAST@ prefix=@PREFIX@
count=@COUNT@ part=@PART@ pilots=@PILOTS@
set -f

# One host a line, with further options of assay validate.
hosts() {
    cat <<'HOSTS'
@HOSTS@
HOSTS
}

manifest() {
    cat <<'MANIFEST'
@MANIFEST@
MANIFEST
}

make_folders() {
    mkdir -p "$dir/nodes" "$dir/full" "$dir/log" "$dir/end" "$dir/sent" || exit 2
    [ -e "$dir/fleet.json" ] || { manifest >"$dir/fleet.json.$$" && mv "$dir/fleet.json.$$" "$dir/fleet.json"; } || exit 2
}

# ---- sending ----

# Within an allocation its variables would become the tasks', and scontrol would look up the allocations of tasks that have none yet.
leave_allocation() {
    for name in $(env | sed -n 's/^\(SLURM_[A-Z0-9_]*\)=.*/\1/p'); do
        case $name in SLURM_CONF | SLURM_CONF_SERVER | SLURM_CLUSTERS | SLURM_JWT) ;; *) unset "$name" ;; esac
    done
}

# What is broadcast to the nodes: the program with its parts.
make_archive() {
    [ -z "$broadcast" ] || [ -e "$dir/assay.tar.gz" ] && return
    tar -C "$prefix" -czf "$dir/assay.tar.gz.$$" bin/assay lib/assay share/assay && mv "$dir/assay.tar.gz.$$" "$dir/assay.tar.gz" || exit 2
}

# let_go FIRST LEAST MOST: the held tasks of the array from line FIRST (from 0) on whose nodes are lines LEAST to MOST (from 1).
let_go() {
    squeue -h -r --name="assay-$id-$1" --states=PENDING -o '%F_%K %K %r' | awk -v first="$1" -v least="$2" -v most="$3" '
        $3 ~ /^JobHeld/ && first + $2 + 1 >= least && first + $2 + 1 <= most { print "release " $1 }' | scontrol >/dev/null
}

# release_rest: all tasks but those of the first nodes, in the arrays whose tasks have their nodes. An array that gets them later is
# released by its sender, who looks for the file.
release_rest() {
    : >"$dir/sent/released"
    line=0
    while [ "$line" -lt "$count" ]; do
        [ ! -e "$dir/sent/$line.pinned" ] || let_go "$line" $((pilots + 1)) "$count"
        line=$((line + part))
    done
}

# send_part FIRST: the array of the hosts from line FIRST (from 0) on. What a sender who was killed had done is not done again: its
# array is found in the queue by its name, and has not begun, as it is held until every task has its node.
send_part() {
    name=assay-$id-$1 last=$((count - $1 - 1))
    [ "$last" -lt "$part" ] || last=$((part - 1))
    job=$(cat "$dir/sent/$1" 2>/dev/null)
    [ -n "$job" ] || job=$(squeue -h --name="$name" -o %F | sort -n | head -n 1)
    [ -n "$job" ] || job=$(sbatch --parsable --hold --array="0-$last" --job-name="$name" --output="$dir/log/slurm-%a.out" "$script" \
        part "$1") || exit 2
    job=${job%%;*}
    echo "$job" >"$dir/sent/$1.$$" && mv "$dir/sent/$1.$$" "$dir/sent/$1" || exit 2
    [ ! -e "$dir/sent/$1.pinned" ] || return 0
    hosts | awk -v job="$job" -v first="$1" -v part="$part" 'NR > first && NR <= first + part {
        print "update JobId=" job "_" NR - 1 - first " ReqNodeList=" $1
    }' | scontrol >/dev/null || exit 2
    : >"$dir/sent/$1.pinned"
}

# begin_part FIRST: its tasks may run: all, or those of the first nodes. A sender killed here may have released some that ended.
begin_part() {
    [ ! -e "$dir/sent/$1.begun" ] || return 0
    if [ "$pilots" -eq 0 ]; then let_go "$1" 1 "$count"; else let_go "$1" 1 "$pilots"; fi || exit 2
    : >"$dir/sent/$1.begun"
    [ ! -e "$dir/sent/released" ] || release_rest
}

send() {
    leave_allocation
    make_folders
    make_archive
    [ "$launcher" = slurm ] || return 0
    first=0
    while [ "$first" -lt "$count" ]; do
        send_part "$first"
        begin_part "$first"
        first=$((first + part))
    done
}

# ---- a task ----

say() { printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" >>"$log"; }

# finish STATUS REASON: the last thing that a task does; whole or not at all. Nothing is left of the program by then.
place=
finish() {
    say "end: $1 $2"
    [ -z "$place" ] || rm -rf "$place"
    printf '%s %s\n' "$1" "$2" >"$end.$$" && mv "$end.$$" "$end"
    exit 0
}

# A command of the task. If the task is asked to stop, so is the command, and its end is waited for.
child="" stopped=""
attempt() {
    status=143
    if [ -z "$stopped" ]; then
        "$@" </dev/null >>"$log" 2>&1 &
        child=$!
        wait "$child"
        status=$?
    fi
    [ -n "$stopped" ] || return "$status"
    [ -z "$child" ] || wait "$child"
    finish 124 "stopped by the batch system: time is up (@MINUTES@ minutes), or it was cancelled; what was measured is kept"
}

# bring: the program into a folder of this node, which goes away with the task.
bring() {
    place=$broadcast/assay-$id-$host archive=$broadcast/assay-$id-$host/assay.tar.gz
    trap 'rm -rf "$place"' EXIT
    rm -rf "$place" && mkdir -p "$broadcast" && mkdir -m 700 "$place" || return
    if [ -n "${SLURM_JOB_ID:-}" ]; then sbcast --force "$dir/assay.tar.gz" "$archive"; else cp "$dir/assay.tar.gz" "$archive"; fi &&
        tar -C "$place" -xzf "$archive" && rm "$archive" && assay=$place/bin/assay
}

# last_words: the line of the log that says what was wrong.
last_words() { tail -n 1 "$log" | cut -c 1-300; }

task() {
    host=$1
    log=$dir/log/$host end=$dir/end/$host
    further=$(hosts | awk -v host="$host" '$1 == host { $1 = ""; print; exit }')
    make_folders
    [ -e "$dir/nodes/$host.json" ] && [ -e "$end" ] && exit 0
    rm -f "$end"
    say "start on $(uname -n)${SLURM_JOB_ID:+, job $SLURM_JOB_ID}${SLURM_RESTART_COUNT:+, restart $SLURM_RESTART_COUNT}"
    trap 'stopped=yes; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM INT
    if [ -n "${SLURMD_NODENAME:-}" ] && [ "$SLURMD_NODENAME" != "$host" ]; then
        finish 2 "Slurm gave it $SLURMD_NODENAME, which is not $host: the task was not bound to its node"
    fi
    [ -z "$broadcast" ] || bring 2>>"$log" || finish 2 "--broadcast $broadcast: $(last_words)"
    [ -x "$assay" ] || finish 2 "$assay: not there or no program; it must lie in a folder that all nodes share"
    # Do the counters of this node count at all? A broken node ends here, after seconds.
    for word in $further; do
        [ -z "$was_node" ] || node=$word
        was_node=
        [ "$word" != --node ] || was_node=yes
    done
    [ "$node" != native ] || attempt "$assay" doctor
    attempt "$assay" doctor --node "$node" || finish 2 "$(last_words)"
    [ "$pilots" -eq 0 ] || [ "$launcher" != slurm ] || [ -e "$dir/sent/released" ] || release_rest 2>>"$log"
    # shellcheck disable=SC2086 # words
    attempt "$assay" validate $patterns --node "$node" $options $further --out "$dir/full/$host.json"
    validated=$status
    [ "$validated" -le 1 ] || finish "$validated" "$(last_words)"
    words=$(last_words)
    attempt "$assay" compact "$dir/full/$host.json" --least --out "$dir/nodes/$host.json" || finish 2 "$(last_words)"
    [ "$validated" -eq 0 ] && finish 0 "done"
    finish 1 "$words"
}

was_node=
script=$0
case ${1:-} in
send) send ;;
release) release_rest ;;
part) task "$(hosts | sed -n "$(($2 + SLURM_ARRAY_TASK_ID + 1))s/ .*//p")" ;;
task) task "$2" ;;
rank)
    here=$(uname -n)
    host=$(hosts | awk -v here="$here" '{ name = $1; sub(/\..*/, "", name); sub(/\..*/, "", here) } name == here { print $1; exit }')
    [ -n "$host" ] || { echo "$here is none of the fleet's hosts" >&2; exit 2; }
    task "$host"
    ;;
*) echo "usage: sh $0 send | task HOST | rank | release" >&2 && exit 2 ;;
esac
