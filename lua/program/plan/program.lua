-- program.lua - plans the runs of a user's program: the events of each run, and how the program is started.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Order of calls by the host (validate/program/program_run.h):
--   event_list.read{ text= } -> list
--   program.on_cores{ .. } -> plan      its jobs are run: validate/run/program.h
--   judge.metrics.of_results{ plan =, results =, reps =, machine =, node = } -> the counts of an analysis record
--
-- want   { name =, events = { { event =, options = } .. } }: events that must be counted at the same time
--        or { name =, events =, turn = }: one more run on a virtual node. Its threads take turns of so many instructions. It counts the
--        witness, and of the events those that other wants name, too, and that have counters at the same time, the first ones first
-- event  { name =, event =, options =, counters = one of each box that counts it, box = kind of counters, scope = "core" | "domain" |
--        "socket": who shares the counter, allowed = indices |nil, is_companion = counted only because another event needs it |nil }
-- run    { name =, text = group file, events = names, places = { [event's name] = counters with options }, beside = { name =, text = }
--        |nil: the group without events of shared counters, for ranks on a socket where another rank counts these, turn = |nil }
local array = require "input.array"
local cores = require "plan.cores"
local event_counters = require "plan.event_counters"
local fit = require "program.plan.fit"
local group_file = require "input.group"
local lists = require "input.lists"
local pack = require "plan.pack"
local sets = require "program.plan.sets"

local program = {}

-- Number of general counters of a hardware thread: from CPUID, or from a virtual node's description.
local function count_counters(machine, node)
    local perfmon = machine.processor and machine.processor.perfmon
    return node.kind == "virtual" and perfmon and perfmon.counters or node.counters or 0
end

-- Kinds of counters as in program/plan/fit.lua; a core that runs one hardware thread has more.
local function boxes_of(machine, node)
    local boxes, there = {}, count_counters(machine, node)
    for _, one in ipairs(machine.counters) do
        local has_all = one.without_smt and node.smt == 1 and there >= one.without_smt
        boxes[one.name] = setmetatable({ count = has_all and one.without_smt or one.count }, { __index = one })
    end
    return boxes
end

local function entry_of(list, name)
    return lists.find(list, function(one) return one.event == name end)
end

-- The event with that name and options; nil and the reason if the node cannot count it.
local function resolve(context, wanted)
    local entry = entry_of(context.list, wanted.event)
    if not entry then
        return nil, "LIKWID knows no such event here"
    elseif entry.lacks then
        return nil, entry.lacks
    end
    local words = entry.counters
    local counters, only = event_counters.find(words, context.machine, context.node)
    if not counters then
        return nil, ("%s counts it on %s, which this node has not"):format("LIKWID", #words > 40 and words:sub(1, 40) .. ".." or words)
    end
    local _, _, box = pack.locate(context.machine, counters[1])
    return {
        event = wanted.event,
        options = wanted.options or "",
        counters = counters,
        box = box.name,
        scope = box.shared_by or (box.boxes and "socket" or "core"),
        allowed = only[box.name] or (box.only or {})[wanted.event],
    }
end

local function key_of(wanted)
    return wanted.event .. ":" .. (wanted.options or "")
end

-- All events of the wants, without duplicates; an event's `companion` must be counted with it.
local function collect(context, wants)
    local known, absent = {}, array()
    context.events = array()
    local function add(wanted)
        local key = key_of(wanted)
        if known[key] == nil then
            local event, reason = resolve(context, wanted)
            if event then
                event.name = ("E%d"):format(#context.events + 1)
                context.events[#context.events + 1] = event
                local with = (context.boxes[event.box].with or {})[event.event]
                event.companion = with and add { event = with, options = "" } or nil
                if event.companion then
                    event.companion.is_companion = true
                end
            else
                absent[#absent + 1] = { event = wanted.event, options = wanted.options or "", reason = reason }
            end
            known[key] = event or false
        end
        return known[key]
    end
    local found = {}
    for i, want in ipairs(wants) do
        local events, seen = {}, {}
        for _, wanted in ipairs(want.events) do
            local event = add(wanted)
            for _, one in ipairs { event or nil, event and event.companion } do
                events[#events + 1] = not seen[one] and one or nil
                seen[one] = true
            end
        end
        found[i] = { name = want.name, events = events }
    end
    return found, absent
end

-- An event of a set, on all counters that the set gives it.
local function places_of(event, index)
    return array(lists.map(event.counters, function(counter)
        local slot = counter:match "^(.-)%d+$"
        return group_file.with_options(slot .. index, event.options)
    end))
end

local function group_text(name, lines)
    return table.concat({ "SHORT " .. name, "", "EVENTSET", table.concat(lines, "\n"), "", "METRICS", "Runtime (RDTSC) [s] time", "",
        "LONG", "Events of one run, raw counts only.", "" }, "\n")
end

-- Names of all runs have equal lengths: they are in the program's environment, whose size moves the start of its stack.
local function make_run(context, number, set)
    local run = { name = ("ASSAY_SET_%03d"):format(number), places = {}, events = array() }
    local all, own = {}, {}
    local index = fit.assign(set, context.boxes)
    table.sort(set, function(a, b)
        if a.box ~= b.box then
            return a.box < b.box
        end
        return index[a.name] < index[b.name]
    end)
    for i, event in ipairs(set) do
        run.events[i], run.places[event.name] = event.name, places_of(event, index[event.name])
        for _, place in ipairs(run.places[event.name]) do
            local line = place .. " " .. event.event
            all[#all + 1] = line
            own[#own + 1] = event.scope == "core" and line or nil
        end
    end
    run.text = group_text(run.name, all)
    if #own < #all and #own > 0 then
        local name = ("ASSAY_OWN_%03d"):format(number)
        run.beside = { name = name, text = group_text(name, own) }
    end
    return run
end

-- Adds the witness and the wanted events of fixed counters to each set; they take no counters from other events.
local function add_free(context, packed)
    for i, set in ipairs(packed.sets) do
        local wider = { table.unpack(set) }
        local there = lists.set(set)
        for _, event in ipairs(context.events) do
            if not there[event] and (context.boxes[event.box].fixed or event == context.witness) then
                local with = { table.unpack(wider) }
                with[#with + 1] = event
                wider = fit.assign(with, context.boxes) and with or wider
            end
        end
        packed.sets[i] = wider
    end
end

-- The witness, and the events of a run with other turns.
local function turned_set(context, want)
    local set = { context.witness }
    for _, wanted in ipairs(want.events) do
        local event = lists.find(context.events, function(one) return key_of(one) == key_of(wanted) end)
        if event and not lists.contains(set, event) and event.scope == "core" and not event.companion then
            local with = { table.unpack(set) }
            with[#with + 1] = event
            set = fit.assign(with, context.boxes) and with or set
        end
    end
    return set
end

local function sockets_of(node, cpus)
    local found = {}
    for socket, its in ipairs(node.cpus_by_socket) do
        for _, cpu in ipairs(its) do
            for _, own in ipairs(cpus) do
                found[socket] = found[socket] or cores.first_of(node, own) == cpu or nil
            end
        end
    end
    return found
end

-- Ranks, and whether an earlier rank is on the same socket.
local function ranks_of(ranks, node)
    local taken = {}
    return array(lists.map(ranks, function(cpus)
        local is_beside = false
        for socket in pairs(sockets_of(node, cpus)) do
            is_beside, taken[socket] = is_beside or taken[socket] == true, true
        end
        return { cpus = array(cpus), is_beside = is_beside }
    end))
end

-- { wants = array of wants, machine =, node =, list = LIKWID's events, command = words, ranks = array of the cores of each process,
--   marker = measure its regions instead of the whole program, launcher = words |nil } -> { jobs = { one }, events = array,
--   witness = name of an event |nil, absent = array of { event =, options =, reason = } for events that the node does not have, least =,
--   exact =, first_fit =, split = as in sets.lua }
function program.plan(argument)
    local context = setmetatable({ boxes = boxes_of(argument.machine, argument.node) }, { __index = argument })
    local wants, probe = lists.filter(argument.wants, function(want) return not want.turn end), argument.machine.probe
    local alone = { name = "witness", events = { { event = probe.event, options = "" } } }
    table.insert(wants, 1, alone)
    local wanted, absent = collect(context, wants)
    context.witness = table.remove(wanted, 1).events[1]
    local packed = sets.pack { wants = wanted, boxes = context.boxes }
    if #packed.sets == 0 and context.witness then
        packed.sets[1] = { context.witness }
    end
    add_free(context, packed)
    local runs = array(lists.map(packed.sets, function(set, number) return make_run(context, number, set) end))
    for _, want in ipairs(argument.wants) do
        if want.turn and context.witness then
            runs[#runs + 1] = make_run(context, #runs + 1, turned_set(context, want))
            runs[#runs].turn = want.turn
        end
    end
    for _, event in ipairs(context.events) do
        event.companion = nil
    end
    return {
        jobs = array { {
            id = argument.scaled and ("program.%d"):format(argument.threads) or "program",
            threads = argument.scaled and argument.threads or nil,
            command = argument.command,
            launcher = argument.launcher,
            marker = argument.marker,
            ranks = ranks_of(argument.ranks, argument.node),
            runs = runs,
        } },
        events = context.events,
        witness = context.witness and context.witness.name,
        absent = absent,
        least = packed.least,
        exact = packed.exact,
        first_fit = packed.first_fit,
        split = packed.split,
    }
end

-- The same with cores = "0-3,8" |nil, processes = number, threads = per process, instead of ranks (plan/cores.lua). scaled = true |nil: the
-- job sets OMP_NUM_THREADS to `threads`, and takes so many of the cores.
function program.on_cores(argument)
    argument.ranks = cores.deal { node = argument.node, text = argument.cores, ranks = argument.processes, threads = argument.threads,
        scaled = argument.scaled }
    return program.plan(argument)
end

return program
