-- cores.lua - distributes a user's list of cores to the processes of a program.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local lists = require "input.lists"

local cores = {}

-- The hardware thread that stands for a thread's core in the node's lists of cores.
function cores.first_of(node, cpu)
    local siblings = lists.find(node.siblings or {}, function(threads) return lists.contains(threads, cpu) end)
    return siblings and siblings[1] or cpu
end

local function read_list(text)
    local found = array()
    for part in (text .. ","):gmatch "([^,]*)," do
        local first, last = part:match "^(%d+)%-(%d+)$"
        first = tonumber(first or part:match "^%d+$")
        last = tonumber(last) or first
        if not first or last < first or last - first > 4096 then
            error(("--cores %s: '%s' is no core and no range of cores; a list is '0-3,8'"):format(text, part), 0)
        end
        for cpu = first, last do
            if lists.contains(found, cpu) then
                error(("--cores %s: core %d is named twice"):format(text, cpu), 0)
            end
            found[#found + 1] = cpu
        end
    end
    return found
end

local function check(text, chosen, all, node)
    for _, cpu in ipairs(chosen) do
        if not lists.contains(all, cores.first_of(node, cpu)) then
            local left_out = table.concat(node.left_out or {}, "; ")
            error(("--cores %s: node %s has no core %d%s; it has %d"):format(text, node.name, cpu,
                left_out ~= "" and (" that may be used (%s)"):format(left_out) or "", #all), 0)
        end
    end
end

local function first_cores(argument, chosen)
    local count = argument.ranks * argument.threads
    if count > #chosen then
        error(("--scale %d: --cores %s has %d cores"):format(argument.threads, argument.text, #chosen), 0)
    end
    return array(lists.first(chosen, count))
end

-- { node =, text = "0-3,8" |nil: the first `threads` cores for each process, ranks = number of processes, threads =, scaled = true: only
-- the first `threads` cores of `text` for each process |nil } -> array of the cores of each process
function cores.deal(argument)
    local node, ranks = argument.node, argument.ranks
    local all = lists.flat(node.cpus_by_socket)
    local chosen = argument.text and read_list(argument.text)
    if chosen then
        check(argument.text, chosen, all, node)
        chosen = argument.scaled and first_cores(argument, chosen) or chosen
    elseif ranks * argument.threads > #all then
        error(("%d processes of %d threads need %d cores, node %s has %d; name fewer with --ranks, or --cores"):format(ranks,
            argument.threads, ranks * argument.threads, node.name, #all), 0)
    else
        chosen = lists.first(all, ranks * argument.threads)
    end
    if #chosen % ranks ~= 0 then
        error(("--cores %s: %d cores cannot be dealt out evenly to %d processes"):format(argument.text, #chosen, ranks), 0)
    end
    return array(lists.map(lists.parts(chosen, #chosen // ranks), array))
end

return cores
