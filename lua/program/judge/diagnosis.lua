-- diagnosis.lua - which patterns a program shows, by the share of its run time that each can explain.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each pattern gives the cycles that it costs a thread in a region, at least and at most (patterns/*.lua, `explains`). The share is of
-- the region's time, the cycles of its longest thread. On a virtual node the time model leaves out some events; their documented costs
-- are added to the time, so that shares of several patterns can be compared.
--   present     a thread's share is at least `limit` in the interval's lower bound
--   absent      no thread's share reaches `limit` in the upper bound
--   cannot say  otherwise, or if a count is absent, or instead of absent if the counts lack some of the events; or instead of present if
--               only first threads of processes reach the limit in a whole program, with so few cycles that the start of a process may
--               take them (START_CYCLES)
-- Functions of patterns get `at`, a thread in a region:
--   counts         { [name] = the term's value }; those that the machine does not show are absent
--   quantities     { [name] = the quantity that was counted: one of the alternatives in `needs` and `may` }
--   costs          { [name] = { least, most } cycles of one event }
--   threads        the `counts` of all threads of the region, in their order
--   varying        for each thread, in the same order: how many instructions less it executes if threads take other turns; empty if
--                  this was not measured
--   turned         { [name] = the term's value if threads take other turns }, those that were counted; nil if none was
--   turned_longest cycles of the region's longest thread then |nil
--   longest        cycles of the region's longest thread
--   line_cycles    { ["L2-L3"], ["L3-MEM"] = cycles that the sockets of the threads need at least for a line |nil }
--   is_whole       is the region the whole program?
local array = require "input.array"
local cores = require "plan.cores"
local group_file = require "input.group"
local lists = require "input.lists"
local loaded = require "input.loaded"
local rates = require "program.judge.rates"
local stats = require "numeric.stats"
local terms = require "program.plan.terms"

local diagnosis = {}

local CYCLES = "unhalted time"
-- Most cycles that one pattern costs the start of a process, and a third more. An empty C++ program (with iostream) has 2.9e6 instructions
-- on a virtual node, of a cycle each, and waits for 3.0e6 cycles.
local START_CYCLES = 4e6
local DECIMALS = 1e6 -- shares are rounded, so that their sums do not depend on their order

-- { [region and leaf] = { [event's key] = mean count } }, with the first thread's counts of shared counters only.
local function counts_by_place(counts)
    local found = {}
    for _, one in ipairs(counts) do
        local place = one.region .. " " .. one.leaf
        found[place] = found[place] or {}
        found[place][group_file.key(one)] = stats.summary(one.values).avg
    end
    return found
end

-- { [region and leaf] = instructions that a thread executes less if threads take other turns }
local function varying_by_place(counted)
    local turned, found = {}, {}
    for _, one in ipairs(counted.turned or {}) do
        turned[one.region .. " " .. one.leaf] = stats.summary(one.values).avg
    end
    for _, one in ipairs(counted.witness or {}) do
        local place = one.region .. " " .. one.leaf
        found[place] = turned[place] and math.max(0, stats.summary(one.values).avg - turned[place])
    end
    return found
end

-- Number of sockets that have one of these threads.
local function sockets_of(context, leaves)
    return lists.count(context.node.cpus_by_socket, function(cpus)
        return lists.any(leaves, function(leaf)
            return lists.contains(cpus, cores.first_of(context.node, context.counted.system[leaf + 1].core))
        end)
    end)
end

-- Cycles for a line at the peak of the sockets that have one of these threads, by boundary.
local function line_cycles(context, leaves)
    local sockets, found = sockets_of(context, leaves), {}
    for boundary, cycles in pairs(context.line_cycles) do
        found[boundary] = cycles / sockets
    end
    return found
end

-- The first event without a count on a thread that counts it; nil if there is none.
local function absent_event(context, candidate, region, leaf)
    local counts = context.counts[region .. " " .. leaf]
    for _, name in ipairs(lists.sorted(candidate.terms)) do
        for _, event in ipairs(candidate.terms[name].scope == "core" and counts and candidate.terms[name].events or {}) do
            if not counts[group_file.key(event)] then
                return group_file.key(event)
            end
        end
    end
    return nil
end

-- The term's value on a thread; nil if it does not count all of the events.
local function value_of(term, counts)
    local is_there = lists.all(term.events, function(event) return counts[group_file.key(event)] end)
    return is_there and terms.value(term, counts) or nil
end

-- { [name] = value } of the terms that a thread counts.
local function values_of(candidate, counts)
    local values = {}
    for name, term in pairs(candidate.terms) do
        values[name] = value_of(term, counts)
    end
    return values
end

-- Values of the terms on the threads that were in the region, those of a socket on one of its threads: { leaves = array of indices,
-- threads = array of { [name] = value } }; nil and the reason if a count is absent.
local function values_in(context, candidate, region)
    local found = { leaves = {}, threads = {} }
    for leaf = 0, #context.counted.system - 1 do
        local counts = context.counts[region .. " " .. leaf]
        local absent = absent_event(context, candidate, region, leaf)
        if absent then
            return nil, absent .. " has no value"
        elseif counts then
            table.insert(found.leaves, leaf)
            table.insert(found.threads, values_of(candidate, counts))
        end
    end
    return found
end

local function longest_of(threads)
    return lists.most(threads, 0, function(counts) return counts[CYCLES] end)
end

-- Costs and quantities of the terms by their names.
local function costs_of(candidate)
    local costs, quantities = {}, {}
    for name, term in pairs(candidate.terms) do
        costs[name], quantities[name] = term.cost and { term.cost.low, term.cost.high }, term.quantity
    end
    return costs, quantities
end

-- Of these cycles those that the virtual node's time model leaves out: other terms may be in its time already.
local function left_out(candidate, counts, interval)
    local low, high = 0, 0
    for name, term in pairs(candidate.added and candidate.terms or {}) do
        if term.is_left_out then
            low, high = low + counts[name] * term.cost.low, high + counts[name] * term.cost.high
        end
    end
    return { low = math.min(low, interval[1]), high = math.min(high, interval[2]) }
end

-- Cycles of a candidate in a region: { region, longest, leaves, values, why = (what the counts lack) |nil, threads = array of { leaf, low,
-- high, left_out } }; nil and the reason.
local function cycles_in(context, candidate, region)
    local values, why = values_in(context, candidate, region)
    if not values or #values.threads == 0 then
        return nil, why
    elseif longest_of(values.threads) == 0 then
        return nil, CYCLES .. " is 0 on all threads"
    end
    local cycles = loaded.find({ name = candidate.pattern }).explains.cycles
    local found = { region = region, longest = longest_of(values.threads), leaves = values.leaves, values = values.threads, threads = {} }
    local at = { threads = values.threads, longest = found.longest,
        varying = lists.collect(values.leaves, function(leaf) return context.varying[region .. " " .. leaf] end),
        line_cycles = line_cycles(context, values.leaves), is_whole = context.counted.regions[region + 1] == "" }
    at.costs, at.quantities = costs_of(candidate)
    local turned = lists.map(values.leaves, function(leaf)
        return values_of(candidate, context.turned_counts[region .. " " .. leaf] or {})
    end)
    at.turned_longest = lists.all(turned, function(counts) return counts[CYCLES] end) and longest_of(turned) or nil
    for i, counts in ipairs(values.threads) do
        at.counts, at.turned = counts, next(turned[i]) and turned[i] or nil
        local interval = cycles(at)
        found.threads[i] = { leaf = values.leaves[i], low = interval[1], high = interval[2],
            left_out = left_out(candidate, counts, interval) }
        found.why = interval[3]
    end
    return found
end

-- Adds up the cycles of events that the time model leaves out: { [region and leaf] = { low =, high = } }.
local function added_time(list)
    local sums = {}
    for _, one in ipairs(list) do
        for _, place in ipairs(one.candidate.added and one.places or {}) do
            for _, thread in ipairs(place.threads) do
                local key = place.region .. " " .. thread.leaf
                local sum = sums[key] or { low = 0, high = 0 }
                sums[key] = { low = sum.low + thread.left_out.low, high = sum.high + thread.left_out.high }
            end
        end
    end
    return sums
end

local function rounded(value)
    return math.floor(value * DECIMALS + 0.5) / DECIMALS
end

-- The share of a thread's cycles in the region's time. What the time model leaves out is added: of this candidate's events as much as is
-- in its own cycles.
local function share_of(place, thread, sums)
    local sum, own = sums[place.region .. " " .. thread.leaf] or { low = 0, high = 0 }, thread.left_out
    local low = thread.low / (place.longest + own.low + sum.high - own.high)
    local high = thread.high / (place.longest + own.high + sum.low - own.low)
    high = math.min(1, high)
    return { leaf = thread.leaf, low = rounded(math.min(low, high)), high = rounded(high) }
end

local START = "only the thread that starts the program has so large a share: measure the parallel part as a region"
local START_ALONE = "the start of a program may take so much: run it longer, or measure a region"

-- Whether only threads that also start their process reach the limit, and none would without what the start may cost: with one thread, the
-- `start` of the pattern's `explains`.
local function is_start(context, candidate, place, shares)
    local function starts(share)
        return context.counted.system[share.leaf + 1].thread == 0
    end
    local cycles = lists.index(place.threads, "leaf")
    local most = lists.all(shares, starts) and (loaded.find({ name = candidate.pattern }).explains.start or 0) or START_CYCLES
    return context.counted.regions[place.region + 1] == "" and lists.all(shares, function(share)
        return share.low < context.limit or starts(share) and cycles[share.leaf].low - most < context.limit * place.longest
    end)
end

-- The answer, and the reason of some that are "cannot say".
local function answer_of(context, candidate, place, shares)
    if lists.any(shares, function(share) return share.low >= context.limit end) then
        local is_unsure = is_start(context, candidate, place, shares)
        local why = #shares > 1 and START or START_ALONE
        return is_unsure and "cannot say" or "present", is_unsure and why or place.why
    end
    return (place.why or lists.any(shares, function(share) return share.high >= context.limit end)) and "cannot say" or "absent", place.why
end

local RANK = { ["present"] = 3, ["cannot say"] = 2, ["absent"] = 1 }

-- A region's result; the thread with the largest share stands for it.
local function region_of(context, candidate, place, sums)
    local shares = array(lists.map(place.threads, function(thread) return share_of(place, thread, sums) end))
    local most = shares[1]
    for _, share in ipairs(shares) do
        most = (share.low > most.low or share.low == most.low and share.high > most.high) and share or most
    end
    local answer, why = answer_of(context, candidate, place, shares)
    return { region = place.region, cycles = place.longest, answer = answer, low = most.low, high = most.high, leaf = most.leaf,
        threads = shares }, why
end

-- Of two regions the one that matters more: by answer, then by the time that the pattern can explain.
local function outweighs(one, other)
    if RANK[one.answer] ~= RANK[other.answer] then
        return RANK[one.answer] > RANK[other.answer]
    end
    return one.high * one.cycles > other.high * other.cycles
end

-- The terms behind a finding, with their values in the thread that decided it; those that it does not count are left out.
local function evidence_of(candidate, place, leaf)
    local index = 1
    while place.leaves[index] ~= leaf do
        index = index + 1
    end
    return array(lists.collect(lists.sorted(candidate.terms), function(name)
        local term, value = candidate.terms[name], place.values[index][name]
        return value and { name = name, group = term.group, metric = term.metric, verdict = term.verdict, value = value,
            events = array(lists.map(term.events, group_file.key)), cost = term.cost }
    end))
end

local function finding_of(context, one, sums)
    local candidate = one.candidate
    local found = { pattern = candidate.pattern, title = candidate.title, class = candidate.class, advice = candidate.advice,
        regions = array(), evidence = array(), added = candidate.added or false }
    if candidate.ruled_out or one.why then
        found.answer, found.why = candidate.ruled_out and "absent" or "cannot say", candidate.ruled_out or one.why
        return found
    end
    local reasons = {}
    for i, place in ipairs(one.places) do
        found.regions[i], reasons[place.region] = region_of(context, candidate, place, sums)
    end
    local decisive, place = found.regions[1], one.places[1]
    for i, region in ipairs(found.regions) do
        if outweighs(region, decisive) then
            decisive, place = region, one.places[i]
        end
    end
    found.answer, found.low, found.high = decisive.answer, decisive.low, decisive.high
    found.why = found.answer == "cannot say" and reasons[decisive.region] or nil
    found.region, found.leaf, found.evidence = decisive.region, decisive.leaf, evidence_of(candidate, place, decisive.leaf)
    return found
end

local function places_of(context, candidate)
    local one = { candidate = candidate, places = {}, why = candidate.why }
    for region = 0, (candidate.ruled_out or candidate.why) and -1 or #context.counted.regions - 1 do
        local place, why = cycles_in(context, candidate, region)
        one.places[#one.places + 1], one.why = place, one.why or why
    end
    if not candidate.ruled_out and #one.places == 0 then
        one.why = one.why or "nothing was counted"
    end
    return one
end

-- { candidates =, line_cycles =, rates = (plan/diagnosis.lua), counted = (read/program_counts.lua), node =, limit = share } -> { findings =
-- array of { pattern, title, class, advice, answer, why |nil, low, high = share |nil, region, leaf = that it was decided by |nil, added,
--   regions = array of { region, cycles, answer, low, high, leaf, threads = array of { leaf, low, high } },
--   evidence = array of { name, group, metric, verdict, value, events, cost } } }: first present ones, the largest share first, then
-- absent ones, then those without an answer. rates = (judge/rates.lua).
function diagnosis.judge(argument)
    local context = setmetatable({ counts = counts_by_place(argument.counted.counts), varying = varying_by_place(argument.counted),
        turned_counts = counts_by_place(argument.counted.turned_counts or {}) }, { __index = argument })
    local list = lists.map(argument.candidates, function(candidate) return places_of(context, candidate) end)
    local sums = added_time(list)
    local findings = array(lists.map(list, function(one) return finding_of(context, one, sums) end))
    local order = { ["present"] = 1, ["absent"] = 2, ["cannot say"] = 3 }
    for _, found in ipairs(findings) do
        local is_present = found.answer == "present"
        found.order, found.most, found.least = order[found.answer], is_present and -found.high or 0, is_present and -found.low or 0
    end
    table.sort(findings, lists.by("order", "most", "least", "pattern"))
    for _, found in ipairs(findings) do
        found.order, found.most, found.least = nil, nil, nil
    end
    return { findings = findings, rates = rates.of(context, sockets_of, line_cycles) }
end

return diagnosis
