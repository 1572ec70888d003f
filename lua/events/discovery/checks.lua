-- checks.lua - do metrics of a user's group files show what their names say?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What a metric is to show is said of its name (probes/quantities.txt), or is what Assay's metric of that name shows, and never what the
-- metric's own events are said to count, which is what is asked. Both sides of a quotient are slopes over rows; where a row makes none of
-- the lower side, the quotient says nothing.
--
-- A concept that no probe makes here (512-bit arithmetic on a node without it) is compared by what the metric's events are said to count.
--
-- A finding is { group =, metric =, quantity = in words |nil, events = in words |nil, verdict = "right" | "wrong" | "broken" (it cannot be
-- counted) |nil, error_pct =, row = a row's title: the worst of those that have some |nil, stray = { count =, row = }: of those that have
-- none |nil, reason = why there is no verdict, or why it is broken or wrong |nil, documented = another
-- formula that the group's own text has for it |nil }.
local array = require "input.array"
local bytes = require "input.bytes"
local checked = require "events.plan.checked"
local events = require "events.judge.events"
local group_file = require "input.group"
local lists = require "input.lists"
local sums = require "events.discovery.sums"

local checks = {}

local NEAR = 1e-6

-- The sum divided by a number.
local function divided(sum, number)
    local found = {}
    for name, weight in pairs(sum) do
        found[name] = weight / number
    end
    return found
end

-- { [any name of a quantity of Assay's groups] = it }
local function by_name(quantities)
    local known = {}
    for _, quantity in ipairs(quantities) do
        for _, name in ipairs(quantity.names) do
            known[name] = known[name] or quantity
        end
    end
    return known
end

-- What a sum of the list is of in counts: { terms =, scale = what one of a count is }.
local function counted(sum, argument)
    return { terms = sum.terms, scale = sum.in_bytes and argument.node.line_bytes or 1 }
end

-- What the metric may show: array of { text =, over = { terms =, scale = } , under = the same |nil }; nil and why it is not known here.
local function targets_of(argument, known, metric)
    local quantity = metric.quantity
    if quantity.of then
        local own = known[quantity.of]
        return own and { { text = quantity.of, over = { terms = own.terms, scale = own.scale * (bytes.read(own.unit) or 1) } } },
            ("no group of Assay's shows %s on %s"):format(quantity.of, argument.machine.arch)
    end
    return lists.map(table.move(quantity.others or {}, 1, #(quantity.others or {}), 2, { quantity }), function(one)
        return { text = one.text, over = counted(one.over, argument), under = one.under and counted(one.under, argument) }
    end)
end

-- One side of the metric as measured: { slopes =, weights =, is_core = }; nil and why an event of it has no value.
local function measured_of(argument, side)
    local found = { slopes = {}, weights = {}, is_core = true }
    for i, event in ipairs(argument.plan.events) do
        local weight, finding = side[group_file.key(event)], argument.findings[i]
        if weight then
            if not finding.slopes then
                return nil, ("%s has no value here: %s"):format(event.event, finding.reason)
            end
            table.insert(found.slopes, finding.slopes)
            table.insert(found.weights, weight)
            found.is_core = found.is_core and events.is_core(event)
        end
    end
    return found
end

-- Concepts that at least one row makes.
local function made_somewhere(rows)
    local made = {}
    for _, row in ipairs(rows) do
        for _, region in ipairs(row.regions) do
            for concept, amount in pairs(region.counts) do
                made[concept] = made[concept] or amount and amount.value > 0
            end
        end
    end
    return made
end

-- Weights of the concepts of a side, by what its events are said to count; nil where nothing is said of one.
local function said_terms(argument, side)
    local terms = {}
    for _, event in ipairs(argument.plan.events) do
        local weight = side[group_file.key(event)]
        local said = weight and (argument.said[group_file.key(event)] or argument.said[event.event])
        if weight and not said then
            return nil
        end
        for concept, share in pairs(said and said.terms or {}) do
            terms[concept] = (terms[concept] or 0) + weight * share
        end
    end
    return terms
end

local function is_countable(said, concept)
    for _, one in pairs(said) do
        if one.terms[concept] then
            return true
        end
    end
    return false
end

-- Why a side is wrong in what no probe makes; nil: it is not.
local function unseen(argument, made, side, terms)
    local said, per_count = said_terms(argument, side), nil
    for _, concept in ipairs(lists.sorted(said and terms or {})) do
        per_count = per_count or made[concept] and (said[concept] or 0) / terms[concept]
    end
    for _, concept in ipairs(lists.sorted(per_count and terms or {})) do
        local is_asked = not made[concept] and is_countable(argument.said, concept)
        if is_asked and math.abs((said[concept] or 0) - per_count * terms[concept]) > NEAR * math.abs(per_count * terms[concept]) then
            return ("of %s, which no probe makes here, it has %.4g for %.4g by what its events are said to count"):format(concept,
                (said[concept] or 0) / per_count, terms[concept])
        end
    end
    return nil
end

-- Does a row make so much of it that it would be seen?
local function is_seen(expected, slacks, reach)
    return lists.any(slacks, function(slack, row) return expected[row] and expected[row].min > slack * reach end)
end

-- Adds what the sides, divided by what they are to be multiplied with, are found to show.
local function compare(argument, made, found, target, over, under)
    local survey = made[over.is_core and (not under or under.is_core)]
    local expected = survey.expect(target.over.terms)
    local below = under and survey.expect(target.under.terms)
    local _, reach = sums.of(over.slopes, over.weights, #survey.slacks)
    if not is_seen(expected, survey.slacks, reach) then
        found.reason = "no probe makes enough of it here"
        return
    end
    local off, stray
    if under then
        found.verdict, off = sums.compare_quotient(over, under, expected, below, survey.slacks)
    else
        found.verdict = sums.are_right(over.slopes, over.weights, expected, survey.slacks) and "right" or "wrong"
        off, stray = sums.worst(over.slopes, over.weights, expected, survey.slacks)
    end
    local rows = argument.plan.rows
    found.error_pct, found.row = off and off.error_pct, off and rows[off.row].title
    found.stray = stray and { count = stray.count, row = rows[stray.row].title }
end

local function try(argument, made, metric, target)
    local found = { quantity = target.text .. (metric.per_time and " per second" or "") }
    if (target.under == nil) ~= (metric.under == nil) then
        found.verdict, found.reason = "wrong", metric.under and "its formula is a quotient" or "its formula is no quotient"
        return found
    end
    local scale = target.over.scale / metric.factor
    local over = divided(metric.over, scale)
    local under = metric.under and divided(metric.under, target.under.scale)
    found.events = sums.words(over) .. (under and " / " .. sums.words(under) or "")
    local above, below
    above, found.reason = measured_of(argument, over)
    if above and under then
        below, found.reason = measured_of(argument, under)
    end
    if not found.reason then
        compare(argument, made, found, target, above, below)
    end
    local missed = found.verdict == "right" and (unseen(argument, made.somewhere, over, target.over.terms)
        or under and unseen(argument, made.somewhere, under, target.under.terms))
    if missed then
        found.verdict, found.reason = "wrong", missed
    end
    return found
end

-- One metric: its finding, and what it is to show, if it is found not to.
local function find_one(argument, made, known, metric)
    local finding = { group = metric.group, metric = metric.metric, verdict = metric.is_broken and "broken" or nil,
        reason = metric.reason }
    local targets
    if not finding.reason then
        targets, finding.reason = targets_of(argument, known, metric)
    end
    if not targets then
        return finding
    end
    local best, wanted
    for _, target in ipairs(targets) do
        local tried = try(argument, made, metric, target)
        if not best or tried.verdict == "right" then
            best, wanted = tried, target
        end
    end
    best.group, best.metric = metric.group, metric.metric
    return best, best.verdict == "wrong" and not wanted.under and wanted or nil
end

-- Do cores count all events of the side for themselves?
local function is_of_core(argument, side)
    return not lists.any(argument.plan.events, function(event)
        return side[group_file.key(event)] and not events.is_core(event)
    end)
end

-- The quantity that the metric does not show, for other events to be found that do (discovery.lua).
local function to_quantity(argument, metric, target)
    return { name = target.text, group = metric.group, unit = metric.unit and metric.unit:gsub("/s$", ""), names = {}, events = {},
        scale = target.over.scale / metric.factor, terms = target.over.terms, is_core = is_of_core(argument, metric.over) }
end

-- argument as of discovery.find with findings; made = events.surveys, wanted = quantities of Assay's groups -> array of findings, and the
-- array of the quantities that metrics are found not to show.
function checks.find(argument, made, wanted)
    made.somewhere = made_somewhere(argument.plan.rows)
    local known, found, asked, is_asked = by_name(wanted), array(), array(), {}
    for _, metric in ipairs(checked.find(argument)) do
        local finding, target = find_one(argument, made, known, metric)
        finding.documented = metric.documented
        found[#found + 1] = finding
        if target then -- several names may be of one quantity
            lists.bin(is_asked, known[target.text] or target.text, known[target.text] or to_quantity(argument, metric, target), asked)
        end
    end
    return found, asked
end

return checks
