-- blame.lua - which events or formulas are wrong, and by what constants: the least that explains all findings of a record together.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Samples become inequalities in the constants of events (blame/items.lua). Those that are violated fall into components that accuse no
-- event in common (blame/components.lua). For each the cheapest sets of hypotheses that explain it are looked for (blame/hypotheses.lua,
-- blame/explain.lua); where several are equally cheap, all of them are said. Counters without a value are to blame for what has none.
--
-- blame.find{ samples =, metrics = (the record's), counts = (read/counts.lua), groups = (fitted to the node), machine =, node = } -> array
-- of { text = the line, metrics = how many follow, groups = array, causes = array, equally good, of arrays, together, of parts }; no
-- causes: nothing explains these. Most metrics first; exceptions of single codes last.
--   part  { kind = (hypotheses.lua) or "absent", event =, other =, box =, options =, group =, metric =, code =, counter =, why =, text =,
--         what = and what it needs (repairs.lua); factor =, factor_ci =, offset =, offset_ci = : counts = factor * right + offset, each
--         with the interval that the expected intervals and the tolerances leave; range = of measured / expected, `wrong` of `of` values }
local absent = require "judge.blame.absent"
local array = require "input.array"
local components = require "judge.blame.components"
local counts = require "read.counts"
local explain = require "judge.blame.explain"
local items = require "judge.blame.items"
local lists = require "input.lists"
local search = require "judge.blame.search"
local hypotheses = require "judge.blame.hypotheses"
local words = require "judge.blame.words"

local blame = {}

local EVEN = 4 -- times more even the boxes must be with one explanation than with another that is dropped for it

-- How unevenly an event's boxes count with the constants of an answer: the median over regions of the largest share's distance.
local function unevenness(known, event, answer)
    local values = {}
    for _, item in ipairs(known.events[event].items) do
        local sum, most, n = 0, 0, 0
        local shares = {}
        for _, row in ipairs(item.nominal and { item.nominal } or {}) do
            for _, part in ipairs(row.parts) do
                local one = nil
                for _, candidate in ipairs(answer.set) do
                    one = candidate.covers and candidate.covers(part.term, item) and candidate or one
                end
                local own = one and answer.constants[one]
                if part.term.event == event and part.h ~= 0 and part.term.box then
                    local count = part.g / part.h
                    count = own and (count - own.offset) / own.factor or count
                    shares[#shares + 1], sum, n = count, sum + count, n + 1
                end
            end
        end
        for _, count in ipairs(shares) do
            most = math.max(most, sum > 0 and math.abs(count * n / sum - 1) or 0)
        end
        values[#values + 1] = n > 1 and most or nil
    end
    table.sort(values)
    return values[(#values + 1) // 2]
end

-- Drops answers by the whole event where one box explains as well and makes the boxes even, and the other way round.
local function by_evenness(known, answers)
    local best, scores = math.huge, {}
    for i, answer in ipairs(answers) do
        for _, one in ipairs(answer.set) do
            if one.kind == "box" or one.kind == "event" then
                scores[i] = math.max(scores[i] or 0, unevenness(known, one.event, answer) or 0)
            elseif one.kind == "silent box" then
                scores[i] = scores[i] or 0
            end
        end
        best = math.min(best, scores[i] or math.huge)
    end
    local kept = {}
    for i, answer in ipairs(answers) do
        if not scores[i] or scores[i] <= EVEN * math.max(best, 1e-3) then
            kept[#kept + 1] = answer
        end
    end
    return kept
end

local NARROWER = { options = true, line = true }

-- Drops answers that say of a part of an event what another one says of all of it, or only that it is unsteady where another one says
-- what it counts.
local function without_narrower(answers)
    local wide, definite, kept = {}, {}, {}
    for _, answer in ipairs(answers) do
        for _, one in ipairs(answer.set) do
            wide[one.event or ""] = wide[one.event or ""] or one.kind == "event" or one.kind == "silent"
            for _, event in ipairs { one.event, one.other } do
                definite[event] = definite[event] or wide[event] or one.other ~= nil
            end
        end
    end
    for _, answer in ipairs(answers) do
        local is_narrow = false
        for _, one in ipairs(answer.set) do
            is_narrow = is_narrow or NARROWER[one.kind] and wide[one.event] or one.kind == "unsteady" and definite[one.event]
        end
        kept[#kept + 1] = not is_narrow and answer or nil
    end
    return kept
end

local function split_metric(key)
    return key:match "^(.-)\t(.*)$"
end

-- Of the items in which the event is alone: how many are violated, of how many, and their least and largest measured / expected.
local function extent_of(known, event)
    local low, high, wrong, count = nil, nil, 0, 0
    for _, item in ipairs(known.events[event].items) do
        if next(item.events, next(item.events)) == nil and item.sample.expected.value > 0 then
            count = count + 1
            if item.violated then
                local share = item.sample.measured / item.sample.expected.value
                low, high, wrong = math.min(low or share, share), math.max(high or share, share), wrong + 1
            end
        end
    end
    return { range = low and { low, high }, wrong = wrong, of = count }
end

local function add_fields(part, fields)
    for key, value in pairs(fields or {}) do
        part[key] = type(value) == "table" and array(value) or value
    end
end

local function overlap(a, b)
    return a and b and a[1] <= b[2] and b[1] <= a[2]
end

-- What an event counts in one code in times of what it counts everywhere, where it is wrong there, too.
local function relative(own, answer, one)
    for _, other in ipairs(one.kind == "code" and answer.set or {}) do
        local base = other.kind == "event" and other.event == one.event and answer.constants[other]
        if base and own.factor_ci then
            local is_same = overlap(base.offset_ci, own.offset_ci)
            return { factor = own.factor / base.factor, factor_ci = { own.factor_ci[1] / base.factor, own.factor_ci[2] / base.factor },
                offset = is_same and 0 or own.offset, offset_ci = not is_same and own.offset_ci or nil }
        end
    end
    return own
end

local function make_part(one, answer, known)
    local part = { kind = one.kind, event = one.event, other = one.other, box = one.box, options = one.options, group = one.group,
        code = one.code, pattern = one.pattern }
    if answer.constants[one] then
        add_fields(part, relative(answer.constants[one], answer, one))
    end
    if one.metric then
        part.group, part.metric = split_metric(one.metric)
        add_fields(part, one.repair or answer.repairs[one])
    elseif one.kind == "unsteady" then
        add_fields(part, extent_of(known, one.event))
    end
    part.text = words.part(part)
    return part
end

local function same_entry(found, key)
    for _, entry in ipairs(key and found or {}) do
        if entry.key == key then
            return entry
        end
    end
    return nil
end

-- Notes what is to blame for the metrics `ids`: once, however many components it is to blame for. keys = of the causes; nil: nothing
-- was found.
local function note(found, keys, ids, groups, causes)
    local key = keys and table.concat(keys, "\nor\n")
    local entry = same_entry(found, key)
    if not entry then
        entry = { key = key, keys = keys, ids = {}, of = {}, causes = array(causes) }
        found[#found + 1] = entry
    end
    for id in pairs(ids) do
        entry.ids[id] = true
    end
    for group in pairs(groups) do
        entry.of[group] = true
    end
end

local function make_entry(noted)
    local entry = { metrics = 0, causes = noted.causes }
    for _ in pairs(noted.ids) do
        entry.metrics = entry.metrics + 1
    end
    entry.groups = array(lists.sorted(noted.of))
    entry.text = words.line(entry)
    return entry
end

-- Notes hypotheses `ones` of several answers, with the items that one of them says something of.
local function note_all(found, component, known, alternatives)
    local ids, groups, causes, keys = {}, {}, array(), {}
    for number, alternative in ipairs(alternatives) do
        local parts, own = array(), {}
        for _, one in ipairs(alternative.ones) do
            parts[#parts + 1] = make_part(one, alternative.answer, known)
            own[#own + 1] = one.key
            for _, item in ipairs(component) do
                if hypotheses.concerns(one, item) then
                    ids[item.id], groups[item.sample.group] = true, true
                end
            end
        end
        causes[#causes + 1], keys[number] = parts, table.concat(own, "\n")
    end
    note(found, keys, ids, groups, causes)
end

-- Without those from which no metric follows, but from one of whose causes alone some do.
local function without_told(found)
    local told, kept = {}, {}
    for _, entry in ipairs(found) do
        told[entry.key or ""] = next(entry.ids) ~= nil
    end
    for _, entry in ipairs(found) do
        local is_told = false
        for _, key in ipairs(next(entry.ids) == nil and entry.keys or {}) do
            is_told = is_told or told[key]
        end
        kept[#kept + 1] = not is_told and entry or nil
    end
    return kept
end

-- Hypotheses that all answers have, and what each has besides.
local function factor_out(answers)
    local common, rests = search.common(answers), {}
    for i, answer in ipairs(answers) do
        rests[i] = { answer = answer, ones = {} }
        for _, one in ipairs(answer.set) do
            table.insert(rests[i].ones, not lists.contains(common, one) and one or nil)
        end
    end
    return common, rests
end

local function note_component(found, component, answers, known)
    if #answers == 0 then
        local ids, groups = {}, {}
        for _, item in ipairs(component) do
            ids[item.id], groups[item.sample.group] = true, true
        end
        note(found, nil, ids, groups, {})
        return
    end
    local common, rests = factor_out(answers)
    for _, one in ipairs(common) do
        note_all(found, component, known, { { answer = answers[1], ones = { one } } })
    end
    if #answers > 1 then
        note_all(found, component, known, rests)
    end
end

-- What is violated, but of counts that are not known, and not explained with the others of its metric.
local function note_rest(found, list)
    local explained, ids, groups = {}, {}, {}
    for _, entry in ipairs(found) do
        for id in pairs(entry.ids) do
            explained[id] = true
        end
    end
    for _, item in ipairs(list) do
        if item.violated and #item.rows == 0 and not explained[item.id] then
            ids[item.id], groups[item.sample.group] = true, true
        end
    end
    if next(ids) then
        note(found, nil, ids, groups, {})
    end
end

-- The set of events that a noted cause speaks of.
local function blamed_events(found)
    local events = {}
    for _, entry in ipairs(found) do
        for _, cause in ipairs(entry.causes) do
            for _, part in ipairs(cause) do
                if part.event then
                    events[part.event] = true
                end
            end
        end
    end
    return events
end

local EXCEPTION = { code = true, claim = true, ["unsteady code"] = true }

local function is_exception(entry)
    local part = entry.causes[1] and entry.causes[1][1]
    return part ~= nil and EXCEPTION[part.kind] == true
end

-- Those that most metrics follow from first, exceptions last.
local function in_order(noted)
    local found, number = array(), {}
    for i, one in ipairs(noted) do
        found[i] = make_entry(one)
        number[found[i]] = i
    end
    table.sort(found, function(a, b)
        if is_exception(a) ~= is_exception(b) then
            return is_exception(b)
        elseif a.metrics ~= b.metrics then
            return a.metrics > b.metrics
        end
        return number[a] < number[b]
    end)
    return found
end

function blame.find(argument)
    local found, is_wrong = {}, false
    for _, metric in ipairs(argument.metrics) do
        is_wrong = is_wrong or metric.verdict ~= "skipped" and metric.class ~= "exact"
    end
    if not is_wrong then
        return array()
    end
    local values = { inverseClock = argument.node and counts.inverse_clock(argument.machine, argument.node) or nil }
    local made = items.make(setmetatable({ values = values }, { __index = argument }))
    if made.violated > 0 then
        local known = hypotheses.survey(made)
        for _, component in ipairs(components.split(known)) do
            local answers = without_narrower(by_evenness(known, explain.component(component, known)))
            note_component(found, component, answers, known)
        end
        note_rest(found, made.items)
    end
    for _, cause in ipairs(absent.find(argument, blamed_events(found))) do
        local causes = {}
        for i, part in ipairs(cause.parts) do
            causes[i] = array { part }
        end
        note(found, { cause.key }, cause.ids, cause.groups, causes)
    end
    return in_order(without_told(found))
end

return blame
