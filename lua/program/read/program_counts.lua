-- program_counts.lua - merges the raw counts of all runs of a program: all counts of each event in each region of each thread.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Nothing is derived or corrected here. Indices in the result are those of JSON arrays, from 0. An event without a value has no entry; a
-- message gives the reason. The counter of a socket (or last-level domain) belongs to its first thread only: it has no value in the
-- others, for which LIKWID prints 0.
local array = require "input.array"
local companions = require "plan.companions"
local cores = require "plan.cores"
local counts_file = require "read.counts"
local lists = require "input.lists"

local program_counts = {}

-- Variation of a program's instructions per region between runs that the Marker API and the system can cause.
local STEADY_SHARE, STEADY_COUNT = 0.01, 2000

local function leaves_of(job, node)
    local leaves = array()
    for process, rank in ipairs(job.ranks) do
        for thread, cpu in ipairs(rank.cpus) do
            leaves[#leaves + 1] = { process = process - 1, thread = thread - 1, core = cpu, host = node.name }
        end
    end
    return leaves
end

local function part_of(parts, cpu)
    for number, cpus in ipairs(parts) do
        if lists.contains(cpus, cpu) then
            return number
        end
    end
    return nil
end

-- { [scope] = { [leaf's number] = true } }: leaves that have values of events of that scope.
local function owners_of(leaves, node)
    local owners = { core = {}, domain = {}, socket = {} }
    for scope, parts in pairs { domain = node.cpus_by_domain, socket = node.cpus_by_socket } do
        local taken = {}
        for i, leaf in ipairs(leaves) do
            local part = part_of(parts, cores.first_of(node, leaf.core)) or 0
            owners[scope][i], taken[part] = not taken[part], true
        end
    end
    for i in ipairs(leaves) do
        owners.core[i] = true
    end
    return owners
end

local function each_result(argument)
    local list = {}
    for rep = 1, argument.reps do
        for job, run in companions.runs(argument.plan) do
            local result = argument.results[companions.run_id(job, run, rep)]
            if result then
                list[#list + 1] = { run = run, rep = rep, result = result }
            end
        end
    end
    return list
end

local function regions_of(measured)
    local found = {}
    for _, one in ipairs(measured) do
        for _, counted in ipairs(one.result.ranks or {}) do
            for region in pairs(counted) do
                found[region] = true
            end
        end
    end
    return array(lists.sorted(found))
end

-- The row of a leaf in a region of a run; nil if it was not there. LIKWID prints rows of zeros for threads that never entered a region.
local function row_of(result, leaf, region)
    return lists.find((result.ranks[leaf.process + 1] or {})[region] or {}, function(row)
        return row.cpu == leaf.core and row.calls ~= 0
    end)
end

-- The sum over the event's counters; nil and the reason if there is none.
local function count_of(machine, result, row, places)
    local sum = 0
    for _, place in ipairs(places) do
        local counter = place:match "^%w+"
        local value = row.counts[place]
        if (result.not_counted or {})[counter] then
            return nil, result.not_counted[counter]
        elseif not value then
            return nil, (row.absent or {})[place] or "not programmed"
        elseif value >= counts_file.half_of(machine, counter) then
            return nil, "wrapped"
        end
        sum = sum + value
    end
    return sum
end

local function add_reason(context, event, reason)
    local name = event.event .. (event.options ~= "" and ":" .. event.options or "")
    context.reasons[name] = context.reasons[name] or reason
end

-- Values of one event in a region and leaf over all runs that count it; turned = true: over those whose threads take other turns.
local function values_of(context, event, region, leaf, turned)
    local values = array()
    for _, one in ipairs(context.measured) do
        local places = (one.run.turn ~= nil) == (turned or false) and one.run.places[event.name]
        local row = places and one.result.ranks and row_of(one.result, leaf, region)
        if row then
            local value, reason = count_of(context.machine, one.result, row, places)
            values[#values + 1] = value
            if not value then
                add_reason(context, event, reason)
            end
        end
    end
    return values
end

-- turned: as for values_of
local function read_counts(context, turned)
    local counts = array()
    for _, event in ipairs(context.plan.events) do
        for r, region in ipairs(event.is_companion and {} or context.regions) do
            for i, leaf in ipairs(context.leaves) do
                local values = context.owners[event.scope][i] and values_of(context, event, region, leaf, turned) or {}
                if #values > 0 then
                    counts[#counts + 1] = { event = event.event, options = event.options, region = r - 1, leaf = i - 1, values = values }
                end
            end
        end
    end
    return counts
end

-- Does the program execute the same work in each run, by its counts of instructions?
function program_counts.is_steady(values)
    local least, most = math.min(table.unpack(values)), math.max(table.unpack(values))
    return most - least <= STEADY_SHARE * most + STEADY_COUNT
end

-- Those of the counts that are of the witness, with: is the work the same in each run? None if no event is the witness (nil).
local function find_witness(event, counts)
    return array(lists.collect(event and counts or {}, function(one)
        return one.event == event.event and one.options == event.options and { region = one.region, leaf = one.leaf, event = one.event,
            values = one.values, steady = program_counts.is_steady(one.values) }
    end))
end

local function where_of(context, one)
    local region, leaf = context.regions[one.region + 1], context.leaves[one.leaf + 1]
    return (region ~= "" and "region " .. region .. ", " or "") .. ("process %d, thread %d"):format(leaf.process, leaf.thread)
end

local function write_messages(context, witness)
    for _, one in ipairs(context.plan.absent) do
        context.reasons[one.event .. (one.options ~= "" and ":" .. one.options or "")] = one.reason
    end
    local messages = array(lists.collect(lists.sorted(context.reasons), function(name)
        return ("%s has no value: %s"):format(name, context.reasons[name])
    end))
    for _, one in ipairs(witness) do
        if not one.steady then
            local least, most = math.min(table.unpack(one.values)), math.max(table.unpack(one.values))
            messages[#messages + 1] = ("the program differs from run to run, so that counts do not belong together: %s %.0f to %.0f in %s")
                :format(one.event, least, most, where_of(context, one))
        end
    end
    return messages
end

local function list_runs(context)
    local names = {}
    for _, event in ipairs(context.plan.events) do
        names[event.name] = event.event .. (event.options ~= "" and ":" .. event.options or "")
    end
    return array(lists.map(context.measured, function(one)
        local events = array(lists.map(one.run.events, function(name) return names[name] end))
        return { events = events, seconds = one.result.seconds, rep = one.rep, turn = one.run.turn }
    end))
end

local function list_failures(context)
    return array(lists.collect(context.measured, function(one)
        return one.result.why and { command = one.result.command, status = one.result.status,
            stderr_tail = ("%s: %s"):format(one.result.why, one.result.messages or "") }
    end))
end

local function add_statuses(context, messages)
    local first
    for _, one in ipairs(context.measured) do
        if not one.result.why and one.result.status ~= 0 then
            local said = (one.result.messages or ""):gsub("%s*\n%s*", "; "):gsub("; $", "")
            first = first or ("the program ended with status %d%s"):format(one.result.status, said ~= "" and ": " .. said or "")
        end
    end
    messages[#messages + 1] = first
end

-- Names regions without counts: registered but never entered, or entered and never left.
local function add_skipped(context, messages)
    local runs = {}
    for _, one in ipairs(context.measured) do
        for _, region in ipairs(one.result.skipped or {}) do
            runs[region] = (runs[region] or 0) + 1
        end
    end
    for _, region in ipairs(lists.sorted(runs)) do
        messages[#messages + 1] = ("region %s has no counts in %d of %d runs: it was registered and not entered, or not left")
            :format(region, runs[region], #context.measured)
    end
end

-- { plan = as in plan/program.lua, results =, reps =, machine =, node = } -> keys of the analysis record: { system =, regions =, runs =,
-- counts =, witness =, turned_counts = counts in runs with other turns |nil, turned = the witness' among these |nil, messages =,
-- failures = }.
function program_counts.read(argument)
    local job = argument.plan.jobs[1]
    local leaves = leaves_of(job, argument.node)
    local context = setmetatable({ leaves = leaves, owners = owners_of(leaves, argument.node), measured = each_result(argument),
        reasons = {} }, { __index = argument })
    context.regions = regions_of(context.measured)
    local counts = read_counts(context)
    local event = lists.find(argument.plan.events, function(one) return one.name == argument.plan.witness end)
    local witness = find_witness(event, counts)
    local turned_counts = read_counts(context, true)
    local turned = array(lists.map(find_witness(event, turned_counts), function(one)
        one.steady = nil -- of one run
        return one
    end))
    local messages = write_messages(context, witness)
    add_statuses(context, messages)
    add_skipped(context, messages)
    return {
        system = leaves,
        regions = context.regions,
        runs = list_runs(context),
        counts = counts,
        witness = witness,
        turned = #turned > 0 and turned or nil,
        turned_counts = #turned_counts > 0 and turned_counts or nil,
        messages = messages,
        failures = list_failures(context),
    }
end

return program_counts
