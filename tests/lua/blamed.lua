-- blamed.lua - synthetic campaigns for the tests of blame: true counts, changed by faults and wrong formulas.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- blamed.make{ groups = names, arch = |nil, faults = { function(count, event, counter, at, truth) -> count|nil .. },
--   mutate = { [group] = function(text) -> text }, reps = 1, points = 3, codes = |nil, tolerance = 0.5 (%), width = 0 (% of the value, of
--   every interval), together = all groups in one run, else in one each, difference = every point has a base of half its size, seed =,
--   alike = { [event] = another event with the same true count } |nil, none = { [event] = true } that truly never happen |nil,
--   judged = function(metric's name) -> is it judged? |nil: all are }
--   -> the argument of blame.find, judged.
-- Every metric is expected at the value that the right formula gives of the true counts. at = { code =, point =, rep =, thread =, size = };
-- truth(event) = what another event truly counts there.
local counts = require "read.counts"
local fixture = require "fixture"
local formula = require "input.formula"
local group_file = require "input.group"
local judge = require "judge.judge"
local synthetic = require "synthetic"
local vocabulary = require "judge.vocabulary"

local blamed = {}

local CODES = { "load", "copy", "triad", "stream", "ddot" }
local POINTS, SECONDS = 3, 0.25

function blamed.group(arch, name, mutate)
    local path = ("groups/%s/%s.txt"):format(arch, name)
    local text = fixture.text(path)
    return group_file.parse { text = mutate and mutate(text) or text, file = path }
end

-- What an event truly counts in a region: boxes of one event count alike, up to a line.
local function make_truth(made, event, at)
    if made.none[event.event] then
        return 0
    end
    local other = made.alike[event.event]
    local key = ("%s %s %s"):format(other or event.event, other and "" or event.options, at.code)
    if not made.shares[key] then
        made.shares[key] = made.random.ratio(1, 20)
    end
    return math.floor(made.shares[key] * 40000 * at.size + 0.5)
end

local function changed(argument, made, count, event, at)
    local function truth(name) return make_truth(made, { event = name, options = "" }, at) end
    for _, fault in ipairs(argument.faults or {}) do
        count = fault(count, event.event, event.counter, at, truth)
    end
    return count
end

local function add_sample(found, made, group, metric, at, true_values, values, point)
    local value = formula.evaluate(group_file.metric(made.right[group.name], metric.name).formula, true_values)
    local is_second = group_file.metric(group, metric.name) ~= metric -- if two have the same name, samples mean the first
    if is_second or not made.is_judged(metric.name) or not value or value <= 0 or value == true_values.time then
        return
    end
    local measured = formula.evaluate(metric.formula, values)
    local width = value * made.width / 100
    found.samples[#found.samples + 1] = {
        pattern = "p", code = at.code, placement = "S0:1", point = point or at.point, regions = point and 0, rep = at.rep,
        thread = at.thread, group = group.name,
        metric = metric.name, unit = metric.unit, measured = measured, why = not measured and "dash" or nil,
        expected = { min = value - width, value = value, max = value + width }, work = value,
        seconds = metric.formula:find "/time" and values.time or nil,
    }
end

-- The counts of a group in a region: entry, true values, values.
local function count_region(made, group, at, argument)
    local entry = { pattern = "p", code = at.code, point = at.point, rep = at.rep, thread = at.thread,
        run = made.together and "RUN" or group.name, seconds = SECONDS * at.size, counts = {}, absent = {} }
    local true_values, values = { time = entry.seconds, inverseClock = 1e-9 }, { time = entry.seconds, inverseClock = 1e-9 }
    for _, event in ipairs(group.events) do
        local key = counts.key(event.event, event.counter, event.options)
        true_values[event.name] = make_truth(made, event, at)
        values[event.name] = changed(argument, made, true_values[event.name], event, at)
        entry.counts[key] = values[event.name]
        entry.absent[key] = not values[event.name] and "dash" or nil
    end
    return entry, true_values, values
end

local function minus(values, less)
    local more = { inverseClock = values.inverseClock }
    for name, value in pairs(values) do
        more[name] = more[name] or value - less[name]
    end
    return more
end

local function add_region(found, made, group, at, argument)
    local entry, true_values, values = count_region(made, group, at, argument)
    for _, metric in ipairs(group.metrics) do
        add_sample(found, made, group, metric, at, true_values, values)
    end
    if argument.difference then
        local half = setmetatable({ point = at.point .. ".base", size = at.size / 2 }, { __index = at })
        local base, true_base, base_values = count_region(made, group, half, argument)
        found.counts[#found.counts + 1], entry.base = base, base.point
        for _, metric in ipairs(group.metrics) do
            add_sample(found, made, group, metric, at, minus(true_values, true_base), minus(values, base_values),
                at.point .. ".difference")
        end
    end
    return entry
end

local function judged(found, tolerance)
    local bins, order = {}, {}
    for _, sample in ipairs(found.samples) do
        local key = vocabulary.identity(sample)
        if not bins[key] then
            bins[key] = {}
            order[#order + 1] = bins[key]
        end
        table.insert(bins[key], sample)
    end
    for i, samples in ipairs(order) do
        found.metrics[i] = judge.metric(samples, { tolerance_pct = tolerance })
        for _, key in ipairs(vocabulary.IDENTITY) do
            found.metrics[i][key] = samples[1][key]
        end
    end
    return found
end

function blamed.make(argument)
    local arch = argument.arch or "haswellEP"
    local made = { shares = {}, random = synthetic.random(argument.seed or 1), right = {}, width = argument.width or 0,
        together = argument.together, alike = argument.alike or {}, none = argument.none or {},
        is_judged = argument.judged or function() return true end }
    local machine = fixture.machine(arch)
    machine.processor = { clock_hz = 1e9 }
    local found = { samples = {}, metrics = {}, counts = {}, groups = {}, machine = machine, node = { kind = "virtual" } }
    for _, name in ipairs(argument.groups) do
        made.right[name] = blamed.group(arch, name)
        found.groups[name] = blamed.group(arch, name, (argument.mutate or {})[name])
    end
    for _, code in ipairs(argument.codes or CODES) do
        for number = 1, argument.points or POINTS do
            for rep = 1, argument.reps or 1 do
                local at = { code = code, point = code .. number, rep = rep, thread = 0, size = 1.7 ^ number }
                local whole
                for _, name in ipairs(argument.groups) do
                    local entry = add_region(found, made, found.groups[name], at, argument)
                    if whole and made.together then
                        for key, count in pairs(entry.counts) do
                            whole.counts[key] = count
                        end
                    else
                        whole = entry
                        found.counts[#found.counts + 1] = entry
                    end
                end
            end
        end
    end
    return judged(found, argument.tolerance or 0.5)
end

return blamed
