-- hypotheses.lua - what may explain a violated item: hypotheses of each kind (kinds.lua), and which of them may be in one set.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A hypothesis is { key = unique, kind =, event = | metric =, cost =, rank =, fields of its kind } with one of the functions
--   covers(term, item)   true: the hypothesis's constants g and h apply to the term in that item
--   drops(item)          true: the item counts as explained, whatever it shows
--   replaces(item)       the item with other counts; false: the item is left out; nil: the item stays as it is
local cross_checks = require "judge.blame.cross_checks"
local items = require "judge.blame.items"
local kinds = require "judge.blame.kinds"
local lists = require "input.lists"

local hypotheses = {}

local FIELDS = { "box", "options", "group" } -- of terms

local function note(entries, key, item)
    local own = entries[key] or { items = {}, codes = {}, count = 0, box = {}, options = {}, group = {} }
    entries[key] = own
    own.items[#own.items + 1] = item
    if item.sample.expected.max > 0 and not own.codes[item.place] then
        own.codes[item.place], own.count = item, own.count + 1
    end
end

-- Result of items.make() -> its terms and items by event, and its benchmarks by metric.
function hypotheses.survey(found)
    local known = { events = {}, metrics = {}, made = {}, items = found.items, context = found.context,
        cross_checks = cross_checks.survey(found.items) }
    for _, item in ipairs(found.items) do
        for event in pairs(item.events) do
            note(known.events, event, item)
        end
        note(known.metrics, item.metric, item)
    end
    for _, term in pairs(found.terms) do
        for _, field in ipairs(known.events[term.event] and FIELDS or {}) do
            known.events[term.event][field][term[field] or ""] = term[field] and true
        end
    end
    return known
end

-- The key of a hypothesis of a kind about an event or a metric, or about a part of it.
function hypotheses.key(kind, subject, part)
    return ("%s\t%s\t%s"):format(kind, subject, part or "")
end

-- Are the event's counts in the item likely right: does a cross-check exclude an error that could explain the item?
local function is_likely(known, item, event)
    local share = cross_checks.share(known.cross_checks.likely, item, event)
    return share ~= nil and not (item.violated and items.may_mend(item, event, share))
end

-- Adds the functions of a hypothesis, by its kind.
local function add_functions(known, kind, one)
    if kind.constants then
        function one.covers(term, item)
            return term.event == one.event and (not one.box or term.box == one.box)
                and (not one.options or term.options == one.options) and (not one.group or term.group == one.group)
                and (not one.place or item.place == one.place)
        end
    elseif kind.changed then
        function one.replaces(item)
            if item.events[one.event] or item.events[one.other] then
                return kind.changed(known, item, one) or false
            end
        end
    else
        function one.drops(item)
            return (not one.place or one.place == item.place) and (one.metric ~= nil and one.metric == item.metric
                or item.events[one.event] and (one.other ~= nil or not is_likely(known, item, one.event)))
        end
    end
end

local function make(known, name, subject, fields)
    local kind = kinds[name]
    fields.kind, fields[kind.of] = name, fields[kind.of] or subject
    local key = hypotheses.key(name, fields[kind.of].key or fields[kind.of], fields.box or fields.options or fields.group or fields.place
        or fields.other)
    if not known.made[key] then
        fields.key, fields.cost, fields.rank = key, fields.cost or kind.cost or 1, kind.rank or 0
        add_functions(known, kind, fields)
        known.made[key] = fields
    end
    return known.made[key]
end

-- The events that may be to blame for a violated item, in order; without events whose counts a cross-check shows to be right enough.
function hypotheses.events_of(known, item)
    item.accused = item.accused or lists.filter(lists.sorted(item.events), function(event)
        local share = item.violated and cross_checks.share(known.cross_checks.sure, item, event)
        return not share or items.may_mend(item, event, share)
    end)
    return item.accused
end

-- Does the hypothesis apply to the item?
function hypotheses.concerns(one, item)
    if one.drops then
        return one.drops(item)
    elseif one.replaces then
        return one.replaces(item) ~= nil
    end
    for term in pairs(item.terms) do
        if one.covers(term, item) then
            return true
        end
    end
    return false
end

-- All hypotheses about an event or a metric.
function hypotheses.about(known, subject)
    local own = known.events[subject] or known.metrics[subject]
    if not own.hypotheses then
        own.hypotheses = {}
        for _, name in ipairs(kinds.ORDER) do
            local is_right = kinds[name].of == (known.events[subject] and "event" or "metric")
            for _, fields in ipairs(is_right and kinds[name].made(known, subject) or {}) do
                table.insert(own.hypotheses, make(known, name, subject, fields))
            end
        end
    end
    return own.hypotheses
end

-- All hypotheses that could explain the item alone.
function hypotheses.of(known, item)
    if not item.hypotheses then
        local subjects = lists.joined(hypotheses.events_of(known, item), { item.metric })
        local all = lists.flat(subjects, function(subject) return hypotheses.about(known, subject) end)
        item.hypotheses = lists.filter(all, function(one) return hypotheses.concerns(one, item) end)
    end
    return item.hypotheses
end

local function is_exception(one)
    return kinds[one.kind].is_exception == true
end
hypotheses.is_exception = is_exception

-- Does `one` make `two` redundant, or contradict it?
local function excludes(one, two)
    if one.metric and one.metric == two.metric then
        return one.kind == "formula" or two.kind == "formula"
    elseif not (one.event and two.event and (one.event == two.event or one.other == two.event or two.other == one.event)) then
        return false
    end
    return not (is_exception(one) or is_exception(two)) and (kinds[one.kind].is_whole or kinds[two.kind].is_whole or one.kind ~= two.kind)
        or one.kind == "unsteady" or two.kind == "unsteady"
end

-- Are these two exceptions of the same event, of the same metric, or of an event and a metric that uses it?
local function is_related(known, one, two)
    local function makes(event, metric)
        return event and metric and known.metrics[metric].items[1].events[event]
    end
    return one.event and one.event == two.event or one.metric and one.metric == two.metric or makes(one.event, two.metric)
        or makes(two.event, one.metric)
end

-- May `two` be added to the set? Exceptions must be fewer than half of the codes of their event or metric.
function hypotheses.fits(known, set, two)
    local subject = known.metrics[two.metric] or known.events[two.event]
    local places, exceptions = {}, 0
    local function count(one)
        exceptions = exceptions + (subject.codes[one.place] and not places[one.place] and 1 or 0)
        places[one.place] = true
    end
    for _, one in ipairs(set) do
        if one == two or excludes(one, two) then
            return false
        elseif is_exception(one) and is_exception(two) and is_related(known, one, two) then
            count(one)
        end
    end
    if is_exception(two) then
        count(two)
    end
    return not is_exception(two) or 2 * exceptions < subject.count
end

return hypotheses
