-- curves.lua - event counts along the curves of probes, next to the counts known there.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A result is a curve of plan/events.lua with executions = of all repetitions |nil, lines = array of { event =, options =,
--   said = its documented meaning |nil, points = array of { x =, measured = per unit of `per`, the least of repeated executions,
--   median = of these |nil, known = { min =, value =, max = } |nil, naive = |nil }, known = number of known points, missed = number of
--   these that the event misses, error_pct = largest error of points with some |nil, steps = array of { from =, to = } }.
-- Outside the capacity steps of caches and TLBs a walk is certainly in one level, so its counts are known; inside a step they are not. A
-- step is where counts cross half of their range, upwards or downwards.
local array = require "input.array"
local concepts = require "input.concepts"
local events = require "events.judge.events"
local identify = require "events.judge.identify"
local lists = require "input.lists"
local rows = require "events.judge.rows"
local stats = require "numeric.stats"

local curves = {}

local STEP_LEAST = 10 -- slacks: a smaller range has no steps

-- The naive count per pass, if the terms are a single concept.
local function naive_of(row, terms)
    local concept, weight = next(terms or {})
    local value = concept and next(terms, concept) == nil and (row.naive or {})[concept]
    return value and weight * value
end

local function make_point(row, fit, terms)
    local known, naive = terms and rows.expected(row, terms) or nil, naive_of(row, terms)
    local point = { x = row.x, measured = fit.slope / row.amount, median = fit.median and fit.median / row.amount,
        naive = naive and naive / row.amount or nil }
    if known then
        point.known = { min = known.min / row.amount, value = known.value / row.amount, max = known.max / row.amount }
    end
    return point, rows.slack(row) / row.amount
end

local function judge_point(line, point, slack)
    local known = point.known
    if not known then
        return
    end
    line.known = line.known + 1
    line.missed = line.missed + (identify.holds(point.measured, 1, known, slack) and 0 or 1)
    line.error_pct = rows.worse(line.error_pct, rows.off(point.measured, known, slack))
end

local function find_steps(points, slacks)
    local steps, low, high = array(), stats.range(lists.map(points, "measured"))
    local middle = #points > 0 and (low + high) / 2
    for i = 2, #points do
        local one, two = points[i - 1].measured, points[i].measured
        if (one < middle) ~= (two < middle) and high - low > STEP_LEAST * math.max(slacks[i - 1], slacks[i]) then
            steps[#steps + 1] = { from = points[i - 1].x, to = points[i].x }
        end
    end
    return steps
end

local function make_line(argument, curve, event, fits, said)
    local line = { event = event.event, options = event.options, said = said and said.text, points = array(), known = 0, missed = 0 }
    local slacks = {}
    for i = curve.first, curve.last do
        local number = #line.points + 1
        line.points[number], slacks[number] = make_point(argument.plan.rows[i], fits[i], said and said.terms)
        judge_point(line, line.points[number], slacks[number])
    end
    line.steps = find_steps(line.points, slacks)
    return line
end

-- { plan = events.make() with curves, results =, reps =, said =, named = also draw events without documented meaning } -> array of
-- curves, without those that have no lines.
function curves.find(argument)
    return array(lists.collect(argument.plan.curves, function(curve)
        local lines = array(lists.collect(argument.plan.events, function(event)
            local said = concepts.said_of(argument.said, event)
            local fits = concepts.is_drawn(said, curve.shown, argument.named) and events.measure(argument, event)
            return fits and make_line(argument, curve, event, fits, said) or nil
        end))
        return #lines > 0 and { name = curve.name, title = curve.title, axis = curve.axis, is_bytes = curve.is_bytes,
            per = curve.per, executions = curve.executions and curve.executions * argument.reps, why_fewer = curve.why_fewer,
            marks = array(curve.marks), lines = lines } or nil
    end))
end

return curves
