-- samples.lua - raw counts of one run become samples: a metric's value beside what the model expects, per point and thread.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Argument and result: the top of plan.lua. A sample without a value says why in one word of the record: what the reader found
-- ("dash", "nan", ..), "missing region", "not programmed" (the counter is not in the output), "wrapped", "run failed", "not modelled".
-- The metric's formula is computed here from raw counts: LIKWID prints rounded values, and 0 where a counter is absent.
local array = require "input.array"
local boxes = require "plan.boxes"
local counts = require "read.counts"
local data = require "input.bytes"
local formula = require "input.formula"
local group_file = require "input.group"
local model = require "model.traffic"
local pack = require "plan.pack"
local units = require "plan.units"

local samples = {}

samples.OVER_TIME = { bandwidth = true, rate = true } -- kinds whose expectation is the modelled amount over the measured time

local function find_metric(group, name)
    return group_file.metric(group, name) or error(("group %s has no metric '%s'"):format(group.name, name), 0)
end

-- Values of the formula's names from one thread's counts, and why each other one is absent. A native node's clock is LIKWID's to know.
local function collect(row, counters, machine, node)
    local values, why = { time = row.seconds }, {}
    values.inverseClock = node.kind == "virtual" and 1 / machine.processor.clock_hz or nil
    for name, counter in pairs(counters) do
        local count = row.counts and row.counts[counter]
        if count and (count < 0 or count >= counts.half_of(machine, counter)) then
            why[name] = "wrapped"
        elseif count then
            values[name] = count
        else
            why[name] = row.absent and row.absent[counter] or "not programmed"
        end
    end
    return values, why
end

local function evaluate(context, quantity, name, row)
    if not row then
        return nil, "missing region"
    end
    if row.calls and row.calls ~= 1 then
        return nil, "region entered " .. row.calls .. " times"
    end
    local metric = find_metric(context.groups[quantity.group], name)
    local values, why = collect(row, context.run.counters[quantity.group], context.machine, context.node)
    local value, absent = formula.evaluate(metric.parsed or metric.formula, values)
    return value, value == nil and (why[absent] or (absent == "time" and "no time") or absent) or nil
end

-- The first thread's value / the second's.
local function divide(context, quantity, find)
    local cpus = context.job.cpus
    local first, why_first = evaluate(context, quantity, quantity.of, find(cpus[1]))
    local second, why_second = evaluate(context, quantity, quantity.of, find(cpus[2]))
    if not first or not second then
        return nil, why_first or why_second
    elseif second == 0 then
        return nil, "divided by 0"
    end
    return first / second
end

-- Interval in the metric's unit. A bandwidth or a rate is the modelled volume over the measured time, so it judges the formula and the
-- counts, not the speed; without a time there is none.
local function expect(context, quantity, point, row, unit)
    local seconds = row and row.seconds and row.seconds > 0 and row.seconds or nil
    if samples.OVER_TIME[quantity.kind] and not seconds then
        return nil, nil
    end
    if point.expected then
        local planned, over = point.expected[quantity.metric][tostring(unit.cpu)], samples.OVER_TIME[quantity.kind] and seconds or 1
        return { min = planned.min / over, value = planned.value / over, max = planned.max / over }, planned.work and planned.work / over
    end
    local kernel = context.kernels[point.kernel]
    local modelled = {
        level = context.job.level,
        stream_bytes = point.elements * kernel.bytes_per_element,
        passes = point.passes,
        threads = #unit.cpus,
        cpus = unit.cpus,
        warm = true,
    }
    local scale = 1 / data.of(quantity.unit)
    if quantity.kind == "bandwidth" then
        scale = scale / seconds
    end
    local bytes = model.traffic(kernel.streams, context.machine, context.node, modelled, quantity.boundary, quantity.direction)
    if quantity.boxes then
        bytes = model.slice(bytes, quantity.boxes, modelled, context.node.line_bytes, quantity.seen)
    end
    return { min = bytes.min_bytes * scale, value = bytes.value_bytes * scale, max = bytes.max_bytes * scale },
        model.work(kernel.streams, modelled) * scale * (quantity.seen or 1) / (quantity.boxes or 1)
end

local function find_row(regions, region, cpu)
    for _, row in ipairs(regions and regions[region] or {}) do
        if row.cpu == cpu then
            return row
        end
    end
    return nil
end

local function is_in(list, value)
    for _, one in ipairs(list) do
        if one == value then
            return true
        end
    end
    return false
end

-- Whether a planned model says anything of this thread; streams always have an expectation, of quantities that their code shows.
local function is_claimed(quantity, point, cpu)
    if quantity.codes and not is_in(quantity.codes, point.code) then
        return false
    end
    if not point.expected then
        return true
    end
    local planned = point.expected[quantity.metric]
    return planned ~= nil and planned[tostring(cpu)] ~= nil
end

local function measure(context, quantity, point, cpu)
    if context.why then
        return nil, context.why
    end
    local function find(number)
        return find_row(context.regions, point.region, number)
    end
    if quantity.kind == "ratio" then
        return divide(context, quantity, find)
    end
    return evaluate(context, quantity, quantity.metric, find(cpu))
end

local function add(list, context, quantity, point, unit)
    local cpu = unit.cpu
    if not is_claimed(quantity, point, cpu) then
        return
    end
    local row = find_row(context.regions, point.region, cpu)
    local value, why = measure(context, quantity, point, cpu)
    local expected, work = expect(context, quantity, point, row, unit)
    list[#list + 1] = {
        pattern = context.job.pattern,
        code = point.code,
        level = context.job.level,
        placement = context.job.placement,
        point = point.region,
        given = point.given,
        rep = context.rep,
        thread = cpu,
        group = quantity.group,
        metric = quantity.metric,
        unit = quantity.unit,
        measured = value,
        why = why,
        expected = expected,
        counted = value and point.counted and point.counted[quantity.metric] or nil,
        work = work,
        control = point.control,
        signature = quantity.signature,
        seconds = samples.OVER_TIME[quantity.kind] and row and row.seconds or nil,
    }
end

-- Samples of one repetition of one run of a job, from what the reader found.
function samples.read(argument)
    local list = array()
    local groups = argument.fitted or boxes.fit_all(argument.groups, argument.machine, argument.node)
    local context = setmetatable({ groups = groups }, { __index = argument })
    for _, point in ipairs(argument.job.points) do
        for _, quantity in ipairs(argument.job.quantities) do
            if pack.shows(argument.run, quantity.group, quantity.of or quantity.metric) then
                for _, unit in ipairs(units.of(argument.node, quantity.scope, argument.job.cpus)) do
                    add(list, context, quantity, point, unit)
                end
            end
        end
    end
    return list
end

-- The same for a run that gave nothing: every sample is there, without a value; `why` becomes "run failed: WHY".
function samples.failed(argument)
    local context = { why = "run failed" .. (argument.why and ": " .. argument.why or "") }
    for key, value in pairs(argument) do
        context[key] = context[key] or value
    end
    context.regions = nil
    return samples.read(context)
end

return samples
