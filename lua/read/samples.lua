-- samples.lua - turns the raw counts of one run into samples: a metric's value and the model's expectation, per point and thread.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Argument and result: the top of plan.lua. A sample without a value has a reason: the reader's word ("dash", "nan", ..), "missing
-- region", "not programmed" (the counter is not in the output), "wrapped", "run failed", "not modelled". Metrics are computed here
-- from raw counts, because LIKWID prints rounded values, and 0 for an absent counter.
--
-- A point with a `base` is two regions of one run. They start and stop in the same way, but the base does less work. Their difference is
-- another sample of the same metric, with the point "REGION.difference" and regions = 0. Costs of starting and stopping a region, and
-- counts that are added once per region, cancel in it.
local array = require "input.array"
local boxes = require "plan.boxes"
local counts = require "read.counts"
local data = require "input.bytes"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local model = require "model.traffic"
local pack = require "plan.pack"
local units = require "plan.units"

local samples = {}

samples.OVER_TIME = { bandwidth = true, rate = true } -- kinds whose expectation is the modelled amount over the measured time

local function find_metric(group, name)
    return group_file.metric(group, name) or error(("group %s has no metric '%s'"):format(group.name, name), 0)
end

-- Values of the formula's names from one thread's counts, and the reasons for absent ones.
local function collect(row, counters, machine)
    local values, why = { time = row.seconds }, {}
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

-- Like collect, for the counts of a row minus its base's counts.
local function collect_more(row, base, counters, machine)
    local values, why = collect(row, counters, machine)
    local less, why_less = collect(base, counters, machine)
    for name, value in pairs(values) do
        values[name] = less[name] and value - less[name]
    end
    for name, word in pairs(why_less) do
        why[name] = why[name] or word
    end
    values.time = values.time and values.time > 0 and values.time or nil
    return values, why
end

local function why_unusable(row)
    if not row then
        return "missing region"
    end
    return row.calls and row.calls ~= 1 and "region entered " .. row.calls .. " times" or nil
end

