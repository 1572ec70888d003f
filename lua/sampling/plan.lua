-- plan.lua - plans sampling: events, periods, and the program's run lengths. SPDX-License-Identifier: GPL-3.0-or-later
--
--   sampling.make{ events = { name .. }, codes = { [event] = { unit =, code =, umask =, cores = cores count it } }, said =
--     concepts.events(), groups = { [name] = group.parse() }, list = event_list.read(), arch =, periods = array |nil, native =,
--     own = the program is the one whose functions are known } -> { native =, events = array of { event =, said = text |nil, perf =
--     perf's name for it |nil: none }, periods = array, ascending, runs = array of { rounds = of our own program |nil } }
--   judge.sampling.find{ plan =, runs = measured, said = } -> found          sampling.report.text.render{ found = } -> { text = }
local array = require "input.array"
local lists = require "input.lists"

local sampling = {}

-- Sampled by default: events spread evenly over a program, in parts of it, in few places, and at random.
local CONCEPTS = { "instructions", "loads", "lines into L1", "mispredicted branches" }

-- A sample is free on a virtual node; on silicon it is an interrupt.
local POWERS = { virtual = { 2, 3, 4, 5 }, native = { 4, 5, 6 } }
local ROUNDS = { virtual = { 20, 200, 2000 }, native = { 200, 2000, 20000 } }

local function is_prime(number)
    for divisor = 2, math.floor(math.sqrt(number)) do
        if number % divisor == 0 then
            return false
        end
    end
    return number > 1
end

-- For each power of ten the power itself and the largest prime below it.
function sampling.periods(powers)
    local list = array()
    for _, power in ipairs(powers) do
        local round = math.tointeger(10 ^ power)
        local prime = round
        repeat
            prime = prime - 1
        until is_prime(prime)
        list[#list + 1], list[#list + 2] = prime, round
    end
    return list
end

-- The core event documented to count the concept: one of a group if possible, else the first by name. perf has no fixed counters.
local function event_of(argument, concept, of_groups)
    local best
    for event, said in pairs(argument.said) do
        local code = argument.codes[event]
        if said.text == concept and code and code.cores and not (argument.native and code.unit ~= "PMC") then
            local one = { event = event, rank = of_groups[event] and 1 or 2 }
            if not best or one.rank < best.rank or one.rank == best.rank and one.event < best.event then
                best = one
            end
        end
    end
    return best and best.event
end

local function perf_name(code)
    return code and code.unit == "PMC" and ("r%x:u"):format((code.code & 0xf00) << 24 | code.umask << 8 | code.code & 0xff) or nil
end

-- Refuses unknown event names.
local function check_names(argument)
    local known = lists.set(argument.list, "event")
    local unknown = lists.find(argument.events, function(name) return not known[name] end)
    if unknown then
        error(("%s: no event of %s; likwid-perfctr -e lists them"):format(unknown, argument.arch), 0)
    end
end

local function choose(argument)
    local groups = argument.groups
    local of_groups = lists.set(lists.flat(lists.sorted(groups), function(name) return groups[name].events end), "event")
    check_names(argument)
    local names = lists.append({}, #argument.events == 0 and CONCEPTS or {}, function(concept)
        return event_of(argument, concept, of_groups)
    end)
    lists.append(names, argument.events)
    if #names == 0 then
        error(("groups/%s/pmu.concepts names no event for what is sampled by default; name events"):format(argument.arch), 0)
    end
    return names
end

function sampling.make(argument)
    local kind = argument.native and "native" or "virtual"
    local plan = { native = argument.native, events = array(), runs = array() }
    plan.periods = array(lists.sorted(lists.set(argument.periods or sampling.periods(POWERS[kind]))))
    lists.append(plan.events, choose(argument), function(name)
        local said = argument.said[name]
        return { event = name, said = said and said.text, perf = perf_name(argument.codes[name]) }
    end)
    for i, rounds in ipairs(argument.own and ROUNDS[kind] or {}) do
        plan.runs[i] = { rounds = rounds }
    end
    plan.runs[1] = plan.runs[1] or {}
    return plan
end

return sampling
