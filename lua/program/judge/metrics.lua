-- metrics.lua - derives the values of an analysis' metrics from the raw counts of all its runs.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A measured metric is the mean of all counts of its event, a composed one the sum of its children, a computed one the value of its
-- expression. A sum with absent terms is partial. An expression with absent operands has no value, because it could be anything. An
-- absent entry is never 0.
local array = require "input.array"
local formula = require "input.formula"
local program_counts = require "program.read.program_counts"

local metrics = {}

local Cell = {} -- one region of one thread
Cell.__index = Cell

local function name_of(event, options)
    return options ~= "" and event .. ":" .. options or event
end

local function summary(values)
    local least, most, sum = math.huge, -math.huge, 0
    for _, value in ipairs(values) do
        least, most, sum = math.min(least, value), math.max(most, value), sum + value
    end
    return { value = sum / #values, range = most - least, partial = false, count = #values }
end

function Cell:composed(metric, index)
    local total = { value = 0, range = 0, partial = metric.lacks ~= nil, count = 0 }
    for _, child in ipairs(self.shape.children[index] or {}) do
        local part = self:of(child)
        if part then
            total.value, total.range = total.value + part.value, total.range + part.range
            total.partial, total.count = total.partial or part.partial, math.max(total.count, part.count)
        else
            total.partial = true
        end
    end
    return total.count > 0 and total or nil
end

-- Spread of the expression's value: the sum of the spreads that each operand's counts cause; nil if it has no value for some of them.
local function range_of(parsed, parts, values)
    local range, moved = 0, setmetatable({}, { __index = values })
    for name, part in pairs(parts) do
        moved[name] = part.value - part.range / 2
        local low = formula.evaluate(parsed, moved)
        moved[name] = part.value + part.range / 2
        local high = formula.evaluate(parsed, moved)
        moved[name] = nil
        range = range and low and high and range + math.abs(high - low)
    end
    return range
end

function Cell:computed(metric)
    local values, parts, count = {}, {}, 1
    local parsed = formula.parse(metric.text)
    for _, name in ipairs(parsed.names) do
        local index = self.shape.by_name[name]
        local part = index and self:of(index) or not index and self.events[name] or nil
        if part and not part.partial then
            values[name], parts[name], count = part.value, part, math.max(count, part.count)
        end
    end
    local value = formula.evaluate(parsed, values)
    return value and { value = value, range = range_of(parsed, parts, values) or 0, partial = false, count = count } or nil
end

-- Value of metric `index` (from 1) in this cell; nil if it has none.
function Cell:of(index)
    if self.known[index] == nil then
        local metric = self.shape.metrics[index]
        local found
        if metric.kind == "measured" then
            found = self.events[metric.text]
        else
            found = self[metric.kind](self, metric, index)
        end
        self.known[index] = found or false
    end
    return self.known[index] or nil
end

local function shape_of(list)
    local shape = { metrics = list, children = {}, by_name = {} }
    for i, metric in ipairs(list) do
        if metric.parent then
            local key = metric.parent + 1
            shape.children[key] = shape.children[key] or {}
            table.insert(shape.children[key], i)
        end
        shape.by_name[metric.name] = shape.by_name[metric.name] or i
    end
    return shape
end

local function cells_of(argument, shape)
    local cells = {}
    for region = 0, #argument.regions - 1 do
        cells[region] = {}
        for leaf = 0, #argument.system - 1 do
            cells[region][leaf] = setmetatable({ shape = shape, events = {}, known = {} }, Cell)
        end
    end
    for _, one in ipairs(argument.counts) do
        cells[one.region][one.leaf].events[name_of(one.event, one.options)] = summary(one.values)
    end
    return cells
end

-- { metrics =, regions =, system =, counts = } of an analysis record -> its values
function metrics.derive(argument)
    local values = array()
    local cells = cells_of(argument, shape_of(argument.metrics))
    for i = 1, #argument.metrics do
        for region = 0, #argument.regions - 1 do
            for leaf = 0, #argument.system - 1 do
                local found = cells[region][leaf]:of(i)
                if found then
                    values[#values + 1] = {
                        metric = i - 1,
                        region = region,
                        leaf = leaf,
                        value = found.value,
                        partial = found.partial,
                        spread_pct = found.count > 1 and found.value ~= 0 and 100 * found.range / math.abs(found.value)
                            or nil,
                    }
                end
            end
        end
    end
    return values
end

-- Adds counted events that belong to no metric as metrics of their own. A record's `metrics` and `counts` -> all metrics.
function metrics.with_others(argument)
    local used, all = {}, array { table.unpack(argument.metrics) }
    for _, metric in ipairs(argument.metrics) do
        for _, name in ipairs(metric.kind == "computed" and formula.parse(metric.text).names or { metric.text }) do
            used[name] = true
        end
    end
    for _, one in ipairs(argument.counts) do
        local name = name_of(one.event, one.options)
        if not used[name] then
            used[name] = true
            all[#all + 1] = { name = name, kind = "measured", unit = "", text = name, where = "" }
        end
    end
    return all
end

-- Both steps: { metrics =, regions =, system =, counts = } -> { metrics =, values = }
function metrics.complete(argument)
    local all = metrics.with_others(argument)
    local values = metrics.derive { metrics = all, regions = argument.regions, system = argument.system, counts = argument.counts }
    return { metrics = all, values = values }
end

-- { plan =, results =, reps =, machine =, node =, metrics = |nil } -> the result of read/program_counts.lua and, with `metrics`,
-- the metrics and their values.
function metrics.of_results(argument)
    local found = program_counts.read(argument)
    if argument.metrics then
        local made = metrics.complete(setmetatable({ metrics = argument.metrics }, { __index = found }))
        found.metrics, found.values = made.metrics, made.values
    end
    return found
end

return metrics
