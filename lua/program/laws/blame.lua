-- blame.lua - the smallest sets of events that explain all laws that are broken: with other counts of them, every law would hold.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A set explains if a linear program has a solution. Sets are tried by size, and each in two ways. First, every event is wrong by one
-- factor, the same wherever it is counted; an event that shows 0 everywhere may be anything. Second, every count may be anything.
-- The second way counts only if no set of that size explains the first way.
-- If a set does not explain, some rows contradict each other. Only events of these rows can help, so sets grow by them. All sets of the
-- smallest size that explains are answers. Broken laws that no chain of shared events links are explained separately.
local array = require "input.array"
local lists = require "input.lists"
local linear_program = require "numeric.linear_program"
local row_of = require "program.laws.rows"
local words = require "judge.blame.words"

local blame = {}

local EVENTS_MOST = 3 -- of a set
local SETS_MOST = 600 -- that are tried for one component
local FACTOR_MOST = 1e4
local EXPLAINED = 1e-6 -- of a row's size: what the solver may leave
local ROUNDED = 1 -- a count that a factor was put on is rounded by less

-- What a row is measured in: its larger side, at least a count.
local function size_of(row)
    return math.max(math.abs(row.left), math.abs(row.right), 1)
end

local function touches(row, set)
    for _, part in ipairs(row.parts) do
        if set[part.event] then
            return true
        end
    end
    return false
end

