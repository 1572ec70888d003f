-- plan.lua - writes the batch script that validates many nodes, one task per node: by Slurm, an MPI launcher or by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A Slurm array has one request for all its tasks, so a task is not bound to a node, and two tasks could share a free node one after the
-- other while a third node is waiting. Therefore the array is submitted held. While pending, each task is given its node (scontrol update
-- ReqNodeList) and then released. So a dead node delays only its own task. The smallest nodes come first, because their time costs least.
-- With `first` only that many tasks are released; the first task whose node counts releases the others, so the user need not wait for it.
local array = require "input.array"
local json = require "report.page.json"

local fleet = {}

local PART = 1000 -- tasks per array: one less than Slurm's default MaxArraySize

local GRACE = 60 -- seconds between the warning signal and the time limit

-- Characters allowed in a word of the script: none is special in the shell, sed or scontrol.
local SAFE = "^[%w_./:=,+@%%%[%]-]+$"

local function check_word(word, where)
    if not word:find(SAFE) then
        error(("%s: %s: letters, digits and _ . / : = , + @ %% [ ] - only"):format(where, word), 0)
    end
    return word
end

-- Quotes a text with single quotes.
local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- { text = lines "HOST OPTION...", # begins a comment; file = its name } -> array of { host, options }: additional options of
-- hosts.
function fleet.node_options(argument)
    local list, number = array(), 0
    for line in (argument.text .. "\n"):gmatch "(.-)\n" do
        number = number + 1
        local words = {}
        for word in line:gsub("#.*", ""):gmatch "%S+" do
            words[#words + 1] = check_word(word, ("%s:%d"):format(argument.file, number))
        end
        if #words == 1 then
            error(("%s:%d: %s has no options; HOST OPTION..., for instance: n7 --node virtual"):format(argument.file, number, words[1]), 0)
        elseif #words > 1 then
            list[#list + 1] = { host = table.remove(words, 1), options = table.concat(words, " ") }
        end
    end
    return list
end

-- A key that sorts names by their numbers: n2 before n10.
local function counted(name)
    return (name:gsub("%d+", function(digits) return ("0"):rep(20 - #digits) .. digits end))
end

-- { [host] = cores } from sinfo's lines "HOST CORES".
local function read_cores(text)
    local cores = {}
    for host, count in text:gmatch "(%S+) (%d+)" do
        cores[host] = tonumber(count)
    end
    return cores
end

-- Fewest cores first, unknown ones last; then by name.
local function sort_by_size(list, cores)
    table.sort(list, function(a, b)
        local left, right = cores[a.host] or math.huge, cores[b.host] or math.huge
        if left ~= right then
            return left < right
        end
        return counted(a.host) < counted(b.host)
    end)
end

-- { hosts = array of names, node_options = of fleet.node_options, file = its file, cores = sinfo's lines "HOST CORES" } ->
-- array of distinct { host, options }, the smallest node first.
function fleet.hosts(argument)
    local further, list, seen = {}, array(), {}
    for _, entry in ipairs(argument.node_options or {}) do
        further[entry.host] = (further[entry.host] and further[entry.host] .. " " or "") .. entry.options
    end
    for _, host in ipairs(argument.hosts) do
        if not seen[host] then
            seen[host] = true
            list[#list + 1] = { host = check_word(host, "--nodes"), options = further[host] or "" }
        end
    end
    sort_by_size(list, read_cores(argument.cores or ""))
    for host in pairs(further) do
        if not seen[host] then
            error(("%s: %s is none of the %d nodes; name it with --nodes, or leave its line out"):format(argument.file, host, #list), 0)
        end
    end
    return list
end

local HEAD = [[
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
]]

local BODY = [[

make_folders() {
    mkdir -p "$dir/nodes" "$dir/full" "$dir/log" "$dir/end" "$dir/sent" || exit 2
    [ -e "$dir/fleet.json" ] || { manifest >"$dir/fleet.json.$$" && mv "$dir/fleet.json.$$" "$dir/fleet.json"; } || exit 2
}

# ---- sending ----

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
child= stopped=
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
    [ "$validated" -eq 0 ] && finish 0 done
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
]]

-- The installation folder of program and data, which is broadcast.
local function prefix_of(argument)
    local prefix = argument.data:match "^(.*)/share/assay$"
    if not prefix or argument.assay ~= prefix .. "/bin/assay" then
        error("--broadcast: this Assay is not installed; make install PREFIX=FOLDER, then FOLDER/bin/assay fleet run", 0)
    elseif not argument.broadcast:find "^/" then
        error(("--broadcast %s: a folder of the nodes' own is expected, from the root on, such as /tmp"):format(argument.broadcast), 0)
    end
    return prefix
end

-- { id =, dir =, assay, data = absolute paths, node =, patterns = array, options = array of further options of validate, minutes =,
--   partition =, hosts = of fleet.hosts, manifest = one line of JSON, broadcast = a folder or nil, first = number }
-- -> { text = the script }.
function fleet.script(argument)
    local lines = {}
    for i, entry in ipairs(argument.hosts) do
        lines[i] = entry.host .. " " .. entry.options -- the blank marks the end of the name
    end
    for _, list in ipairs { argument.patterns, argument.options } do
        for _, word in ipairs(list) do
            check_word(word, "assay fleet run")
        end
    end
    local values = {
        COUNT = ("%d"):format(#argument.hosts),
        MINUTES = ("%d"):format(argument.minutes),
        GRACE = ("%d"):format(GRACE),
        PARTITION = argument.partition and "#SBATCH --partition=" .. check_word(argument.partition, "--partition") or "#",
        ID = quoted(argument.id),
        DIR = quoted(argument.dir),
        ASSAY = quoted(argument.assay),
        NODE = quoted(check_word(argument.node, "--node")),
        PATTERNS = quoted(table.concat(argument.patterns, " ")),
        OPTIONS = quoted(table.concat(argument.options, " ")),
        LAUNCHER = quoted(argument.launcher),
        BROADCAST = quoted(argument.broadcast and check_word(argument.broadcast, "--broadcast") or ""),
        PREFIX = quoted(argument.broadcast and prefix_of(argument) or ""),
        PART = ("%d"):format(PART),
        PILOTS = ("%d"):format(argument.first),
        HOSTS = table.concat(lines, "\n"),
        MANIFEST = argument.manifest,
    }
    return { text = ((HEAD .. BODY):gsub("@(%u+)@", values)) }
end

-- The description of a fleet: DIR/fleet.json.
local function manifest_of(argument)
    local names, further = array(), {}
    for i, entry in ipairs(argument.hosts) do
        names[i] = entry.host
        further[entry.host] = entry.options ~= "" and entry.options or nil
    end
    local manifest = { part = PART, hosts = names, node_options = further, assay = argument.version }
    for _, key in ipairs { "id", "launcher", "node", "minutes", "partition", "first", "broadcast" } do
        manifest[key] = argument[key]
    end
    manifest.patterns, manifest.options = array(argument.patterns), array(argument.options)
    return manifest
end

-- fleet.script's argument, but with hosts = names, node_options = { text =, file = } |nil: lines HOST OPTION..., cores = sinfo's lines
-- nil, version = Assay's, and without manifest -> { text = the script, manifest = }.
function fleet.make(argument)
    local options = argument.node_options
    local planned = setmetatable({}, { __index = argument })
    planned.hosts = fleet.hosts { hosts = argument.hosts, node_options = options and fleet.node_options(options),
        file = options and options.file, cores = argument.cores }
    local manifest = manifest_of(planned)
    planned.manifest = json.encode(manifest)
    return { text = fleet.script(planned).text, manifest = manifest }
end

return fleet
