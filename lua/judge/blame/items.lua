-- items.lua - samples as inequalities in the constants of the events that they are made of.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An event that shows factor * true + offset in each region has true = g * count - h, with g = 1 / factor and h = offset / factor.
-- A metric's expectation, low <= top / bottom <= high (quotient.lua), is then linear in the g and h of its events:
--     low * bottom <= top   and   top <= high * bottom,      each sum of counts being a sum of (g * count - h)
-- A term is one event on one box in one group's file, the smallest that can be wrong alone: { key =, event =, options =, box =, group =,
-- name = in the formula, place = in counts, most = its largest count, least = its smallest of a region }. An item is a sample that has its
-- counts:
--   { sample =, id = of its metric (vocabulary.IDENTITY), metric = "GROUP\tMETRIC" without the ratio, code =, violated =,
--     terms = { [term] = true }, events = { [event] = true }, entries = { { entry = of counts.lua, counts = by place } .. },
--     rows = { row, row } (none: its counts are not known), nominal = row, tolerance = share, missed = slacks that the rows miss }
--   row  { parts = { { term =, g =, h =, raises =, lowers = what a count more does } .. }, base =, low = 0 or high = 0, slack = }:
--        base + sum(part.g * g - part.h * h) is at least low, at most high, and may miss it by the slack: all in shares of what the sample
--        is compared with (deviation.lua). The nominal row is 0 where the sample shows the nominal value.
local counts = require "read.counts"
local deviation = require "judge.deviation"
local group_file = require "input.group"
local pack = require "plan.pack"
local quotient = require "judge.blame.quotient"
local vocabulary = require "judge.vocabulary"

local items = {}

local SAME = 1e-6 -- share by which a metric's value may be off from what its entry gives: more than rounding in a file leaves
local ROUNDING = 1e-9

items.SITE = { "pattern", "point", "rep", "thread" }
items.FACTOR_MOST = 1e4 -- and 1 over it the least: what counts so much more or less is not wrong by a factor

-- "MBOX3" of MBOX3C1; nil for a counter of a core.
local function box_of(context, counter)
    return (pack.locate(context.machine, counter) or ""):match "^(%a+%d+)C$"
end

-- What `one` counts more than its base, as an entry of no region: what is added in every region is not in it.
local function more_than(one, base)
    local entry = { run = one.entry.run, regions = 0, seconds = one.entry.seconds and base.entry.seconds
        and one.entry.seconds - base.entry.seconds }
    local more = { entry = setmetatable(entry, { __index = one.entry }), counts = {} }
    for place, count in pairs(one.counts) do
        more.counts[place] = base.counts[place] and count - base.counts[place]
    end
    return more
end

-- Adds the differences to what was measured.
local function add_differences(context, list)
    for _, entry in ipairs(list) do
        local site = entry.base and vocabulary.identity(setmetatable({ point = entry.base }, { __index = entry }), items.SITE)
        for _, base in ipairs(site and context.sites[site] or {}) do
            for _, one in ipairs(base.entry.run == entry.run and context.sites[vocabulary.identity(entry, items.SITE)] or {}) do
                if one.entry == entry then
                    local key = vocabulary.identity(setmetatable({ point = entry.point .. ".difference" }, { __index = entry }), items.SITE)
                    context.sites[key] = context.sites[key] or {}
                    table.insert(context.sites[key], more_than(one, base))
                end
            end
        end
    end
end

-- Entries by where they were measured, each with its counts by event, options and box.
local function index(context, list)
    local places = {}
    for _, entry in ipairs(list) do
        local site = vocabulary.identity(entry, items.SITE)
        context.sites[site] = context.sites[site] or {}
        local one = { entry = entry, counts = {} }
        for key, count in pairs(entry.counts) do
            places[key] = places[key] or counts.place(context.machine, counts.parts(key))
            one.counts[places[key]] = count
        end
        table.insert(context.sites[site], one)
    end
    add_differences(context, list)
end

