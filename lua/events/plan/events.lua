-- events.lua - plans an event survey: runs all probes, each with as many events at once as there are counters.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- events.make{ probes=, concepts=, machine=, node=, kernels=, groups=, list=, events = { name .. }, all = also the list's events, if
--   none are named |nil, checked = and names = as in event_set.lua |nil, chosen = events.judge.noise.choose(), alone =: plan repeats
--   (repeats.lua) |nil, look = true: one row only, curves = true: the probes' curves instead of their points (not with look),
--   said: leave out curves that show none of the events |nil, absent = events.judge.events.absent() |nil } -> { jobs =
--   {..}, rows = {..}, events = {..}, curves = {..}, vectors = {..}, skipped = {..} }
--
-- event  { event =, options =, counters = { one, or one of each box that counts it; empty: the machine has none for it }, name =
--        of its group in jobs' runs, reason = why it has no value |nil }
-- row    a point of a probe: { probe =, code =, title =, has_mate = another core works at the same time, which boxes count, too |nil,
--        job = its number, regions = array of { region =, times =, counts = { [concept] = { min =, value =, max = } | false: unknown } } };
--        a concept of concepts.txt that is not in `counts` does not occur in the region
-- vectors { title =, per =, concepts =, short =, first =, last = of the probe's rows }
-- skipped { probe =, title =, reason = why it is not run }
-- curve  { name =, title =, axis =, is_bytes =, per =, executions = of each point in a repetition |nil, why_fewer = than on silicon |nil,
--        marks = array of { x =, text = }, shown = array of concepts, first =, last = of its rows, which have x =,
--        amount = units of `per` in a pass, naive = { [concept] = the count per pass that one would naively expect } }
local architecture = require "input.architecture"
local array = require "input.array"
local checked = require "events.plan.checked"
local lists = require "input.lists"
local repeats = require "events.plan.repeats"
local code_counts = require "model.code"
local concepts = require "input.concepts"
local event_counters = require "plan.event_counters"
local event_set = require "events.plan.event_set"
local loaded = require "input.loaded"
local needed_rows = require "events.plan.needed_rows"
local pack = require "plan.pack"
local placement = require "plan.placement"

local events = {}

local PROGRAM = require("input.probe").PROGRAM
local LACKS = "needs sizes that only groups/%s/machine.lua has"
local POINTS_MOST = 1000 -- per command: LIKWID starts programs with up to 10 000 words, and a point has up to 7

local function to_interval(amount, where, concept)
    if amount == false then
        return false
    end
    local one = type(amount) == "number" and { min = amount, value = amount, max = amount } or amount
    for _, key in ipairs { "min", "value", "max" } do
        local number = type(one) == "table" and one[key]
        if type(number) ~= "number" or number ~= number or number < 0 or number == math.huge then
            error(("%s: '%s' is %s, which is no amount"):format(where, concept, tostring(number)), 0)
        end
    end
    return one
end

-- Known counts of a region of the point; nil if the point is not run.
local function count(context, probe, at)
    local where = ("probe %s: %s"):format(probe.name, at.code.name)
    local ok, returned = pcall(probe.counts, at)
    if not ok then
        error(("%s fails: %s"):format(where, tostring(returned)), 0)
    end
    if returned == nil then
        return nil
    end
    local found = {}
    for concept, amount in pairs(returned) do
        if not context.known[concept] then
            error(("%s names '%s', which is no concept; probes/concepts.txt has them"):format(where, concept), 0)
        end
        found[concept] = to_interval(amount, where, concept)
    end
    return found
end

-- The number of the other core that works at the same time + 1, as program arguments; nil if the first core has no such core.
local function mate_of(context, code)
    local place, first = placement.expand(code.mate, context.node), placement.expand("core", context.node)
    return place and place.cpus[1] == first.cpus[1] and tostring(place.cpus[2] + 1) or nil
end

-- One point of a probe: its row, and its regions as points of a job; nil if it is not run.
local function make_row(context, probe, code, point, number, job)
    local words, shape = array { code.name }, {}
    for i, name in ipairs(probe.parameters) do
        words[i + 1], shape[i] = tostring(point[name]), tostring(point[name])
    end
    local row = { probe = probe.name, code = code.name, title = code.name .. (shape[1] and " " or "") .. table.concat(shape, " "),
        has_mate = code.mate and true, regions = array() }
    if code.mate then
        words[#words + 1] = mate_of(context, code)
        if #words ~= 2 + #probe.parameters then
            return nil
        end
    end
    local parts, called = code_counts.parts(context.kernels, PROGRAM, code)
    for i, times in ipairs(point.times) do
        local region = ("%s.p%s.t%d"):format(code.name, number, i)
        local counts = count(context, probe, { code = code, point = point, times = times, parts = parts, called = called,
            node = context.node, machine = context.machine })
        if not counts then
            return nil
        end
        local arguments = array { table.unpack(words) }
        arguments[#arguments + 1] = tostring(times)
        job.points[#job.points + 1] = { region = region, code = code.name, arguments = arguments }
        row.regions[i] = { region = region, times = times, counts = counts }
    end
    return row
end

-- Adds a curve's rows; returns the curve.
local function add_curve(context, probe, code, curve, number, job, rows)
    local node = { node = context.node, machine = context.machine, is_named = #context.events > 0 }
    local first, executions = #rows + 1, curve.executions and curve.executions(node) or {}
    for i, value in ipairs(curve.values(node)) do
        local point = { [curve.by] = value, times = {} }
        for _, name in ipairs(probe.parameters) do
            local given = point[name] or curve[name]
            point[name] = type(given) == "function" and given(node) or given
        end
        local at = { code = code, point = point, node = context.node, machine = context.machine }
        local amount = curve.amount(at)
        for k, times in ipairs(curve.times or {}) do
            point.times[k] = times * math.ceil((curve.least or 1) / amount)
        end
        for k = 1, executions.times or 0 do
            point.times[k] = 1
        end
        local row = make_row(context, probe, code, point, ("%d.%d"):format(number, i), job)
        if row then
            row.x, row.amount, row.naive = curve.x(at), amount, {}
            for concept, think in pairs(curve.naive or {}) do
                row.naive[concept] = think(at)
            end
            rows[#rows + 1] = row
        end
    end
    return { name = curve.name, title = curve.title, axis = curve.axis, is_bytes = curve.is_bytes or false, per = curve.per,
        executions = executions.times, why_fewer = executions.why_fewer, marks = array(curve.marks and curve.marks(node) or {}),
        shown = array(curve.shown), first = first, last = #rows }
end

-- Does the curve show at least one of the events?
local function is_shown(argument, made, curve)
    return lists.any(made.events, function(event)
        return not argument.said or concepts.is_drawn(concepts.said_of(argument.said, event), curve.shown, #argument.events > 0)
    end)
end

-- Adds the rows of a probe's points, or its curves and their rows.
local function add_probe(context, probe, argument, made, job)
    local along = argument.curves and not argument.look
    local codes = lists.index(probe.codes, "name")
    for number, curve in ipairs(along and probe.curves or {}) do
        if is_shown(argument, made, curve) then
            table.insert(made.curves, add_curve(context, probe, codes[curve.code], curve, number, job, made.rows))
        end
    end
    local first = #made.rows + 1
    for number, point in ipairs(along and {} or probe.points) do
        if not argument.look or #made.rows == 0 then
            made.rows[#made.rows + 1] = make_row(context, probe, codes[point.code], point, tostring(number), job)
        end
    end
    local vectors = probe.vectors
    if vectors and #made.rows >= first then
        table.insert(made.vectors, { title = vectors.title, per = vectors.per, concepts = array(vectors.concepts),
            short = array(vectors.short), first = first, last = #made.rows })
    end
end

-- Drops rows, and their points, that a check does not need.
local function leave_out(argument, made, job)
    local quantities = array(lists.collect(checked.find(argument), function(metric)
        return not metric.reason and metric.quantity or nil
    end))
    local asked = needed_rows.concepts({ said = argument.said or {}, quantities = quantities }, made.events)
    local chosen = needed_rows.choose(made.rows, asked)
    local points, at = array(), 1
    for _, row in ipairs(made.rows) do
        if chosen[row] then
            table.move(job.points, at, at + #row.regions - 1, #points + 1, points)
        end
        at = at + #row.regions
    end
    made.rows = array(lists.filter(made.rows, function(row) return chosen[row] end))
    job.points, made.vectors = points, array()
end

-- Splits the job into several of at most POINTS_MOST points, and sets each row's job number.
local function split(job, rows)
    local jobs, next_point = array(), 1
    for _, row in ipairs(rows) do
        local last = jobs[#jobs]
        if not last or #last.points + #row.regions > POINTS_MOST then
            last = { id = job.id .. (last and #jobs + 1 or ""), pattern = job.pattern, program = job.program, placement = job.placement,
                cpus = job.cpus, points = array(), quantities = array(), runs = job.runs }
            jobs[#jobs + 1] = last
        end
        table.move(job.points, next_point, next_point + #row.regions - 1, #last.points + 1, last.points)
        next_point, row.job = next_point + #row.regions, #jobs
    end
    return #jobs > 0 and jobs or array { job }
end

function events.make(argument)
    local found, only = event_set.choose(argument)
    local context = setmetatable({ known = {}, machine = architecture.of_models(argument.machine) }, { __index = argument })
    for _, one in ipairs(argument.concepts) do
        context.known[one.name] = one.terms[one.name] ~= nil
    end
    local place = placement.expand("core", argument.node)
    local job = { id = argument.look and "look" or PROGRAM, pattern = PROGRAM, program = PROGRAM, placement = place.name,
        cpus = place.cpus, points = array(), quantities = array() }
    local made, groups = { rows = array(), curves = array(), vectors = array(), skipped = array(), events = found }, array()
    for _, one in ipairs(argument.probes) do
        if one.needs_machine and not (argument.machine.levels and argument.machine.processor) then
            table.insert(made.skipped, { probe = one.name, title = one.title, reason = LACKS:format(argument.machine.arch) })
        else
            add_probe(context, loaded.find(one, "probes"), argument, made, job)
        end
    end
    if argument.checked and not argument.look then
        leave_out(argument, made, job)
    end
    for _, event in ipairs(found) do
        event.reason = (argument.absent or {})[event.name]
        groups[#groups + 1] = #event.counters > 0 and not event.reason and event_set.as_group(event) or nil
    end
    if argument.curves and #made.rows == 0 then
        error(("no curve shows %s; assay events without --curves says what events count"):format(#argument.events > 0
            and table.concat(argument.events, ", ") or "one of these events"), 0)
    end
    local machine = event_counters.bound(argument.machine, only)
    job.runs = pack.runs { groups = groups, machine = machine }
    made.jobs = split(job, made.rows)
    if argument.chosen then
        local looks = repeats.make { plan = made, chosen = argument.chosen, machine = machine, alone = argument.alone }
        made.jobs, made.repeats = looks.jobs, looks.repeats
    end
    return made
end

return events
