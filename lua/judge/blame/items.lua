-- items.lua - turns samples into inequalities in the constants of their events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An event that shows factor * true + offset in each region has true = g * count - h, with g = 1 / factor and h = offset / factor.
-- A metric's expectation, low <= top / bottom <= high (input/quotient.lua), is then linear in the g and h of its events:
--     low * bottom <= top   and   top <= high * bottom,      each sum of counts being a sum of (g * count - h)
-- Place: one event with its options on a box or in a core: { event =, box = |nil: a core, at = { [event] = place } of the same counters }.
-- Term: a place as one group's file uses it, the smallest thing that can be wrong alone: { key =, event =, options =, box =, group =,
-- place =, most =, least = its largest and smallest count of a region }.
-- Item: a sample with its counts:
--   { sample =, id = of its metric (vocabulary.IDENTITY), metric = { group =, name = without the ratio, key = both }, code =,
--     place = its benchmark (exceptions are per benchmark), violated =, terms = { [term] = true }, events = { [event] = true },
--     entries = { { entry = of counts.lua, counts = { [place] = number } } .. }, rows = { row, row } (empty: its counts are not known),
--     nominal = row, from, to = the right range with the tolerance, tolerance = share, missed = largest miss of a row, in slacks }
--   row  { parts = { { term =, g =, h =, raises =, lowers = effect of an additional count } .. }, base =, low = 0 or high = 0, slack = }:
--        base + sum(part.g * g - part.h * h) must be >= low or <= high, and may miss that by the slack. All are shares of the value that
--        the sample is compared with (deviation.lua). The nominal row is 0 if the sample shows the nominal value.
local counts = require "read.counts"
local deviation = require "judge.deviation"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local pack = require "plan.pack"
local quotient = require "input.quotient"
local stats = require "numeric.stats"
local vocabulary = require "judge.vocabulary"

local items = {}

local SAME = 1e-6 -- relative distance of a metric's value from the value of its entry: more than rounding in a file causes
local ROUNDING = 1e-9

items.SITE = { "pattern", "point", "rep", "thread" }
items.FACTOR_MOST = 1e4 -- largest factor, and 1 over the smallest: counts further off are not explained by a factor

-- Box of a counter: "MBOX3" of MBOX3C1; nil for a core's counter.
function items.box_of(machine, counter)
    return (pack.locate(machine, counter) or ""):match "^(%a+%d+)C$"
end

-- The formula of a group's metric as a quotient; nil if it is not one.
function items.quotient_of(metric)
    return quotient.fraction(metric.parsed or formula.parse(metric.formula))
end

-- The table of a place; all counters of a box share it.
local function place_of(context, event, counter, options)
    local key, slot = counts.place(context.machine, event, counter, options), pack.locate(context.machine, counter) or counter
    if not context.places[key] then
        context.slots[slot] = context.slots[slot] or {}
        context.places[key] = { key = key, event = event, box = items.box_of(context.machine, counter), at = context.slots[slot] }
        context.slots[slot][event] = context.places[key]
    end
    return context.places[key]
end

-- The counts of a site, on one thread (items.SITE) or on any.
local function list_at(context, entry, changes, keys)
    local site = vocabulary.identity(setmetatable(changes or {}, { __index = entry }), keys or items.SITE)
    context.sites[site] = context.sites[site] or {}
    return context.sites[site]
end

local ANY_THREAD = { "pattern", "point", "rep" }

local function add_at(context, one, changes)
    table.insert(list_at(context, one.entry, changes), one)
    table.insert(list_at(context, one.entry, changes, ANY_THREAD), one)
end

-- The counts of `one` minus its base, as an entry of 0 regions: an amount added per region cancels.
local function more_than(one, base)
    local entry = { run = one.entry.run, regions = 0, seconds = one.entry.seconds and base.entry.seconds
        and one.entry.seconds - base.entry.seconds }
    local more = { entry = setmetatable(entry, { __index = one.entry }), counts = {} }
    for place, count in pairs(one.counts) do
        more.counts[place] = base.counts[place] and count - base.counts[place]
    end
    return more
end

