# slurm.bash - a Slurm of four nodes on this machine: munged, slurmctld and four slurmd on free ports, all their files in a folder of their
# own. Neither systemd nor cgroups; nothing outside of the folder is touched, and nothing is left running.
# SPDX-License-Identifier: GPL-3.0-or-later

# free_ports N: that many ports on which nobody listens.
free_ports() {
    python3 -c 'import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in sockets: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))' "$1"
}

# start_slurm: sets SLURM_CONF and slurm_folder, and returns when all nodes are idle. Its processes are named in the file pids.
start_slurm() {
    local folder ports
    folder=$(mktemp -d /tmp/assay-slurm-XXXXXX) # the path of a socket must be short
    slurm_folder=$folder
    export SLURM_CONF=$folder/slurm.conf
    mkdir "$folder/state"
    chmod 755 "$folder"
    head -c 128 /dev/urandom >"$folder/key"
    chmod 400 "$folder/key"
    read -r -a ports < <(free_ports 5)
    cat >"$SLURM_CONF" <<CONF
ClusterName=assay
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
KillWait=2
NodeName=n[1-4] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[${ports[1]},${ports[2]},${ports[3]},${ports[4]}] CPUs=1 RealMemory=100
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    # Without /sys/fs/cgroup a newer slurmd (Debian 13's 24.11) does not start unless it is told so; 22.05 knows no such word, and needs none.
    case $(slurmd -V) in *" 2"[012].*) ;; *) echo CgroupPlugin=disabled >"$folder/cgroup.conf" ;; esac
    keep_running munged --foreground --force --socket="$folder/munge" --key-file="$folder/key" --log-file="$folder/munged.log" \
        --pid-file="$folder/munged.pid" --seed-file="$folder/seed"
    wait_until test -S "$folder/munge" || return 1
    keep_running slurmctld -D
    start_nodes
}

# start_nodes: those that do not run; returns when all are idle.
start_nodes() {
    local node
    for node in n1 n2 n3 n4; do
        kill -0 "$(cat "$slurm_folder/$node.pid" 2>/dev/null)" 2>/dev/null || start_node $node
    done
    wait_until all_idle
}

# start_node NODE
start_node() {
    mkdir -p "$slurm_folder/spool-$1"
    keep_running slurmd -D -N "$1"
}

# keep_running COMMAND...: in the background, to be ended by stop_slurm, with none of the test's files open.
keep_running() {
    "$@" </dev/null >>"$slurm_folder/out" 2>&1 3>&- &
    echo $! >>"$slurm_folder/pids"
}

all_idle() { [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" -eq 4 ]; }

# wait_until COMMAND...: at most a minute.
wait_until() {
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        "$@" && return 0
        sleep 0.1
    done
    echo "not within a minute: $*"
    [ ! -e "${slurm_folder:-}/out" ] || tail -n 20 "$slurm_folder/out"
    return 1
}

# tree PROCESS: it and all that it has started, the youngest first.
tree() {
    local child
    for child in $(pgrep -P "$1"); do tree "$child"; done
    echo "$1"
}

# kill_node NODE JOB: imitates the death of a node: its daemon, the job's step and all its processes end at once, and the controller
# marks the node (SlurmdTimeout would make the test wait).
kill_node() {
    local step
    step=$(pgrep -f "^slurmstepd: \[$2.batch\]")
    # shellcheck disable=SC2046 # words
    kill -KILL "$(cat "$slurm_folder/$1.pid")" $(tree "$step")
    scontrol update NodeName="$1" State=DOWN Reason=killed
}

# heal_slurm: ends all tasks and waits until all nodes are idle, also after a failed test.
heal_slurm() {
    scancel --quiet --user="$(id -un)" || true
    start_nodes
}

stop_slurm() {
    local step pids
    [ -n "${slurm_folder:-}" ] || return 0
    scancel --quiet --user="$(id -un)" 2>/dev/null || true
    mapfile -t pids <"$slurm_folder/pids"
    for step in $(pgrep -f "^slurmstepd: \[" || true); do # only those of this Slurm have its configuration
        if grep -qzF "SLURM_CONF=$SLURM_CONF" "/proc/$step/environ" 2>/dev/null; then pids+=($(tree "$step")); fi
    done
    kill -KILL "${pids[@]}" 2>/dev/null || true
    rm -rf "$slurm_folder"
}
