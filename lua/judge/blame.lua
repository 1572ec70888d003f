-- blame.lua - finds the events or formulas that are wrong, and their constants: the simplest explanation of a record's findings.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each sample becomes inequalities in the constants of its events (blame/items.lua). Violated inequalities are split into components that
-- share no possibly wrong event. For each component a search finds the cheapest sets of hypotheses that explain it (blame/kinds.lua,
-- blame/explain.lua). Sets of equal cost are all reported. A metric without a value is blamed on the counters that gave none.
--
-- blame.find{ samples =, metrics = (the record's), counts = (read/counts.lua), groups = (fitted to the node), machine =, node = } ->
-- array of { text = the line, metrics = number of metrics that follow from it, groups = array, causes = array of equally good
-- alternatives, each an array of parts that hold together }. No causes: no explanation was found. Sorted by `metrics`, largest first;
-- exceptions last.
--   part  { kind = (kinds.lua), event =, other =, box =, options =, group =, metric =, code =, counter =, why =, text =,
--         what = the formula's fault and its fields (repairs.lua); factor =, factor_ci =, offset =, offset_ci = : counts = factor * right +
--         offset, with the intervals that expected intervals and tolerances allow; range = of measured / expected, `wrong` of `of` values }
local absent = require "judge.blame.absent"
local array = require "input.array"
local constants = require "judge.blame.constants"
local counts = require "read.counts"
local explain = require "judge.blame.explain"
local hypotheses = require "judge.blame.hypotheses"
local items = require "judge.blame.items"
local kinds = require "judge.blame.kinds"
local lists = require "input.lists"
local search = require "judge.blame.search"
local stats = require "numeric.stats"
local vocabulary = require "judge.vocabulary"
local words = require "judge.blame.words"

local blame = {}

local EVEN = 4 -- an answer is dropped if its boxes are EVEN times less even than the best answer's
local RIGHT = { factor = 1, offset = 0 }

-- Counts of an event's boxes in an item, corrected by the constants of an answer.
local function box_counts(item, event, answer)
    return lists.collect(item.nominal and item.nominal.parts or {}, function(part)
        local own = answer.constants[constants.owner(answer.set, part.term, item) or answer] or RIGHT
        return part.term.event == event and part.term.box and part.h ~= 0 and (part.g / part.h - own.offset) / own.factor
    end)
end

-- Unevenness of an event's corrected counts over its boxes: largest relative distance from the mean, median over items.
local function unevenness(known, event, answer)
    local values = {}
    for _, item in ipairs(known.events[event].items) do
        local list = box_counts(item, event, answer)
        local mean = stats.mean(list)
        local off = lists.collect(list, function(count) return mean > 0 and count / mean - 1 or 0 end)
        values[#values + 1] = #list > 1 and stats.worst(off) or nil
    end
    table.sort(values)
    return values[(#values + 1) // 2] or 0
end

local OF_BOXES = { box = true, event = true, ["silent box"] = true }

-- Decides between "the whole event" and "one box": keeps the answers that leave the boxes most even.
local function by_evenness(known, answers)
    local best, scores = math.huge, {}
    for _, answer in ipairs(answers) do
        for _, one in ipairs(answer.set) do
            if OF_BOXES[one.kind] then
                scores[answer] = math.max(scores[answer] or 0, one.covers and unevenness(known, one.event, answer) or 0)
            end
        end
        best = math.min(best, scores[answer] or math.huge)
    end
    return lists.filter(answers, function(answer) return (scores[answer] or 0) <= EVEN * math.max(best, 1e-3) end)
end

-- Drops an answer about part of an event if another answer covers all of it, and "unsteady" if another answer states what the event
-- counts.
local function without_narrower(answers)
    local wide, definite = {}, {}
    for _, one in ipairs(lists.flat(answers, function(answer) return answer.set end)) do
        wide[one.event or ""] = wide[one.event or ""] or one.kind == "event" or one.kind == "silent"
        for _, event in ipairs { one.event, one.other } do
            definite[event] = definite[event] or wide[event] or one.other ~= nil
        end
    end
    return lists.filter(answers, function(answer)
        return not lists.find(answer.set, function(one)
            return kinds[one.kind].is_narrow and wide[one.event] or one.kind == "unsteady" and definite[one.event]
        end)
    end)
end

-- Of items with this event only: number of violated ones, number of all, and the violated ones' range of measured / expected.
local function extent_of(known, event)
    local alone = lists.filter(known.events[event].items, function(item)
        return next(item.events, next(item.events)) == nil and item.sample.expected.value > 0
    end)
    local shares = lists.collect(alone, function(item) return item.violated and item.sample.measured / item.sample.expected.value end)
    return { range = shares[1] and { stats.range(shares) }, wrong = #shares, of = #alone }
end

local function add_fields(part, fields)
    for key, value in pairs(fields or {}) do
        part[key] = type(value) == "table" and array(value) or value
    end
end

local function overlap(a, b)
    return a and b and a[1] <= b[2] and b[1] <= a[2]
end

-- Constants of an event in one code, relative to its constants in all codes if it is wrong there, too.
local function relative(own, answer, one)
    local whole = one.kind == "code" and own.factor_ci
        and lists.find(answer.set, function(other) return other.kind == "event" and other.event == one.event end)
    local base = whole and answer.constants[whole]
    if not base then
        return own
    end
    local is_same = overlap(base.offset_ci, own.offset_ci)
    return { factor = own.factor / base.factor, factor_ci = { own.factor_ci[1] / base.factor, own.factor_ci[2] / base.factor },
        offset = is_same and 0 or own.offset, offset_ci = not is_same and own.offset_ci or nil }
end

local function make_part(one, answer, known)
    local part = { kind = one.kind, event = one.event, other = one.other, box = one.box, options = one.options, group = one.group,
        code = one.code, pattern = one.pattern }
    if answer.constants[one] then
        add_fields(part, relative(answer.constants[one], answer, one))
    elseif one.metric then
        part.group, part.metric = one.metric.group, one.metric.name
        add_fields(part, one.repair or answer.repairs[one])
    elseif one.kind == "unsteady" then
        add_fields(part, extent_of(known, one.event))
    end
    return words.name(part)
end

-- Adds a cause and the metrics of its samples; a cause that several components share gets one entry. keys = keys of the causes; nil: no
-- cause was found.
local function note(found, keys, samples, causes)
    local key = keys and table.concat(keys, "\nor\n")
    local entry = key and lists.find(found, function(other) return other.key == key end)
    if not entry then
        entry = { key = key, keys = keys, ids = {}, groups = {}, causes = array(causes) }
        found[#found + 1] = entry
    end
    for _, sample in ipairs(samples) do
        entry.ids[vocabulary.identity(sample)], entry.groups[sample.group] = true, true
    end
end

local function samples_of(list)
    return lists.collect(list, function(item) return item.sample end)
end

-- Adds alternatives, an array of { answer =, ones = hypotheses }, and the items that any of these hypotheses concerns.
local function note_all(found, component, known, alternatives)
    local ones = lists.flat(alternatives, function(alternative) return alternative.ones end)
    local causes = lists.collect(alternatives, function(alternative)
        return array(lists.collect(alternative.ones, function(one) return make_part(one, alternative.answer, known) end))
    end)
    local keys = lists.collect(alternatives, function(alternative)
        return table.concat(lists.collect(alternative.ones, function(one) return one.key end), "\n")
    end)
    local own = lists.filter(component, function(item)
        return lists.find(ones, function(one) return hypotheses.concerns(one, item) end)
    end)
    note(found, keys, samples_of(own), causes)
end

-- Adds hypotheses that all answers share, one entry each, then the remaining ones as alternatives.
local function note_component(found, component, answers, known)
    if #answers == 0 then
        note(found, nil, samples_of(component), {})
        return
    end
    local common = search.common(answers)
    for _, one in ipairs(common) do
        note_all(found, component, known, { { answer = answers[1], ones = { one } } })
    end
    if #answers > 1 then
        note_all(found, component, known, lists.collect(answers, function(answer)
            return { answer = answer, ones = lists.filter(answer.set, function(one) return not lists.contains(common, one) end) }
        end))
    end
end

-- Adds violated items that no entry covers and whose counts are not known, as unexplained.
local function note_rest(found, list)
    local rest = lists.filter(list, function(item)
        return item.violated and #item.rows == 0 and not lists.find(found, function(entry) return entry.ids[item.id] end)
    end)
    if #rest > 0 then
        note(found, nil, samples_of(rest), {})
    end
end

-- Drops an entry without metrics if one of its alternatives is also an entry, with metrics.
local function without_told(found)
    local told = {}
    for _, entry in ipairs(found) do
        told[entry.key or ""] = next(entry.ids) ~= nil
    end
    return lists.filter(found, function(entry)
        return next(entry.ids) ~= nil or not lists.find(entry.keys or {}, function(key) return told[key] end)
    end)
end

local function is_exception(entry)
    local part = entry.causes[1] and entry.causes[1][1]
    return part ~= nil and kinds[part.kind].is_exception == true
end

local function make_entry(noted)
    local count, groups = #lists.sorted(noted.ids), array(lists.sorted(noted.groups))
    local what = ("%d metric%s of %s"):format(count, count == 1 and "" or "s", table.concat(groups, " and "))
    local told = #noted.causes > 0 and what .. (count == 1 and " follows" or " follow") or what
    return { metrics = count, groups = groups, causes = noted.causes,
        text = words.line(noted.causes, told, "no event or formula explains what is wrong") }
end

-- Sorts by the number of metrics, largest first; exceptions last.
local function in_order(noted)
    local found = array(lists.collect(noted, make_entry))
    local number = lists.places(found)
    table.sort(found, lists.by(function(entry) return is_exception(entry) and 1 or 0 end, function(entry) return -entry.metrics end,
        function(entry) return number[entry] end))
    return found
end

-- What links violated items: a common metric or an event that may be to blame for both.
local function links(known)
    return function(item)
        return lists.joined({ item.metric }, hypotheses.events_of(known, item))
    end
end

function blame.find(argument)
    if not lists.find(argument.metrics, function(one) return one.verdict ~= "skipped" and one.class ~= "exact" end) then
        return array()
    end
    local found = {}
    local values = { inverseClock = argument.node and counts.inverse_clock(argument.machine, argument.node) or nil }
    local made = items.make(setmetatable({ values = values }, { __index = argument }))
    if made.violated > 0 then
        local known = hypotheses.survey(made)
        local violated = lists.filter(made.items, function(item) return item.violated and #item.rows > 0 end)
        for _, component in ipairs(search.components(violated, links(known))) do
            local answers = without_narrower(by_evenness(known, explain.component(component, known)))
            note_component(found, component, answers, known)
        end
        note_rest(found, made.items)
    end
    local blamed = lists.set(lists.flat(lists.flat(found, "causes")), function(part) return part.event or "" end)
    for _, cause in ipairs(absent.find(argument, blamed)) do
        note(found, { cause.key }, cause.samples, lists.collect(cause.parts, function(part) return array { part } end))
    end
    return in_order(without_told(found))
end

return blame
