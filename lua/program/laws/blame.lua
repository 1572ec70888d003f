-- blame.lua - the smallest sets of events that explain all laws that are broken: with other counts of them, every law would hold.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A set explains if a linear program has a solution. Sets are tried by size (judge/blame/search.lua), and each in two ways. First, every
-- event is wrong by one factor, the same wherever it is counted; an event that shows 0 everywhere may be anything. Second, every count may
-- be anything. The second way counts only if no set of that size explains the first way.
-- If a set does not explain, some rows contradict each other, and one of their events is in any larger set that does. Broken laws that no
-- chain of shared events links are explained separately.
local array = require "input.array"
local linear_program = require "numeric.linear_program"
local lists = require "input.lists"
local row_of = require "program.laws.rows"
local search = require "judge.blame.search"
local words = require "judge.blame.words"

local blame = {}

local EVENTS_MOST = 3 -- of a set
local SETS_MOST = 1200 -- that are tried for one component
local FREELY = 0.5 -- additional cost of a set that explains the second way: less than another event
local FACTOR_MOST = 1e4
local EXPLAINED = 1e-6 -- of a row's size: what the solver may leave
local ROUNDED = 1 -- a count that a factor was put on is rounded by less

local function touches(row, set)
    return lists.find(row.parts, function(part) return set[part.event] end) ~= nil
end

-- The row as one of the linear program: the terms, in shares of its size, for the events of the set, whose columns are added to `columns`
-- as they are needed; base and slack. What a row is measured in is its larger side, at least a count.
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
            -- one that is nowhere seen to count may be as much as the others of the row
            local unit = part.count > 0 and part.count or is_own and size or 0
            terms[places[key]] = (terms[places[key]] or 0) + part.factor * unit / size
            slack = slack + math.abs(part.factor) * ROUNDED
        else
            base = base + part.factor * part.count
        end
    end
    return terms, base / size, slack / size
end

-- The linear program of the set: { columns = 1 is by how much the rows are missed, rows =, places = columns of events or counts }.
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

-- The hypotheses about the events of the rows, in the order of their names.
local function hypotheses_of(known, rows)
    local events = {}
    for _, row in ipairs(rows) do
        for _, part in ipairs(row.parts) do
            events[part.event] = true
        end
    end
    return lists.collect(lists.sorted(events), function(event) return known.events[event] end)
end

-- Does the set explain? Its linear program, solved; or nil and the rows that contradict each other.
local function solve(known, set, is_free)
    local made = assemble(known, set, is_free)
    local solution = linear_program.solve { columns = made.columns, rows = made.rows, objective = { [1] = 1 } }
    if solution and solution.value <= EXPLAINED then
        made.taken = solution.taken
        return made
    end
    return nil, lists.collect(solution and solution.tight or {}, function(tight) return tight.row end)
end

-- Least and largest factor of an event that is wrong by one; nil: it is not in the linear program as a whole.
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

-- A set that explains as an answer of the search; its parts as kinds.lua takes them.
local function make_answer(set, made, is_free)
    local parts = lists.collect(set, function(one)
        local ends = not is_free and not one.is_silent and factor_of(made, one.event) or nil
        return words.name { kind = one.is_silent and "silent" or ends and "event" or "unsteady", event = one.event,
            factor = ends and (ends[1] + ends[2]) / 2, factor_ci = ends }
    end)
    table.sort(parts, function(a, b) return a.event < b.event end)
    return { set = set, cost = #set + (is_free and FREELY or 0), parts = array(parts) }
end

-- An answer; or nil and hypotheses one of which any larger set that explains has. Sets without an event of some broken law explain nothing:
-- of these laws the shortest is looked at first.
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

-- Hypotheses about all events, { key =, event =, cost =, is_silent = it counts nothing anywhere }, and the rows.
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

-- The smallest explaining sets of a component: array of arrays of parts; none: nothing was found.
local function explain(known, component)
    local answers = search.cheapest { sets = SETS_MOST, cost = EVENTS_MOST, try = function(set) return try(known, component, set) end,
        fits = function(set, one) return not lists.contains(set, one) end }
    return array(lists.collect(answers, function(answer) return answer.parts end))
end

-- found = array of rows (rows.lua) -> array of { laws = names, causes = array, equally good, of arrays, together, of parts, text = the
-- line };
-- a part { kind = "event", "silent" (it counts nothing) or "unsteady" (no factor explains it), event =, factor =, factor_ci =, text = }.
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
