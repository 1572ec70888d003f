-- checks.lua - checks if metrics of a user's group files show what their names promise.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The expected quantity comes from the metric's name (probes/quantities.txt), or from Assay's metric of that name. It never comes from
-- the documentation of the metric's own events, because that is what is being checked. Both sides of a quotient are slopes over rows. A
-- row without counts in the denominator says nothing about the quotient.
--
-- A concept that no probe produces here (512-bit arithmetic on a node without it) is compared by the documentation of the metric's
-- events.
--
-- A finding is { group =, metric =, quantity = text |nil, events = text |nil, verdict = "right" | "wrong" | "broken" (it cannot be
-- counted) |nil, error_pct =, row = title of the row: the largest error in rows that have some |nil, stray = { count =, row = }: counts
-- in rows that have none |nil, reason = why there is no verdict, or why it is broken or wrong |nil, documented = another formula for the
-- metric in the group's own text |nil }.
local array = require "input.array"
local bytes = require "input.bytes"
local checked = require "events.plan.checked"
local events = require "events.judge.events"
local group_file = require "input.group"
local lists = require "input.lists"
local sums = require "events.discovery.sums"

local checks = {}

local NEAR = 1e-6

-- Divides the weights of a sum by a number.
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

-- A sum from the list in counts: { terms =, scale = amount of one count }.
local function counted(sum, argument)
    return { terms = sum.terms, scale = sum.in_bytes and argument.node.line_bytes or 1 }
end

-- Quantities that the metric may show: array of { text =, over = { terms =, scale = } , under = the same |nil }; nil and the reason if
-- unknown.
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

-- One measured side of the metric: { slopes =, weights =, is_core = }; nil and the reason if an event has no value.
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

-- Concepts that at least one row produces.
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

-- Weights of a side's concepts by the documentation of its events; nil if an event is not documented.
local function said_terms(argument, side)
    local terms = {}
    for _, event in ipairs(argument.plan.events) do
        local weight = side[group_file.key(event)]
        local said = weight and (argument.said[group_file.key(event)] or argument.said[event.event])
        if weight and not said then
            return nil
        end
        lists.add_weights(terms, said and said.terms or {}, weight)
    end
    return terms
end

local function is_countable(said, concept)
    return lists.any(lists.sorted(said), function(event) return said[event].terms[concept] end)
end

-- The reason why a side is wrong in a concept that no probe produces; nil if it is not.
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

-- Does a row produce enough of the quantity to be detected?
local function is_seen(expected, slacks, reach)
    return lists.any(slacks, function(slack, row) return expected[row] and expected[row].min > slack * reach end)
end

-- Adds verdict and errors to `found`; over, under: the measured sides in the target's unit.
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

-- Checks one metric: its finding, and the target quantity if the metric is found wrong.
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

-- Are all events of the side counted per core?
local function is_of_core(argument, side)
    return not lists.any(argument.plan.events, function(event)
        return side[group_file.key(event)] and not events.is_core(event)
    end)
end

-- The quantity that the metric fails to show, so that discovery.lua can look for other events.
local function to_quantity(argument, metric, target)
    return { name = target.text, group = metric.group, unit = metric.unit and metric.unit:gsub("/s$", ""), names = {}, events = {},
        scale = target.over.scale / metric.factor, terms = target.over.terms, is_core = is_of_core(argument, metric.over) }
end

-- argument = discovery.find() with findings; made = events.surveys, wanted = quantities of Assay's groups -> array of findings, and array
-- of quantities that metrics fail to show.
function checks.find(argument, made, wanted)
    made.somewhere = made_somewhere(argument.plan.rows)
    local known, found, asked, is_asked = by_name(wanted), array(), array(), {}
    for _, metric in ipairs(checked.find(argument)) do
        local finding, target = find_one(argument, made, known, metric)
        finding.documented = metric.documented
        found[#found + 1] = finding
        if target then -- several names may have the same quantity
            lists.bin(is_asked, known[target.text] or target.text, known[target.text] or to_quantity(argument, metric, target), asked)
        end
    end
    return found, asked
end

return checks