-- What is known of a metric: its quotient, and the term of each name in it. nil for one whose formula is none.
local function known(context, group_name, metric_name)
    local key = group_name .. "\t" .. metric_name
    if context.known[key] ~= nil then
        return context.known[key] or nil
    end
    context.known[key] = false
    local group = context.groups[group_name]
    local metric = group and group_file.metric(group, metric_name)
    local found = metric and quotient.of(metric)
    if not found then
        return nil
    end
    found.key, found.group, found.names = key, group, {}
    for _, event in ipairs(group.events) do
        local place = counts.place(context.machine, event.event, event.counter, event.options)
        local term = group_name .. "\t" .. place
        context.terms[term] = context.terms[term] or { key = term, event = event.event, options = event.options, group = group_name,
            box = box_of(context, event.counter), name = event.name, place = place, most = 0,
            least = math.huge }
        found.names[event.name] = context.terms[term]
    end
    context.known[key] = found
    return found
end

-- A sum's value with the entry's counts; nil where one of them is not there.
local function value_of(sum, found, one)
    local value = sum.constant
    for _, name in ipairs(sum.names) do
        local count = found.names[name] and one.counts[found.names[name].place]
        if not count then
            return nil
        end
        value = value + sum.terms[name] * count
    end
    return value
end

local function power_of(context, found, one)
    local product = 1
    for name, power in pairs(found.powers) do
        local value = name == "time" and one.entry.seconds or context.values[name]
        if not value or value <= 0 then
            return nil
        end
        product = product * value ^ power
    end
    return product
end

-- { top =, bottom =, power = } with one entry's counts; nil if some value is not there.
local function evaluate(context, found, one)
    local result = { found = found, one = one, top = value_of(found.top, found, one), bottom = value_of(found.bottom, found, one),
        power = power_of(context, found, one) }
    return result.top and result.bottom and result.power and result.bottom ~= 0 and result or nil
end

local function is_close(a, b)
    return math.abs(a - b) <= SAME * math.max(math.abs(a), math.abs(b))
end

-- The metric with the entry that the sample was made of: of the runs at its site the one that gives its value.
local function evaluate_plain(context, found, sample)
    for _, one in ipairs(context.sites[vocabulary.identity(sample, items.SITE)] or {}) do
        local result = evaluate(context, found, one)
        if result and is_close(result.power * result.top / result.bottom, sample.measured) then
            return result
        end
    end
    return nil
end

-- Both threads of a ratio: entries of one run.
local function evaluate_ratio(context, found, sample)
    for _, first in ipairs(context.sites[vocabulary.identity(sample, items.SITE)] or {}) do
        for _, thread in ipairs(context.threads[sample.pattern .. "\t" .. sample.point:gsub("%.difference$", "")] or {}) do
            local site = vocabulary.identity(setmetatable({ thread = thread }, { __index = sample }), items.SITE)
            for _, second in ipairs(thread ~= sample.thread and context.sites[site] or {}) do
                local a = first.entry.run == second.entry.run and evaluate(context, found, first)
                local b = a and evaluate(context, found, second)
                if b and b.top ~= 0 and is_close(a.power * a.top / a.bottom / (b.power * b.top / b.bottom), sample.measured) then
                    return a, b
                end
            end
        end
    end
    return nil
end

