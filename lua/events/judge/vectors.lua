-- vectors.lua - tables of how much of a few concepts one pass of each code of a probe produces, from events that count them exactly.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- If no single event counts a concept, the fewest events are taken whose counts add up to it, with signs, by what each is known to count.
-- A table is { title =, per =, columns = array of { title =, concept =, of = its events as text |nil }, rows = array of { title =,
--   values = array of numbers, false for a column without events, expected = array of { min =, value =, max = } | false }, sorted =
--   array of { event =, column = its number, goodness = } }.
-- sorted: events by their nearest column, whatever their names. Goodness is the mean over rows of exp(-2 (slope r2 - expected)^2), 1 if
-- all are equal (A. Danalis et al.: Counter Inspection Toolkit, 2019, section 3.4).
local array = require "input.array"
local concepts = require "input.concepts"
local lists = require "input.lists"
local rows = require "events.judge.rows"

local vectors = {}

local MOST = 4 -- events in a column
local GOOD = 0.95 -- least goodness for sorting an event into a column

local function terms_of(argument, finding)
    local said = concepts.said_of(argument.said, finding)
    return said and said.terms or argument.by_name[finding.names[1]] or finding.terms
end

-- Exact events, one for each meaning. Each of their terms is in `wanted`, or in an event that has a wanted term.
local function candidates(argument, wanted)
    local near = {}
    local exact = lists.collect(argument.findings, function(finding)
        local terms = finding.class == "exact" and terms_of(argument, finding)
        return terms and next(terms) and not terms.nothing and { finding = finding, terms = terms }
    end)
    for _, one in ipairs(exact) do
        local own = lists.sorted(one.terms)
        for _, concept in ipairs(lists.any(own, function(concept) return wanted[concept] end) and own or {}) do
            near[concept] = true
        end
    end
    local inside = lists.filter(exact, function(one)
        return lists.all(lists.sorted(one.terms), function(concept) return near[concept] end)
    end)
    return lists.map(lists.group(inside, function(one)
        return lists.join(lists.sorted(one.terms), "+", function(concept) return ("%g %s"):format(one.terms[concept], concept) end)
    end), function(same) return same[1] end)
end

local function is_nothing(terms)
    for _, weight in pairs(terms) do
        if math.abs(weight) > 1e-9 then
            return false
        end
    end
    return true
end

-- The first combination of `count` candidates, from number `from` on, that adds up with signs to the terms that are left; nil if none.
local function choose(list, left, count, from)
    if count == 0 then
        return is_nothing(left) and {} or nil
    end
    for number = from, #list - count + 1 do
        for _, sign in ipairs { 1, -1 } do
            local rest = lists.add_weights(lists.add_weights({}, left, 1), list[number].terms, -sign)
            local chosen = choose(list, rest, count - 1, number + 1)
            if chosen then
                table.insert(chosen, 1, { finding = list[number].finding, sign = sign })
                return chosen
            end
        end
    end
    return nil
end

local function compose(list, terms)
    for count = 1, MOST do
        local chosen = choose(list, terms, count, 1)
        if chosen then
            return chosen
        end
    end
    return nil
end

-- "A + B - C": added events first.
local function words_of(chosen)
    local added = lists.join(chosen, " + ", function(one) return one.sign > 0 and one.finding.event end)
    return added .. lists.join(chosen, "", function(one) return one.sign < 0 and " - " .. one.finding.event end)
end

local function value_of(chosen, number)
    return lists.sum(chosen, function(one) return one.sign * one.finding.slopes[number] end)
end

-- Goodness of the event for the concept, over rows where the concept is known; nil if there are none.
local function goodness_of(argument, described, finding, concept)
    local sum, count = 0, 0
    for number = described.first, described.last do
        local one = rows.expected(argument.plan.rows[number], argument.by_name[concept])
        if one then
            local value = finding.slopes[number] * finding.r2[number]
            local off = value - math.max(one.min, math.min(one.max, value))
            sum, count = sum + math.exp(-2 * off * off), count + 1
        end
    end
    return count > 0 and sum / count or nil
end

-- Sorts each event under its nearest column, if that is near enough.
local function sort_events(argument, described)
    return array(lists.collect(argument.findings, function(finding)
        local best, column = GOOD, nil
        for i, concept in ipairs(finding.slopes and described.concepts or {}) do
            local goodness = goodness_of(argument, described, finding, concept)
            if goodness and goodness > best then
                best, column = goodness, i
            end
        end
        return column and { event = finding.event, column = column, goodness = best } or nil
    end))
end

local function make_table(argument, described)
    local wanted, columns, chosen, made = {}, array(), {}, array()
    for _, concept in ipairs(described.concepts) do
        for name in pairs(argument.by_name[concept]) do
            wanted[name] = true
        end
    end
    local list = candidates(argument, wanted)
    for i, concept in ipairs(described.concepts) do
        chosen[i] = compose(list, argument.by_name[concept])
        columns[i] = { title = described.short[i], concept = concept, of = chosen[i] and words_of(chosen[i]) }
    end
    for number = described.first, described.last do
        local row = argument.plan.rows[number]
        local one = { title = row.title, values = array(), expected = array() }
        for i, concept in ipairs(described.concepts) do
            one.values[i] = chosen[i] and value_of(chosen[i], number) or false
            one.expected[i] = rows.expected(row, argument.by_name[concept])
        end
        made[#made + 1] = one
    end
    return next(chosen) and { title = described.title, per = described.per, columns = columns, rows = made,
        sorted = sort_events(argument, described) }
end

-- { plan = events.make(), findings = events.find(), concepts =, said = } -> array of tables, without those that have no events in any
-- column.
function vectors.find(argument)
    local by_name = {}
    for _, one in ipairs(argument.concepts) do
        by_name[one.name] = one.terms
    end
    local own = setmetatable({ by_name = by_name }, { __index = argument })
    return array(lists.collect(argument.plan.vectors, function(described) return make_table(own, described) or nil end))
end

return vectors
