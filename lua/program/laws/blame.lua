-- blame.lua - finds the smallest sets of events that explain all broken laws: with other counts of these events, every law would hold.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A set explains the laws if a linear program has a solution. Sets are tried by size (judge/blame/search.lua), in two ways. First, each
-- event is wrong by one factor wherever it is counted; an event that shows 0 everywhere may have any count. Second, each count of the
-- events may have any value; this is used only if no set of that size explains the laws in the first way. If a set does not explain the
-- laws, some rows contradict each other, and any larger set that does contains one of their events. Broken laws that share no events, not
-- even through other laws, are explained separately.
local array = require "input.array"
local linear_program = require "numeric.linear_program"
local lists = require "input.lists"
local row_of = require "program.laws.rows"
local search = require "judge.blame.search"
local words = require "judge.blame.words"

local blame = {}

local EVENTS_MOST = 3 -- events in a set
local SETS_MOST = 1200 -- sets tried per component
local FREELY = 0.5 -- additional cost of the second way: less than another event
local FACTOR_MOST = 1e4
local EXPLAINED = 1e-6 -- relative to the size of a row: the solver's rounding
local ROUNDED = 1 -- rounding of a corrected count, in counts

local function touches(row, set)
    return lists.find(row.parts, function(part) return set[part.event] end) ~= nil
end

-- A row of the linear program: terms in units of the row's size, for events of the set (adds their columns to `columns` as needed); base
-- and slack. A row's size is its larger side, at least one count.
local function terms_of(row, set, columns, places, is_free)
    local size = math.max(math.abs(row.left), math.abs(row.right), 1)
    local terms, base, slack = { [1] = -1 }, row.base, row.slack
    for _, part in ipairs(row.parts) do
        local own = set[part.event]
        local is_own = own and (is_free or own.is_silent)
        local key = is_own and part.seen or part.event
        if own and not places[key] then
            columns[#columns + 1] = { low = is_own and 0 or 1 / FACTOR_MOST, high = FACTOR_MOST }
            places[key] = #columns
        end
        if own then
            -- an event without counts may have as many as the row's size
            local unit = part.count > 0 and part.count or is_own and size or 0
            terms[places[key]] = (terms[places[key]] or 0) + part.factor * unit / size
            slack = slack + math.abs(part.factor) * ROUNDED
        else
            base = base + part.factor * part.count
        end
    end
    return terms, base / size, slack / size
end

-- The set's linear program: { columns = (column 1: miss of the rows), rows =, places = columns of events or counts }.
local function assemble(known, set, is_free)
    local made = { columns = { { low = 0, high = FACTOR_MOST } }, rows = {}, places = {} }
    for _, row in ipairs(lists.filter(known.rows, function(row) return touches(row, set) end)) do
        local terms, base, slack = terms_of(row, set, made.columns, made.places, is_free)
        table.insert(made.rows, { high = slack - base, terms = terms, row = row })
        if row.relation == "=" then
            local opposite = { [1] = -1 }
            for column, factor in pairs(terms) do
                opposite[column] = column > 1 and -factor or factor
            end
            table.insert(made.rows, { high = slack + base, terms = opposite, row = row })
        end
    end
    return made
end

-- Hypotheses about the events of the rows, sorted by name.
local function hypotheses_of(known, rows)
    local events = {}
    for _, row in ipairs(rows) do
        for _, part in ipairs(row.parts) do
            events[part.event] = true
        end
    end
    return lists.collect(lists.sorted(events), function(event) return known.events[event] end)
end

-- Does the set explain the laws? Returns its solved linear program; or nil and the rows that contradict each other.
local function solve(known, set, is_free)
    local made = assemble(known, set, is_free)
    local solution = linear_program.solve { columns = made.columns, rows = made.rows, objective = { [1] = 1 } }
    if solution and solution.value <= EXPLAINED then
        made.taken = solution.taken
        return made
    end
    return nil, lists.collect(solution and solution.tight or {}, function(tight) return tight.row end)
end

-- Interval of the factor of an event; nil if the event has no column of its own.
local function factor_of(made, event)
    local place, columns = made.places[event], lists.joined(made.columns)
    columns[1] = { low = 0, high = EXPLAINED }
    local function bound(maximise)
        local found = linear_program.solve { columns = columns, rows = made.rows, objective = { [place] = 1 }, taken = made.taken,
            maximise = maximise }
        return found and found.columns[place]
    end
    local low, high = place and bound(false), place and bound(true)
    return low and high and array { 1 / high, 1 / low } or nil
end

-- The answer of the search for a set that explains the laws; its parts are as in kinds.lua.
local function make_answer(set, made, is_free)
    local parts = lists.collect(set, function(one)
        local ends = not is_free and not one.is_silent and factor_of(made, one.event) or nil
        return words.name { kind = one.is_silent and "silent" or ends and "event" or "unsteady", event = one.event,
            factor = ends and (ends[1] + ends[2]) / 2, factor_ci = ends }
    end)
    table.sort(parts, function(a, b) return a.event < b.event end)
    return { set = set, cost = #set + (is_free and FREELY or 0), parts = array(parts) }
end

-- An answer; or nil and hypotheses, of which any larger set that explains the laws has one. A set must have an event of every broken law;
-- the shortest law without one is looked at first.
local function try(known, component, list)
    local set, shortest = {}, nil
    for _, one in ipairs(list) do
        set[one.event] = one
    end
    for _, row in ipairs(component) do
        shortest = not touches(row, set) and (not shortest or #row.parts < #shortest.parts) and row or shortest
    end
    if shortest then
        return nil, hypotheses_of(known, { shortest })
    end
    local made, against = solve(known, set, false)
    local free, more = made, nil
    if not made then
        free, more = solve(known, set, true)
    end
    return free and make_answer(list, free, not made), hypotheses_of(known, lists.joined(against or {}, more))
end

-- Hypotheses about all events, { key =, event =, cost =, is_silent = all its counts are 0 }, and the rows.
local function survey(rows)
    local events = {}
    for _, row in ipairs(rows) do
        for _, part in ipairs(row.parts) do
            local own = events[part.event] or { key = part.event, event = part.event, cost = 1, is_silent = true }
            own.is_silent = own.is_silent and part.count == 0
            events[part.event] = own
        end
    end
    return { rows = rows, events = events }
end

-- The smallest sets that explain a component: array of arrays of parts; empty if none was found.
local function explain(known, component)
    local answers = search.cheapest { sets = SETS_MOST, cost = EVENTS_MOST, try = function(set) return try(known, component, set) end,
        fits = function(set, one) return not lists.contains(set, one) end }
    return array(lists.collect(answers, function(answer) return answer.parts end))
end

-- found = array of rows (rows.lua) -> array of { laws = names, causes = array of equally good alternatives, each an array of parts that
-- hold together, text = the line }; a part { kind = "event", "silent" (it counts nothing) or "unsteady" (no factor explains it), event
-- =, factor =, factor_ci =, text = }.
function blame.find(found)
    local known = survey(found)
    local violated = lists.filter(found, function(row) return row_of.missed(row) > 0 end)
    local function events_of(row)
        return lists.collect(row.parts, function(part) return part.event end)
    end
    return array(lists.collect(search.components(violated, events_of), function(component)
        local names, causes = {}, explain(known, component)
        for _, row in ipairs(component) do
            names[row.law.name] = true
        end
        local laws = array(lists.sorted(names))
        local told = #laws == 1 and "1 law is broken" or ("%d laws are broken"):format(#laws)
        return { laws = laws, causes = causes, text = words.line(causes, told, ("no %d events explain it"):format(EVENTS_MOST)) }
    end))
end

return blame