-- Adds the row's own columns and terms for the events of the set. Terms are in shares of the row's size.
local function terms_of(row, set, columns, places, is_free)
    local terms, base, slack, size = { [1] = -1 }, row.base, row.slack, size_of(row)
    for _, part in ipairs(row.parts) do
        if not set[part.event] then
            base = base + part.factor * part.count
        else
            local is_own = is_free or set[part.event].is_silent
            local key = is_own and part.seen or part.event
            if not places[key] then
                columns[#columns + 1] = is_own and { low = 0, high = FACTOR_MOST } or { low = 1 / FACTOR_MOST, high = FACTOR_MOST }
                places[key] = #columns
            end
            -- one that is nowhere seen to count may be as much as the others of the row
            local unit = part.count > 0 and part.count or is_own and size or 0
            terms[places[key]] = (terms[places[key]] or 0) + part.factor * unit / size
            slack = slack + math.abs(part.factor) * ROUNDED
        end
    end
    return terms, base / size, slack / size
end

local function with(terms, sign)
    local copy = {}
    for column, factor in pairs(terms) do
        copy[column] = column == 1 and factor or sign * factor
    end
    return copy
end

-- Columns and rows of the linear program: column 1 is by how much the rows are missed.
local function assemble(known, set, is_free)
    local columns, made, places = { { low = 0, high = FACTOR_MOST } }, {}, {}
    for _, row in ipairs(known.rows) do
        if touches(row, set) then
            local terms, base, slack = terms_of(row, set, columns, places, is_free)
            made[#made + 1] = { high = slack - base, terms = terms, row = row }
            if row.relation == "=" then
                made[#made + 1] = { high = slack + base, terms = with(terms, -1), row = row }
            end
        end
    end
    return columns, made, places
end

-- The shortest violated row without an event of the set; nil: every row has one.
local function out_of_reach(component, set)
    local best
    for _, row in ipairs(component) do
        if not touches(row, set) and (not best or #row.parts < #best.parts) then
            best = row
        end
    end
    return best
end

-- Does the set explain? The solved linear program, or nil and the events of what contradicts.
local function try(known, set, is_free)
    local columns, made, places = assemble(known, set, is_free)
    local solution = linear_program.solve { columns = columns, rows = made, objective = { [1] = 1 } }
    if solution and solution.value <= EXPLAINED then
        return { columns = columns, rows = made, places = places, taken = solution.taken }
    end
    local events = {}
    for _, tight in ipairs(solution and solution.tight or {}) do
        for _, part in ipairs(tight.row.parts) do
            events[part.event] = true
        end
    end
    return nil, events
end

local function key_of(set)
    return table.concat(lists.sorted(set), "\n")
end


-- Adds the set with one more event each to the next ones.
local function extend(set, events, known, visited, following)
    for _, event in ipairs(lists.sorted(events)) do
        if not set[event] then
            local larger = { [event] = known.events[event] }
            for other, what in pairs(set) do
                larger[other] = what
            end
            local key = key_of(larger)
            if not visited[key] then
                visited[key] = true
                following[#following + 1] = larger
            end
        end
    end
end

local function events_of(row)
    local events = {}
    for _, part in ipairs(row.parts) do
        events[part.event] = true
    end
    return events
end

-- Least and largest factor of an event that is wrong by one.
local function factor_of(made, event)
    local place = made.places[event]
    if not place then
        return nil
    end
    local columns = { { low = 0, high = EXPLAINED } }
    table.move(made.columns, 2, #made.columns, 2, columns)
    local function bound(maximise)
        local found = linear_program.solve { columns = columns, rows = made.rows, objective = { [place] = 1 }, taken = made.taken,
            maximise = maximise }
        return found and found.columns[place]
    end
    local low, high = bound(false), bound(true)
    return low and high and { 1 / high, 1 / low } or nil
end

-- The answer's parts, as judge/blame/words.lua takes them.
local function parts_of(set, made, is_free)
    local parts = array()
    for _, event in ipairs(lists.sorted(set)) do
        local ends = not is_free and factor_of(made, event)
        local part = { kind = set[event].is_silent and "silent" or ends and "event" or "unsteady", event = event }
        if part.kind == "event" then
            part.factor, part.factor_ci = (ends[1] + ends[2]) / 2, array(ends)
        end
        part.text = words.part(part)
        parts[#parts + 1] = part
    end
    return parts
end

-- The smallest explaining sets of a component: array of arrays of parts; none: nothing was found.
local function explain(component, known)
    local sets, visited, tried = { {} }, {}, 0
    for _ = 0, EVENTS_MOST do
        local by_factor, freely, following = array(), array(), {}
        for _, set in ipairs(sets) do
            local row = out_of_reach(component, set)
            if row then
                extend(set, events_of(row), known, visited, following)
            elseif tried < SETS_MOST then
                tried = tried + 1
                local made, events = try(known, set, false)
                if made then
                    by_factor[#by_factor + 1] = parts_of(set, made, false)
                else
                    local free, more = try(known, set, true)
                    freely[#freely + 1] = free and parts_of(set, free, true) or nil
                    for event in pairs(more or {}) do
                        events[event] = true
                    end
                    extend(set, events, known, visited, following)
                end
            end
        end
        if #by_factor > 0 or #freely > 0 then
            return #by_factor > 0 and by_factor or freely
        end
        sets = following
    end
    return array()
end

-- Violated rows that are linked by events of theirs, each a component.
local function components_of(violated)
    local owner = {}
    for _, row in ipairs(violated) do
        local own = { row }
        for _, part in ipairs(row.parts) do
            local other = owner[part.event]
            if other and other ~= own then
                table.move(other, 1, #other, #own + 1, own)
                for event, group in pairs(owner) do
                    owner[event] = group == other and own or group
                end
            end
            owner[part.event] = own
        end
    end
    local list, seen = {}, {}
    for _, row in ipairs(violated) do
        local own = owner[row.parts[1].event]
        list[#list + 1] = not seen[own] and own or nil
        seen[own] = true
    end
    return list
end

local function survey(found)
    local events = {}
    for _, row in ipairs(found) do
        for _, part in ipairs(row.parts) do
            local own = events[part.event] or { is_silent = true }
            own.is_silent = own.is_silent and part.count == 0
            events[part.event] = own
        end
    end
    return { rows = found, events = events }
end

local CAUSES = 4 -- that are told, of the others how many

local function text_of(entry)
    local texts = {}
    for i, parts in ipairs(entry.causes) do
        local own = {}
        for k, part in ipairs(parts) do
            own[k] = part.text
        end
        texts[i] = table.concat(own, " and ")
    end
    local more = #texts - CAUSES
    texts[CAUSES + 1] = more > 0 and ("%d more"):format(more) or nil
    local told = #entry.laws == 1 and "1 law is broken" or ("%d laws are broken"):format(#entry.laws)
    if #texts == 0 then
        return ("no %d events explain it: %s"):format(EVENTS_MOST, told)
    end
    return ("%s: %s"):format(table.concat(texts, ", or ", 1, math.min(#texts, CAUSES + 1)), told)
end

-- found = array of rows (rows.lua) -> array of { laws = names, causes = array, equally good, of arrays, together, of parts, text = the
-- line };
-- a part { kind = "event", "silent" (it counts nothing) or "unsteady" (no factor explains it), event =, factor =, factor_ci =, text = }.
function blame.find(found)
    local violated = {}
    for _, row in ipairs(found) do
        violated[#violated + 1] = row_of.missed(row) > 0 and row or nil
    end
    local known, list = survey(found), array()
    for _, component in ipairs(components_of(violated)) do
        local entry, seen = { laws = array(), causes = explain(component, known) }, {}
        for _, row in ipairs(component) do
            entry.laws[#entry.laws + 1] = not seen[row.law.name] and row.law.name or nil
            seen[row.law.name] = true
        end
        table.sort(entry.laws)
        entry.text = text_of(entry)
        list[#list + 1] = entry
    end
    return list
end

return blame