-- Adds factor * a sum of counts to a row under construction.
local function add(row, sum, result, factor)
    row.base = row.base + factor * sum.constant
    for _, name in ipairs(sum.names) do
        local own, term = sum.terms[name], result.found.names[name]
        local count = result.one.counts[term.place]
        local part = row.by_term[term]
        if not part then
            part = { term = term, g = 0, h = 0 }
            row.by_term[term], row.parts[#row.parts + 1] = part, part
        end
        part.g, part.h = part.g + factor * own * count, part.h + factor * own * (result.one.entry.regions or 1)
        part.raises, part.lowers = part.raises or factor * own > 0, part.lowers or factor * own < 0
    end
end

-- Notes the counts of a sum's terms.
local function note(sum, result)
    for _, name in ipairs(sum.names) do
        local term = result.found.names[name]
        local count = result.one.counts[term.place]
        term.most = math.max(term.most, count)
        if result.one.entry.regions ~= 0 then
            term.least = math.min(term.least, count)
        end
    end
end

local function new_row()
    return { parts = {}, by_term = {}, base = 0 }
end

-- top / bottom of what the sample shows as two sums with their factors: { sum, result, factor } each.
local function fraction(a, b)
    if not b then
        return { a.found.top, a, a.power }, { a.found.bottom, a, 1 }
    end
    return { a.found.top, a, a.power / a.bottom }, { b.found.top, b, b.power / b.bottom }
end

local function sum_value(part)
    local sum, result, factor = part[1], part[2], part[3]
    return factor * (sum == result.found.top and result.top or result.bottom)
end

-- (top - limit * bottom) / unit; `part` gives the two sums.
local function difference(top, bottom, limit, unit)
    local row = new_row()
    add(row, top[1], top[2], top[3] / unit)
    add(row, bottom[1], bottom[2], -limit * bottom[3] / unit)
    row.by_term = nil
    return row
end

-- The rows of an item.
local function make_rows(item, a, b, tolerance)
    local expected, sample = item.sample.expected, item.sample
    local scale = expected.value > 0 and expected.value or expected.max > 0 and expected.max or (sample.work or 0)
    scale = scale > 0 and scale or 1
    local top, bottom = fraction(a, b)
    local unit = scale * sum_value(bottom)
    local below, above = tolerance, tolerance
    if expected.max > 0 then
        below, above = tolerance * (expected.min > 0 and expected.min or expected.max) / scale, tolerance * expected.max / scale
    end
    -- The slack is a share of what the metric is, and so of the right bottom: it is in the limit. As long as all events are taken for
    -- right, what the limit gives is taken off again.
    local low = difference(top, bottom, expected.min - below * scale, unit)
    local high = difference(top, bottom, expected.max + above * scale, unit)
    low.base, high.base = low.base - below, high.base + above
    low.low, low.slack, high.high, high.slack = 0, below, 0, above
    item.rows, item.nominal = { low, high }, difference(top, bottom, expected.value, unit)
    item.scale, item.tolerance = scale, tolerance
end

-- What the row shows with the constants of constants(term) -> g, h; nil for those of a right event.
function items.value(row, constants)
    local sum = row.base
    for _, part in ipairs(row.parts) do
        local g, h = 1, 0
        if constants then
            g, h = constants(part.term)
        end
        sum = sum + part.g * g - part.h * h
    end
    return sum
end

-- What the sample would have shown with these constants.
function items.corrected(item, constants)
    return item.sample.expected.value + item.scale * items.value(item.nominal, constants)
end

-- How many times its slack a row misses its end; 0 within.
local function miss(row, value)
    local beyond = row.low and row.low - value or value - row.high
    return beyond > ROUNDING and beyond / math.max(row.slack, ROUNDING) or 0
end

local function is_violated(sample, tolerance_pct)
    local row = deviation.row(sample)
    return math.abs(deviation.of(row, row.y)) > tolerance_pct
end

local function make_item(context, sample, tolerance_pct)
    local of = vocabulary.ratio_of(sample.metric)
    local found = known(context, sample.group, of or sample.metric)
    local item = { sample = sample, id = vocabulary.identity(sample), metric = sample.group .. "\t" .. (of or sample.metric),
        code = sample.code, is_ratio = of ~= nil, violated = is_violated(sample, tolerance_pct), terms = {}, events = {}, entries = {},
        rows = {} }
    local a, b
    if found and of and next(found.bottom.terms) == nil then
        a, b = evaluate_ratio(context, found, sample)
    elseif found and not of then
        a = evaluate_plain(context, found, sample)
    end
    if not a then
        return item
    end
    item.found, item.entries = found, { a.one, b and b.one }
    for _, result in ipairs { a, b } do
        note(result.found.top, result)
        note(result.found.bottom, result)
    end
    make_rows(item, a, b, tolerance_pct / 100)
    for _, row in ipairs(item.rows) do
        for _, part in ipairs(row.parts) do
            item.terms[part.term], item.events[part.term.event] = true, true
        end
    end
    item.missed = math.max(miss(item.rows[1], items.value(item.rows[1])), miss(item.rows[2], items.value(item.rows[2])))
    return item
end

-- The entry's counts with two events of one box exchanged; nil if one of them is absent.
local function exchange(one, a, b)
    local swapped, seen = {}, {}
    for place, count in pairs(one.counts) do
        local event, slot = place:match "^[^\t]*", place:match "[^\t]*$"
        local wanted = event == a and b or event == b and a
        if wanted then
            local found
            for other, value in pairs(one.counts) do
                if other:match "^[^\t]*" == wanted and other:match "[^\t]*$" == slot then
                    found = value
                end
            end
            if not found then
                return nil
            end
            swapped[place], seen[event] = found, true
        else
            swapped[place] = count
        end
    end
    return seen[a] and seen[b] and { entry = one.entry, counts = swapped } or nil
end

-- The entry's counts with one box of an event replaced by the mean of the event's other boxes; nil if there are none.
local function fill(one, event, box)
    local filled, sum, n, own = {}, 0, 0, {}
    for place, count in pairs(one.counts) do
        filled[place] = count
        if place:match "^[^\t]*" == event then
            local is_own = place:match "[^\t]*$" == box .. "C"
            own[#own + 1] = is_own and place or nil
            sum, n = sum + (is_own and 0 or count), n + (is_own and 0 or 1)
        end
    end
    for _, place in ipairs(own) do
        filled[place] = n > 0 and sum / n or nil
    end
    return n > 0 and #own > 0 and { entry = one.entry, counts = filled } or nil
end

-- The item with the counts that change(entry's) gives; nil where that cannot be seen, false where it would have no value.
local function changed(context, item, change)
    local results = {}
    for i, one in ipairs(item.entries) do
        local other = change(one)
        if not other then
            return nil
        end
        results[i] = evaluate(context, item.found, other)
        if not results[i] then
            return false
        end
    end
    local copy = setmetatable({ rows = {} }, { __index = item })
    if sum_value((select(2, fraction(results[1], results[2])))) == 0 then
        return false
    end
    make_rows(copy, results[1], results[2], item.tolerance)
    return copy
end

-- The item as if the events a and b had counted each other.
function items.exchanged(context, item, a, b)
    return changed(context, item, function(one) return exchange(one, a, b) end)
end

-- The item as if the box had counted the event as its other boxes do.
function items.filled(context, item, event, box)
    return changed(context, item, function(one) return fill(one, event, box) end)
end

-- The item as if an unknown number of the event, 0 or more, had not been counted in it: without the rows that this may put right.
function items.with_more(item, event)
    local rows = {}
    for _, row in ipairs(item.rows) do
        local may_mend = false
        for _, part in ipairs(row.parts) do
            may_mend = may_mend or part.term.event == event and (row.low and part.raises or row.high and part.lowers)
        end
        rows[#rows + 1] = not may_mend and row or nil
    end
    return setmetatable({ rows = rows }, { __index = item })
end

-- Is every row of the item within its slack, all events being right?
function items.is_right(item)
    for _, row in ipairs(item.rows) do
        if miss(row, items.value(row)) > 1 + ROUNDING then
            return false
        end
    end
    return true
end

-- Could the item be right if the event's counts in it were off by up to that share?
function items.may_mend(item, event, share)
    for _, row in ipairs(item.rows) do
        local value, reach = items.value(row), row.slack
        for _, part in ipairs(row.parts) do
            reach = reach + (part.term.event == event and share * math.abs(part.g) or 0)
        end
        if (row.low and -value or value) > reach * (1 + ROUNDING) + ROUNDING then
            return false
        end
    end
    return true
end

-- The same for items that are equal but for repetition: one of them says it all.
local function key_of(item)
    local sample = item.sample
    return ("%s\t%s\t%s\t%.12g\t%.12g\t%.12g"):format(item.id, sample.point, tostring(sample.thread), sample.measured, sample.expected.min,
        sample.expected.max)
end

-- { samples =, metrics = (the record's), counts = (counts.lua), groups = fitted to the node, machine =, values = { inverseClock = |nil } }
-- -> { items =, violated = number of them, sites =, terms = { [key] = term }, context = for items.exchanged }
function items.make(argument)
    local context = setmetatable({ known = {}, terms = {}, threads = {}, values = argument.values or {} }, { __index = argument })
    context.sites = {}
    index(context, argument.counts)
    for _, entry in ipairs(argument.counts) do
        local key = entry.pattern .. "\t" .. entry.point
        context.threads[key] = vocabulary.distinct({ entry.thread }, context.threads[key])
    end
    local tolerances, seen = {}, {}
    local found = { items = {}, violated = 0, sites = context.sites, terms = context.terms,
        context = context }
    for _, metric in ipairs(argument.metrics) do
        tolerances[vocabulary.identity(metric)] = metric.tolerance_pct
    end
    for _, sample in ipairs(argument.samples) do
        local tolerance = tolerances[vocabulary.identity(sample)]
        if sample.measured and sample.expected and tolerance then
            local item = make_item(context, sample, tolerance)
            if not seen[key_of(item)] then
                seen[key_of(item)] = true
                found.items[#found.items + 1] = item
                found.violated = found.violated + (item.violated and 1 or 0)
            end
        end
    end
    return found
end

return items
