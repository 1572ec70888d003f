-- status.lua - progress of a fleet's nodes, from the files that their tasks write and from Slurm's queue and nodes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- status.judge{ manifest = { id =, part =, hosts = array of names }, ends = { [host] = text of end/HOST }, started, records = arrays of
-- hosts, queue = text of squeue, lines "NAME|INDEX|STATE|REASON", nodes = text of sinfo, lines "HOST|STATE|REASON"; both absent
-- without Slurm }
-- -> { hosts = array of { host =, state =, why = }, counts = { [state] = number }, over = true if no task is to be waited for, text =
-- a line, verdicts = words for the letters in collections (gather.h) }; without a manifest only `verdicts`.
--
-- done         it has a record, and its task has ended
-- running      its task is running
-- pending      its task is in the queue
-- held         its task waits for one of the first nodes to count; not waited for if none of these is running any more
-- failed       its task ended without a record and states the reason
-- unavailable  its task waits for a node that is down or drained; not waited for, but the task runs if the node comes back
-- lost         its task was sent or had begun, but is neither in the queue nor ended: it was killed, or its node died
-- unsent       its task was not submitted
local array = require "input.array"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local status = {}

status.STATES = { "done", "running", "pending", "held", "failed", "unavailable", "lost", "unsent" }

local AWAITED = { running = true, pending = true }
-- sinfo's states of nodes on which nothing will run without an administrator.
local UNAVAILABLE = { "^down", "^drain", "^fail", "^error", "^unk", "^power", "^maint", "^reboot", "%*$" }

-- { [host] = { state =, reason = } } from squeue's lines.
local function read_queue(manifest, text)
    local queue = {}
    for line in text:gmatch "[^\n]+" do
        local name, index, state, reason = line:match "^([^|]*)|(%d+)|([^|]*)|(.*)$"
        local first = name and name:match "^assay%-.*%-(%d+)$"
        local host = first and manifest.hosts[tonumber(first) + tonumber(index) + 1]
        if host and name == ("assay-%s-%s"):format(manifest.id, first) then
            queue[host] = { state = state, reason = reason }
        end
    end
    return queue
end

local function read_nodes(text)
    local nodes = {}
    for line in text:gmatch "[^\n]+" do
        local host, state, reason = line:match "^([^|]*)|([^|]*)|(.*)$"
        if host then
            nodes[host] = { state = state:lower(), reason = reason }
        end
    end
    return nodes
end

local function is_unavailable(node)
    return lists.any(UNAVAILABLE, function(pattern) return node and node.state:find(pattern) end)
end

-- State of a task in the queue.
local function waiting(entry, node, first)
    if entry.state ~= "PENDING" and entry.state ~= "REQUEUED" and entry.state ~= "REQUEUE_HOLD" then
        return "running", entry.state:lower()
    end
    if is_unavailable(node) then
        local reason = node.reason ~= "none" and node.reason ~= "" and ": " .. node.reason or ""
        return "unavailable", ("its node is %s%s"):format(node.state, reason)
    end
    if first > 0 and entry.reason:find "^JobHeld" then
        return "held", "until one of the first nodes counts; let it go: sh DIR/fleet.sh release"
    end
    return "pending", entry.reason
end

-- State and reason of one host.
local function state_of(host, seen)
    local code, words = (seen.ends[host] or ""):match "^(%d+) ?([^\n]*)"
    local entry = seen.queue and seen.queue[host]
    if code and tonumber(code) <= 1 and seen.records[host] then
        return "done", tonumber(code) == 1 and words or nil
    elseif entry and not (code and entry.state == "COMPLETING") then
        return waiting(entry, seen.nodes[host], seen.first)
    elseif code then
        return "failed", ("status %s: %s"):format(code, words)
    elseif is_unavailable(seen.nodes[host]) then
        return "lost", ("its task is gone, and its node is %s"):format(seen.nodes[host].state)
    elseif seen.started[host] then
        return seen.queue and "lost" or "running",
            seen.queue and "its task began and is gone without a word: it was killed, or its node died" or "begun, by what its log says"
    elseif seen.sent then
        return "lost", "its task never began and is not in the queue: it was cancelled"
    end
    return "unsent", "nobody has sent its task"
end

-- "4 nodes: 2 done, 1 running, 1 failed".
local function line_of(count, counts)
    return ("%d node%s: %s"):format(count, count == 1 and "" or "s", vocabulary.tally(counts, status.STATES, "%d %s"))
end

function status.judge(argument)
    local manifest = argument.manifest
    if not manifest then
        return { verdicts = vocabulary.VERDICTS }
    end
    local seen = { ends = argument.ends, started = lists.set(argument.started or {}), records = lists.set(argument.records or {}),
        sent = argument.sent, first = manifest.first or 0, queue = argument.queue and read_queue(manifest, argument.queue),
        nodes = argument.nodes and read_nodes(argument.nodes) or {} }
    local list, counts, over = array(), {}, true
    for i, host in ipairs(manifest.hosts) do
        local state, why = state_of(host, seen)
        list[i] = { host = host, state = state, why = why }
        counts[state] = (counts[state] or 0) + 1
        over = over and not AWAITED[state]
    end
    return { hosts = list, counts = counts, over = over, text = line_of(#list, counts), verdicts = vocabulary.VERDICTS }
end

-- { status = of judge } -> { text = the line, and one per node that has no record or needs attention }.
function status.render(argument)
    local found = argument.status
    local _, by_state = lists.group(found.hosts, "state")
    local hosts = lists.flat(status.STATES, function(state) return state ~= "unsent" and by_state[state] end)
    local lines = lists.append({ found.text }, hosts, function(entry)
        return (entry.state ~= "done" or entry.why)
            and ("  %-12s %s%s"):format(entry.state, entry.host, entry.why and ": " .. entry.why or "")
    end)
    return { text = table.concat(lines, "\n") .. "\n" }
end

return status