-- rows = { whole = the region's row, base = the row of its base, is_difference = evaluate whole - base } -> value, or nil and the reason
local function evaluate(context, quantity, name, rows)
    local unusable = why_unusable(rows.whole) or rows.is_difference and why_unusable(rows.base)
    if unusable then
        return nil, unusable
    end
    local metric = find_metric(boxes.fit_socket(context.groups[quantity.group], context.node, rows.whole.cpu), name)
    local counters = context.run.counters[quantity.group]
    local values, why
    if rows.is_difference then
        values, why = collect_more(rows.whole, rows.base, counters, context.machine)
    else
        values, why = collect(rows.whole, counters, context.machine)
    end
    values.inverseClock = counts.inverse_clock(context.machine, context.node)
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

-- Seconds of the region or of the difference; nil if not measured.
local function seconds_of(rows)
    local whole, base = rows.whole and rows.whole.seconds, rows.base and rows.base.seconds
    if rows.is_difference then
        whole = whole and base and whole - base
    end
    return whole and whole > 0 and whole or nil
end

local function scaled(terms, scale)
    local list = array(lists.collect(terms or {}, function(term)
        return { name = term.name, amount = term.amount * scale }
    end))
    return #list > 0 and list or nil
end

local function own_bytes(kernel, node)
    local lines, line = kernel.own_lines, node.line_bytes
    return { read = lines.read * line, written = lines.written * line }
end

-- Number of boxes of the metric's kind that the socket of `cpu` lacks and another socket has.
local function count_lacking(context, quantity, cpu)
    local group = context.groups[quantity.group]
    local used = group_file.counters(find_metric(group, quantity.metric))
    local kinds = lists.set(lists.collect(group.events, function(event) return used[event.name] and event.counter:match "^(%a+)%d+C" end))
    return lists.count(boxes.lacking(context.node, cpu), function(name) return kinds[name:match "^%a+"] end)
end

-- Expected interval in the metric's unit. For a bandwidth or rate it is the modelled amount over the measured time, so the sample
-- judges formula and counts, not the speed; nil without a time.
local function expect(context, quantity, point, rows, unit)
    local seconds = 1
    if samples.OVER_TIME[quantity.kind] then
        seconds = seconds_of(rows)
        if not seconds then
            return nil, nil
        end
    end
    if point.expected then
        local planned = (rows.is_difference and point.difference or point.expected)[quantity.metric][tostring(unit.cpu)]
        return { min = planned.min / seconds, value = planned.value / seconds, max = planned.max / seconds,
            terms = scaled(planned.terms, 1 / seconds) }, planned.work and planned.work / seconds
    end
    local kernel = context.kernels[point.kernel]
    local modelled = {
        level = context.job.level,
        stream_bytes = point.elements * kernel.bytes_per_element,
        passes = point.passes - (rows.is_difference and point.base.passes or 0),
        base_passes = rows.is_difference and point.base.passes or 0,
        threads = #unit.cpus,
        cpus = unit.cpus,
        warm = true,
        written = true, -- the driver writes to all streams first
        own = own_bytes(kernel, context.node),
        difference = rows.is_difference,
    }
    local scale = 1 / data.of(quantity.unit) / seconds
    local bytes = model.traffic(kernel.streams, context.machine, context.node, modelled, quantity.boundary, quantity.direction)
    local shares = quantity.boxes and quantity.boxes - count_lacking(context, quantity, unit.cpu)
    if shares then
        bytes = model.slice(bytes, shares, modelled, context.node.line_bytes, quantity.seen)
    end
    return { min = bytes.min_bytes * scale, value = bytes.value_bytes * scale, max = bytes.max_bytes * scale,
        terms = scaled(bytes.terms, scale) },
        model.work(kernel.streams, modelled) * scale * (quantity.seen or 1) / (shares or 1)
end

local function find_row(regions, region, cpu)
    return lists.find(regions and regions[region] or {}, function(row) return row.cpu == cpu end)
end

-- Has a planned point an expectation of the quantity for this thread?
local function is_claimed(quantity, planned, cpu)
    return planned[quantity.metric] ~= nil and planned[quantity.metric][tostring(cpu)] ~= nil
end

-- Is the metric one of boxes that the thread's socket lacks?
local function is_lacking(context, quantity, cpu)
    local group = context.groups[quantity.group]
    local left = boxes.fit_socket(group, context.node, cpu)
    return left ~= group and not group_file.metric(left, quantity.of or quantity.metric)
end

-- Does the sample exist? A planned point has samples of the quantities that its model expects. A stream has samples of all quantities
-- except those that other codes show (quantity.codes). A difference is left out if 0 is expected in both regions: it adds no information.
local function exists(context, quantity, point, unit, is_difference)
    if is_lacking(context, quantity, unit.cpu) or quantity.codes and not lists.contains(quantity.codes, point.code) then
        return false
    elseif point.expected then
        return is_claimed(quantity, is_difference and point.difference or point.expected, unit.cpu)
    elseif not is_difference then
        return true
    end
    local volume = quantity.kind == "bandwidth" and setmetatable({ kind = "volume" }, { __index = quantity }) or quantity
    local expected = expect(context, volume, point, { is_difference = true }, unit)
    return expected.max > 0
end

local function measure(context, quantity, find, cpu)
    if context.why then
        return nil, context.why
    elseif quantity.kind == "ratio" then
        return divide(context, quantity, find)
    end
    return evaluate(context, quantity, quantity.metric, find(cpu))
end

local function add(list, context, quantity, point, unit, is_difference)
    local cpu = unit.cpu
    if not exists(context, quantity, point, unit, is_difference) then
        return
    end
    local function find(number)
        return {
            whole = find_row(context.regions, point.region, number),
            base = point.base and find_row(context.regions, point.base.region, number),
            is_difference = is_difference,
        }
    end
    local rows = find(cpu)
    local value, why = measure(context, quantity, find, cpu)
    local expected, work = expect(context, quantity, point, rows, unit)
    list[#list + 1] = {
        pattern = context.job.pattern,
        code = point.code,
        level = context.job.level,
        placement = context.job.placement,
        point = point.region .. (is_difference and ".difference" or ""),
        given = point.given,
        rep = context.rep,
        thread = cpu,
        group = quantity.group,
        metric = quantity.metric,
        unit = quantity.unit,
        measured = value,
        why = why,
        expected = expected,
        counted = value and not is_difference and point.counted and point.counted[quantity.metric] or nil,
        work = work,
        processed = not is_difference and point.processed and point.processed[tostring(cpu)] or nil,
        control = not is_difference and point.control or nil,
        signature = quantity.signature,
        seconds = samples.OVER_TIME[quantity.kind] and seconds_of(rows) or nil,
        regions = is_difference and 0 or nil,
    }
end

-- Samples of one repetition of one run of a job, from the reader's regions.
function samples.read(argument)
    local list = array()
    local groups = argument.fitted or boxes.fit_all(argument.groups, argument.machine, argument.node)
    local context = setmetatable({ groups = groups }, { __index = argument })
    for _, point in ipairs(argument.job.points) do
        for _, quantity in ipairs(argument.job.quantities) do
            if pack.shows(argument.run, quantity.group, quantity.of or quantity.metric) then
                for _, unit in ipairs(units.of(argument.node, quantity.scope, argument.job.cpus)) do
                    add(list, context, quantity, point, unit, false)
                    if point.base then
                        add(list, context, quantity, point, unit, true)
                    end
                end
            end
        end
    end
    return list
end

-- The same for a run without results: every sample exists, without a value; `why` becomes "run failed: WHY".
function samples.failed(argument)
    local context = { why = "run failed" .. (argument.why and ": " .. argument.why or "") }
    for key, value in pairs(argument) do
        context[key] = context[key] or value
    end
    context.regions = nil
    return samples.read(context)
end

return samples