-- Indexes entries by site, each with its counts by place, and adds their differences to their bases.
local function index(context, list)
    local places, with_base = {}, {}
    for _, entry in ipairs(list) do
        local one = { entry = entry, counts = {} }
        for key, count in pairs(entry.counts) do
            places[key] = places[key] or place_of(context, counts.parts(key))
            one.counts[places[key]] = count
        end
        add_at(context, one)
        with_base[#with_base + 1] = entry.base and one or nil
    end
    for _, one in ipairs(with_base) do
        for _, base in ipairs(list_at(context, one.entry, { point = one.entry.base })) do
            if base.entry.run == one.entry.run then
                add_at(context, more_than(one, base), { point = one.entry.point .. ".difference" })
            end
        end
    end
end

-- The terms of a group by their names in its formulas.
local function terms_of(context, group)
    local by_name = {}
    for _, event in ipairs(group.events) do
        local place = place_of(context, event.event, event.counter, event.options)
        local key = group.name .. "\t" .. place.key
        context.terms[key] = context.terms[key] or { key = key, event = event.event, options = event.options, box = place.box,
            group = group.name, place = place, most = 0, least = math.huge }
        by_name[event.name] = context.terms[key]
    end
    return by_name
end

-- Is the formula a single event's count?
local function is_count(found)
    local names, bottom = found.top.names, found.bottom
    return #names == 1 and found.top.terms[names[1]] == 1 and bottom.base == 1 and next(bottom.terms) == nil
        and next(found.powers) == nil
end

-- The metric of that group and name: { group =, name =, key =, .. }. If its formula is a quotient of counts, is_known is true and
-- `names` has the term of each name in it.
local function metric_of(context, group_name, name)
    local key = group_name .. "\t" .. name
    if not context.metrics[key] then
        local group = context.groups[group_name]
        local metric = group and group_file.metric(group, name)
        local found = metric and items.quotient_of(metric) or {}
        found.is_known, found.key, found.group, found.name = found.top ~= nil, key, group_name, name
        found.names = found.is_known and terms_of(context, group) or {}
        found.is_count = found.is_known and is_count(found)
        context.metrics[key] = found
    end
    return context.metrics[key]
end

-- A sum with the entry's counts: { value =, base =, parts = { { term =, count =, factor =, regions = } .. } }; nil if one is absent.
local function with_counts(sum, metric, one)
    local own = { value = sum.base, base = sum.base, parts = {} }
    for i, name in ipairs(sum.names) do
        local term, factor = metric.names[name], sum.terms[name]
        local count = term and one.counts[term.place]
        if not count then
            return nil
        end
        own.parts[i] = { term = term, count = count, factor = factor, regions = one.entry.regions or 1 }
        own.value = own.value + factor * count
    end
    return own
end

local function power_of(context, metric, one)
    local product = 1
    for name, power in pairs(metric.powers) do
        local value = name == "time" and one.entry.seconds or context.values[name]
        if not value or value <= 0 then
            return nil
        end
        product = product * value ^ power
    end
    return product
end

-- The metric's value from one entry: { one =, top =, bottom = sums with counts, power =, value = }; nil if a count is absent.
local function evaluate(context, metric, one)
    local top, bottom = with_counts(metric.top, metric, one), with_counts(metric.bottom, metric, one)
    local power = power_of(context, metric, one)
    return top and bottom and power and bottom.value ~= 0
        and { one = one, top = top, bottom = bottom, power = power, value = power * top.value / bottom.value } or nil
end

local function is_close(a, b)
    return math.abs(a - b) <= SAME * math.max(math.abs(a), math.abs(b))
end

-- The metric evaluated with the entry that gave the sample: the run at its site whose value matches. A ratio has two results, one per
-- thread of one run.
local function evaluate_sample(context, metric, sample, is_ratio)
    for _, first in ipairs(list_at(context, sample)) do
        local a = evaluate(context, metric, first)
        if a and not is_ratio and is_close(a.value, sample.measured) then
            return { a }
        end
        for _, second in ipairs(a and is_ratio and list_at(context, sample, nil, ANY_THREAD) or {}) do
            local is_pair = second.entry.run == first.entry.run and second.entry.thread ~= sample.thread
            local b = is_pair and evaluate(context, metric, second)
            if b and b.top.value ~= 0 and is_close(a.value / b.value, sample.measured) then
                return { a, b }
            end
        end
    end
    return nil
end

-- Adds factor * a sum with counts to a row under construction.
local function add(row, by_term, sum, factor)
    row.base = row.base + factor * sum.base
    for _, own in ipairs(sum.parts) do
        local part, weight = by_term[own.term], factor * own.factor
        if not part then
            part = { term = own.term, g = 0, h = 0 }
            by_term[own.term], row.parts[#row.parts + 1] = part, part
        end
        part.g, part.h = part.g + weight * own.count, part.h + weight * own.regions
        part.raises, part.lowers = part.raises or weight > 0, part.lowers or weight < 0
    end
end

-- One result, or the ratio of two, as two lists of { sum, factor }: top and bottom.
local function fraction(a, b)
    return { a.top, a.power / (b and a.bottom.value or 1) }, { b and b.top or a.bottom, b and b.power / b.bottom.value or 1 }
end

-- (top - limit * bottom) / unit as a row.
local function difference(top, bottom, limit, unit)
    local row, by_term = { parts = {}, base = 0 }, {}
    add(row, by_term, top[1], top[2] / unit)
    add(row, by_term, bottom[1], -limit * bottom[2] / unit)
    return row
end

local function scale_of(sample)
    local expected = sample.expected
    local scale = expected.value > 0 and expected.value or expected.max > 0 and expected.max or (sample.work or 0)
    return scale > 0 and scale or 1
end

-- The rows of an item.
local function make_rows(item, results, tolerance)
    local expected, scale = item.sample.expected, scale_of(item.sample)
    local top, bottom = fraction(table.unpack(results))
    local unit = scale * bottom[1].value * bottom[2]
    local below, above = tolerance, tolerance
    if expected.max > 0 then
        below, above = tolerance * (expected.min > 0 and expected.min or expected.max) / scale, tolerance * expected.max / scale
    end
    -- The slack is a share of the metric's value. It is part of the limit, because it scales with the corrected denominator. It must
    -- not count twice while all events are taken for correct, so it is subtracted from the base.
    item.from, item.to = expected.min - below * scale, expected.max + above * scale
    local low, high = difference(top, bottom, item.from, unit), difference(top, bottom, item.to, unit)
    low.base, high.base = low.base - below, high.base + above
    low.low, low.slack, high.high, high.slack = 0, below, 0, above
    item.rows, item.nominal = { low, high }, difference(top, bottom, expected.value, unit)
    item.scale, item.tolerance = scale, tolerance
end

-- The row's value with g, h = constants(term). Without constants, or if the call returns nil, the event is taken for correct.
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

-- The item's measured value after correction by constants(term).
function items.corrected(item, constants)
    return item.sample.expected.value + item.scale * items.value(item.nominal, constants)
end

-- A row's distance beyond its limit, in slacks; 0 if within.
local function miss(row)
    local value = items.value(row)
    local beyond = row.low and row.low - value or value - row.high
    return beyond > ROUNDING and beyond / math.max(row.slack, ROUNDING) or 0
end

-- Adds the item's terms, their counts and its events.
local function note_terms(item, results)
    for _, result in ipairs(results) do
        for _, part in ipairs(lists.joined(result.top.parts, result.bottom.parts)) do
            local term = part.term
            term.most = math.max(term.most, part.count)
            term.least = part.regions ~= 0 and math.min(term.least, part.count) or term.least
            item.terms[term], item.events[term.event] = true, true
        end
    end
end

local function make_item(context, sample, tolerance_pct)
    local of, row = vocabulary.ratio_of(sample.metric), deviation.row(sample)
    local metric = metric_of(context, sample.group, of or sample.metric)
    local item = { sample = sample, id = vocabulary.identity(sample), metric = metric, code = sample.code,
        place = sample.pattern .. "\t" .. sample.code, is_ratio = of ~= nil, terms = {}, events = {}, entries = {}, rows = {},
        violated = math.abs(deviation.of(row, row.y)) > tolerance_pct }
    local can_be = metric.is_known and not (of and next(metric.bottom.terms))
    local results = can_be and evaluate_sample(context, metric, sample, of)
    if results then
        item.entries = lists.collect(results, function(result) return result.one end)
        make_rows(item, results, tolerance_pct / 100)
        note_terms(item, results)
        item.missed = math.max(miss(item.rows[1]), miss(item.rows[2]))
    end
    return item
end

-- Iterates over the items' counts of the event (nil: all) on the box (nil: all): place, count, all counts of the entry, item.
function items.counts(list, event, box)
    return coroutine.wrap(function()
        for _, item in ipairs(list) do
            for _, one in ipairs(item.entries) do
                for place, count in pairs(one.counts) do
                    if (not event or place.event == event) and (not box or place.box == box) then
                        coroutine.yield(place, count, one.counts, item)
                    end
                end
            end
        end
    end)
end

-- The item with counts from count_of(place, all counts of its entry); nil if a count is absent, false if the item would have no value.
local function changed(context, item, count_of)
    local results = {}
    for i, one in ipairs(item.entries) do
        local other = { entry = one.entry, counts = {} }
        for term in pairs(item.terms) do
            other.counts[term.place] = count_of(term.place, one.counts)
            if not other.counts[term.place] then
                return nil
            end
        end
        results[i] = evaluate(context, item.metric, other)
        if not results[i] then
            return false
        end
    end
    if results[2] and results[2].top.value == 0 then
        return false
    end
    local copy = setmetatable({}, { __index = item })
    make_rows(copy, results, item.tolerance)
    return copy
end

-- The item with the counts of events a and b swapped.
function items.exchanged(context, item, a, b)
    local other = { [a] = b, [b] = a }
    return changed(context, item, function(place, all)
        return all[not other[place.event] and place or place.at[other[place.event]] or false]
    end)
end

-- The item with events that count nothing on the box, each replaced by the mean of the boxes that count it.
function items.filled(context, item, box)
    return changed(context, item, function(place, all)
        if place.box ~= box or all[place] ~= 0 then
            return all[place]
        end
        local others = {}
        for other, count in pairs(all) do
            others[#others + 1] = other.event == place.event and count > 0 and count or nil
        end
        return stats.mean(others) or 0
    end)
end

-- The item's rows if its counts at the places could be anything from 0 on; with is_most, up to what they are. false: the item would
-- have no value.
function items.freed(context, item, is_free, is_most)
    local least = changed(context, item, function(place, all) return is_free(place) and 0 or all[place] end)
    if not least then
        return least
    end
    local low = lists.filter(is_most and item.rows or {}, "low")
    return setmetatable({ rows = lists.joined(low, lists.filter(least.rows, "high")) }, { __index = item })
end

-- The item without the rows that would be right if the event had lost counts.
function items.with_more(item, event)
    local rows = lists.filter(item.rows, function(row)
        return not lists.find(row.parts, function(part)
            return part.term.event == event and (row.low and part.raises or row.high and part.lowers)
        end)
    end)
    return setmetatable({ rows = rows }, { __index = item })
end

-- Is every row of the item within its slack if all events are right?
function items.is_right(item)
    return not lists.find(item.rows, function(row) return miss(row) > 1 + ROUNDING end)
end

-- Could the item be right if the event's counts in it were wrong by up to `share`?
function items.may_mend(item, event, share)
    return not lists.find(item.rows, function(row)
        local value, reach = items.value(row), row.slack
        for _, part in ipairs(row.parts) do
            reach = reach + (part.term.event == event and share * math.abs(part.g) or 0)
        end
        return (row.low and -value or value) > reach * (1 + ROUNDING) + ROUNDING
    end)
end

-- A key that items share if they differ in the repetition only; one of them is enough.
local function key_of(item)
    local sample = item.sample
    return ("%s\t%s\t%s\t%.12g\t%.12g\t%.12g"):format(item.id, sample.point, tostring(sample.thread), sample.measured, sample.expected.min,
        sample.expected.max)
end

-- { samples =, metrics = (the record's), counts = (counts.lua), groups = fitted to the node, machine =, values = { inverseClock = |nil } }
-- -> { items =, violated = number of them, terms = { [key] = term }, context = for items.exchanged }
function items.make(argument)
    local context = setmetatable({ metrics = {}, places = {}, slots = {}, sites = {}, terms = {}, values = argument.values or {} },
        { __index = argument })
    index(context, argument.counts)
    local tolerances, seen, found = {}, {}, { items = {}, violated = 0, terms = context.terms, context = context }
    for _, metric in ipairs(argument.metrics) do
        tolerances[vocabulary.identity(metric)] = metric.tolerance_pct
    end
    for _, sample in ipairs(argument.samples) do
        local tolerance = tolerances[vocabulary.identity(sample)]
        local item = sample.measured and sample.expected and tolerance and make_item(context, sample, tolerance)
        local key = item and key_of(item)
        if item and not seen[key] then
            seen[key], found.items[#found.items + 1] = true, item
            found.violated = found.violated + (item.violated and 1 or 0)
        end
    end
    return found
end

return items
