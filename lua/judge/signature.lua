-- signature.lua - applies a pattern's signature to a region: present, absent, or cannot say.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A signature is the conjunction of its tests (plan/signature.lua). Test values are computed from raw counts, which may come from
-- several runs of a repetition. Each test has a threshold (threshold.lua) from the pattern's own controls.
--   region   { pattern =, code =, control = "present"|"absent", point =, rep =, cpus = of its threads }
--   values   of one thread: { [number of the test] = number|nil }; all threads of a domain or socket share its counts and its spread
-- A thread shows the pattern if all tests say present, and does not if one says absent. A region shows it if one of its threads does.
local counts = require "read.counts"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local stats = require "numeric.stats"
local threshold = require "judge.threshold"
local units = require "plan.units"
local vocabulary = require "judge.vocabulary"

local signature = {}

local SITE = { "pattern", "point", "rep", "thread" }
local CANNOT, PRESENT, ABSENT = "cannot say", "present", "absent"
local NONE = { 0, 0 } -- absent control of an additional condition

-- { machine =, node =, groups = fitted to it, counts = of the record } -> the context for computing values.
function signature.context(argument)
    local sites = {}
    for _, entry in ipairs(argument.counts) do
        local name = vocabulary.identity(entry, SITE)
        local site = sites[name] or { seconds = entry.seconds, counts = {} }
        sites[name] = site
        for key, count in pairs(entry.counts) do
            local place = counts.place(argument.machine, counts.parts(key))
            site.counts[place] = site.counts[place] or count
        end
    end
    return { machine = argument.machine, node = argument.node, groups = argument.groups, sites = sites, metrics = {} }
end

-- A quantity's formula, and for each event its name in the formula and its place.
local function metric_of(context, one)
    local name = one.of or one.metric
    local key = one.group .. "\t" .. name
    local found = context.metrics[key]
    if not found then
        local group = context.groups[one.group]
        local metric = group_file.metric(group, name)
        found = { parsed = metric.parsed or formula.parse(metric.formula), events = {} }
        local used = group_file.counters(metric)
        for _, event in ipairs(group.events) do
            if used[event.name] then
                table.insert(found.events, { name = event.name, event = event.event,
                    place = counts.place(context.machine, event.event, event.counter, event.options) })
            end
        end
        context.metrics[key] = found
    end
    return found
end

-- A quantity's value on a thread; nil if a count is absent. `wrong` = { event =, factor = } scales the counts of an event.
local function value_of(context, one, region, cpu, wrong)
    local where = { pattern = region.pattern, point = region.point, rep = region.rep, thread = cpu }
    local site = context.sites[vocabulary.identity(where, SITE)]
    if not site then
        return nil
    end
    local metric = metric_of(context, one)
    local values = { time = site.seconds, inverseClock = counts.inverse_clock(context.machine, context.node) }
    for _, event in ipairs(metric.events) do
        local count = site.counts[event.place]
        values[event.name] = count and count * (wrong and wrong.event == event.event and wrong.factor or 1)
    end
    local value = formula.evaluate(metric.parsed, values)
    return value and math.abs(value) < math.huge and value or nil -- 0 / 0 gives no value
end

local function sum_of(context, one, region, cpus, wrong)
    local values = lists.collect(cpus, function(cpu) return value_of(context, one, region, cpu, wrong) end)
    return #values == #cpus and lists.sum(values, function(value) return value end) or nil
end

-- A test's value on one unit (units.lua).
local function value_of_unit(context, test, region, unit, wrong)
    local value = value_of(context, test.quantity, region, unit.cpu, wrong)
    local more = not test.plus and 0 or value_of(context, test.plus, region, unit.cpu, wrong)
    local whole = not test.per and 1 or sum_of(context, test.per, region, test.per.scope == "core" and unit.cpus or { unit.cpu }, wrong)
    return value and more and whole and whole > 0 and (value + more) / whole or nil
end

-- The largest of the units' values over the smallest; nil for fewer than two units or a value that is not positive.
local function spread_of(values)
    local low, high = stats.range(values)
    return #values > 1 and low > 0 and high / low or nil
end

-- Values of a test by unit: array of { value = |nil, cpus = of the threads in the unit }.
local function shown_by(context, test, region, wrong)
    local list = lists.map(units.of(context.node, test.quantity.scope, region.cpus), function(unit)
        return { value = value_of_unit(context, test, region, unit, wrong), cpus = unit.cpus }
    end)
    if test.spread then
        local values = lists.collect(list, "value")
        return { { value = #values == #list and spread_of(values) or nil, cpus = region.cpus } }
    end
    return list
end

-- Is the test valid for certain numbers of threads only? Not if each core counts for itself.
local function sees_threads(test)
    return test.spread or test.quantity.scope ~= "core"
end

-- Thresholds of the tests from the regions of the pattern's controls, except point `without`: array of threshold.between's results
-- with their `domain`, { threads = |nil, most = |nil }; false for a test without a value in a control.
function signature.thresholds(context, tests, pattern, regions, without)
    local list = {}
    for number, test in ipairs(tests) do
        local values, threads = { present = {}, absent = {} }, {}
        for _, region in ipairs(regions) do
            local control = pattern.controls[region.control]
            for _, shown in ipairs(region.point ~= without and not test.why and shown_by(context, test, region) or {}) do
                local is_its = not control.thread or lists.contains(shown.cpus, control.thread)
                if is_its and shown.value then
                    table.insert(values[region.control], shown.value)
                    threads[#threads + 1] = #region.cpus
                end
            end
        end
        local found = threshold.between(values.present, test.against == "none" and NONE or values.absent)
        if found then
            local least, most = stats.range(threads)
            found.domain = { threads = sees_threads(test) and { min = least, max = most } or nil, most = test.most }
        end
        list[number] = found or false
    end
    return list
end

local function answer_of_test(found, value, region)
    local threads = found.domain.threads
    if threads and (#region.cpus < threads.min or #region.cpus > threads.max) then
        return CANNOT
    end
    return threshold.answer(found, value, found.domain.most)
end

-- Combines the answers of tests: one "absent" decides.
local function join(so_far, answer)
    if so_far == ABSENT or answer == ABSENT then
        return ABSENT
    end
    return (so_far == CANNOT or answer == CANNOT) and CANNOT or PRESENT
end

-- "present", "absent" or "cannot say" for a region. Requires that the machine can show all tests and all have thresholds.
function signature.answer(context, tests, thresholds, region, wrong)
    local by_cpu, seen = {}, {}
    for number, test in ipairs(tests) do
        for _, shown in ipairs(shown_by(context, test, region, wrong)) do
            for _, cpu in ipairs(shown.cpus) do
                by_cpu[cpu] = join(by_cpu[cpu] or PRESENT, answer_of_test(thresholds[number], shown.value, region))
            end
        end
    end
    for _, answer in pairs(by_cpu) do
        seen[answer] = true
    end
    return seen[PRESENT] and PRESENT or seen[CANNOT] and CANNOT or ABSENT
end

-- Sorted names of the events that the tests use.
function signature.events(context, tests)
    local events = lists.flat(tests, function(test)
        return lists.flat({ "quantity", "plus", "per" }, function(key) return test[key] and metric_of(context, test[key]).events end)
    end)
    return lists.distinct(events, nil, "event")
end

return signature
