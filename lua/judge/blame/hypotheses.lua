-- hypotheses.lua - what may explain a wrong item: events with a wrong factor or offset, wrong formulas, and other kinds of errors.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A hypothesis is { key = unique, kind =, event = | metric =, cost =, rank =, covers = function(term, item) |nil, drops = function(item)
-- |nil, replaces = function(item) -> item|false (not to be seen) |nil (as it is) } with some of
--   covers     the term has this hypothesis's constants g and h in that item
--   drops      the item is explained, whatever it shows
--   replaces   the item with other counts
-- If several cover a term, the highest rank wins. The smallest sum of costs explains best; the usual cost is 1.
--   event      an event, wherever it is counted              box        on one box only
--   options    with these options only                       line       in one group's file only
--   code       in one code only, of several                  silent     counts nothing at all
--   silent box counts nothing on one of several boxes, which truly counts as the others do
--   unsteady code   an event in one code only, by no constants
--   swap       the counts of two events are exchanged        other      an event counts what another one does
--   formula    a metric, its events being right; `repair` =  claim      a metric in one code only, of several
--              what its formula lacks (repairs.lua), false: nothing that is known would put it right
--   unsteady   an event, by no constants; cheap only if repetitions of a point differ, or another event counts what it should
local items = require "judge.blame.items"
local lists = require "input.lists"
local quotient = require "judge.blame.quotient"
local repairs = require "judge.blame.repairs"
local cross_checks = require "judge.blame.cross_checks"

local hypotheses = {}

local BLUNT = 3 -- what no constants explain: more than some exceptions next to a constant
hypotheses.EXCEPTION = 0.4
hypotheses.NO_CONSTANT = 1 -- additional cost of an exception without constants
local COST = { code = hypotheses.EXCEPTION, claim = hypotheses.EXCEPTION, unsteady = BLUNT,
    ["unsteady code"] = hypotheses.EXCEPTION + hypotheses.NO_CONSTANT }
local NO_WEIGHT = 0.2 -- additional cost of a formula without a weight: less than any other hypothesis
local WEIGHTS = { weight = true, factor = true } -- repairs of one
local RANK = { event = 1, options = 2, line = 3, box = 4, code = 5 }
local CODES = 3 -- of so many at least one may be an exception
local ALIKE = 2 -- regions that must say so before one event counts what another one does
local STEADY = 2 -- tolerances that the counts of a point may differ by

-- Where an exception is one: the item's code.
function hypotheses.place(item)
    return item.sample.pattern .. "\t" .. item.code
end

local place = hypotheses.place

-- items.make's result -> what is known of its events, by their terms and items, and of its metrics, by their codes.
function hypotheses.survey(found)
    local known = { events = {}, metrics = {}, made = {}, items = found.items, terms = found.terms,
        context = found.context, cross_checks = cross_checks.survey(found.items) }
    local function note(kind, name, item)
        local one = known[kind][name] or { items = {}, codes = {}, wrong = {}, count = 0, exceptions = 0 }
        known[kind][name] = one
        one.items[#one.items + 1] = item
        if item.sample.expected.max > 0 and not one.codes[place(item)] then
            one.codes[place(item)], one.count = true, one.count + 1
        end
    end
    for _, item in ipairs(found.items) do
        for event in pairs(item.events) do
            note("events", event, item)
        end
        note("metrics", item.metric, item)
    end
    for _, term in pairs(found.terms) do
        local one = known.events[term.event]
        if one then
            for kind, value in pairs { boxes = term.box, options = term.options, groups = term.group } do
                one[kind] = one[kind] or {}
                one[kind][value] = true
            end
        end
    end
    return known
end

local function several(set)
    local first = set and next(set)
    return first ~= nil and next(set, first) ~= nil
end

-- The key of a hypothesis of that kind: an event or a metric as a whole, or a part of it.
function hypotheses.key(kind, subject, part)
    return ("%s\t%s\t%s"):format(kind, subject, part or "")
end

local function make(known, kind, subject, part, fields)
    local key = hypotheses.key(kind, subject, part)
    if not known.made[key] then
        fields.kind, fields.key, fields.cost, fields.rank = kind, key, fields.cost or COST[kind] or 1, RANK[kind] or 0
        known.made[key] = fields
    end
    return known.made[key]
end

-- Items that hold the event; it may be counted where nothing is expected of it.
function hypotheses.items_of(known, event)
    return known.events[event] and known.events[event].items or {}
end

-- Is every count of the event, on the box |nil, 0, and are there some?
local function is_silent(known, event, box)
    local any = false
    for _, item in ipairs(known.events[event].items) do
        for _, one in ipairs(item.entries) do
            for key, count in pairs(one.counts) do
                if key:match "^[^\t]*" == event and (not box or key:match "[^\t]*$" == box .. "C") then
                    any = true
                    if count ~= 0 then
                        return false
                    end
                end
            end
        end
    end
    return any
end

local function counted_nothing(item)
    for _, part in ipairs(item.nominal.parts) do
        if part.g ~= 0 then
            return false
        end
    end
    return true
end

-- Is something expected where neither the event nor any other of the metric counted, and is the metric nowhere right in such a code without
-- the event? Else that it counts nothing explains any amount.
local function leaves_nothing(known, event)
    local wrong, right = {}, {}
    for _, item in ipairs(known.events[event].items) do
        if item.nominal and item.sample.expected.min > 0 and item.sample.regions ~= 0 then
            local one, key = not item.violated and right or counted_nothing(item) and wrong or {}, item.metric
            one[key] = one[key] or {}
            one[key][place(item)] = true
        end
    end
    for metric, places in pairs(wrong) do
        local is_missed = true
        for here in pairs(places) do
            is_missed = is_missed and not (right[metric] and right[metric][here])
        end
        if is_missed then
            return true
        end
    end
    return false
end

-- Do the event's counts differ between repetitions of a point by more than a right one's may, in shares of what is expected?
local function is_unsteady(known, event)
    local ranges = {}
    for _, item in ipairs(known.events[event].items) do
        local sample = item.sample
        for _, part in ipairs(item.violated and sample.expected.max > 0 and item.nominal and item.nominal.parts or {}) do
            if part.term.event == event then
                local key = ("%s\t%s\t%s\t%s"):format(item.id, sample.point, tostring(sample.thread), part.term.key)
                local range = ranges[key] or { low = part.g, high = part.g }
                range.low, range.high = math.min(range.low, part.g), math.max(range.high, part.g)
                ranges[key] = range
                local freedom = (sample.expected.max - sample.expected.min) / item.scale
                if range.high - range.low > freedom + 2 * STEADY * item.tolerance then
                    return true
                end
            end
        end
    end
    return false
end

local function once(known, event, name, find)
    local one = known.events[event]
    if one[name] == nil then
        one[name] = find(known, event)
    end
    return one[name]
end

-- Are all counts of the event in the item likely to be right, as another metric shows them, up to less than is wrong here?
local function is_likely(known, item, event)
    local share = cross_checks.share(known.cross_checks.likely, item, event)
    return share ~= nil and not (item.violated and items.may_mend(item, event, share))
end

-- The events that may be to blame for a violated item, in order: not those whose counts are right elsewhere, up to less than is wrong here.
function hypotheses.events_of(known, item)
    if not item.accused then
        item.accused = {}
        for _, event in ipairs(lists.sorted(item.events)) do
            local share = item.violated and cross_checks.share(known.cross_checks.sure, item, event)
            table.insert(item.accused, (not share or items.may_mend(item, event, share)) and event or nil)
        end
    end
    return item.accused
end

local function in_order(terms)
    local list = {}
    for term in pairs(terms) do
        list[#list + 1] = term
    end
    table.sort(list, function(a, b) return a.key < b.key end)
    return list
end

-- One box that counts nothing where the others do.
local function add_silent_box(known, add, event, term)
    local one = known.events[event]
    one.silent_boxes = one.silent_boxes or {}
    if one.silent_boxes[term.box] == nil then
        one.silent_boxes[term.box] = is_silent(known, event, term.box)
    end
    if one.silent_boxes[term.box] then
        add("silent box", term.box, { box = term.box, replaces = function(item)
            if item.events[event] then
                return items.filled(known.context, item, event, term.box) or false
            end
        end })
    end
end

-- Items of a metric that have their counts, ratios left out; those that the filter |nil lets pass.
function hypotheses.of_metric(known, metric, filter)
    local list = {}
    for _, item in ipairs(known.metrics[metric].items) do
        if not item.is_ratio and #item.rows > 0 and (not filter or filter(item)) then
            list[#list + 1] = item
        end
    end
    return list
end

-- What the metric's formula lacks (repairs.lua); false for nothing that is known.
local function repair_of(known, metric)
    local one = known.metrics[metric]
    if one.repair == nil then
        one.repair = repairs.find(hypotheses.of_metric(known, metric)) or false
    end
    return one.repair
end

-- Would each wrong metric of the event be right with another event's counts in its place? Then what it should have counted is seen.
local function has_copy(known, event)
    local any = false
    for _, item in ipairs(known.events[event].items) do
        if item.violated and not item.is_ratio then
            local repair = repair_of(known, item.metric)
            if not repair or repair.what ~= "replaced" or repair.event ~= event or repair.other == event then
                return false
            end
            any = true
        end
    end
    return any
end

local function add_event(known, list, event, item)
    local one = known.events[event]
    local function add(kind, part, fields)
        fields.event = event
        list[#list + 1] = make(known, kind, event, part, fields)
    end
    if once(known, event, "silent", is_silent) then
        add("silent", nil, { cost = not once(known, event, "leaves_nothing", leaves_nothing) and BLUNT or nil,
            replaces = function(other) return other.events[event] and items.with_more(other, event) or nil end })
    else
        add("event", nil, { covers = function(term) return term.event == event end })
    end
    for _, term in ipairs(in_order(item.terms)) do
        if term.event == event and several(one.boxes) then
            add("box", term.box, { box = term.box, covers = function(other) return other.event == event and other.box == term.box end })
            add_silent_box(known, add, event, term)
        end
        if term.event == event and several(one.options) then
            add("options", term.options, { options = term.options,
                covers = function(other) return other.event == event and other.options == term.options end })
        end
        if term.event == event and several(one.groups) then
            add("line", term.group, { group = term.group,
                covers = function(other) return other.event == event and other.group == term.group end })
        end
    end
    local here = place(item)
    if one.count >= CODES and one.codes[here] then
        add("code", here, { place = here, code = item.code, pattern = item.sample.pattern,
            covers = function(term, other) return term.event == event and place(other) == here end })
        add("unsteady code", here, { place = here, code = item.code, pattern = item.sample.pattern,
            drops = function(other) return other.events[event] and place(other) == here and not is_likely(known, other, event) end })
    end
    local is_seen = once(known, event, "unsteady", is_unsteady) or once(known, event, "has_copy", has_copy)
    add("unsteady", nil, { cost = is_seen and 1 or nil,
        drops = function(other) return other.events[event] and not is_likely(known, other, event) end })
end

-- Counts of two events that an entry has on the same boxes.
local function pairs_of(one, a, b)
    local found = {}
    for place_a, count in pairs(one.counts) do
        if place_a:match "^[^\t]*" == a then
            local slot = place_a:match "[^\t]*$"
            for place_b, other in pairs(one.counts) do
                if place_b:match "^[^\t]*" == b and place_b:match "[^\t]*$" == slot then
                    found[#found + 1] = { count, other }
                end
            end
        end
    end
    return found
end

-- Does `a` count what `b` counts wherever both are counted, and are there counts enough to say so?
local function counts_alike(known, a, b)
    local seen, least, most = 0, math.huge, 0
    for _, item in ipairs(known.events[a].items) do
        for _, one in ipairs(item.entries) do
            for _, pair in ipairs(pairs_of(one, a, b)) do
                if math.abs(pair[1] - pair[2]) > item.tolerance * math.max(pair[1], pair[2]) then
                    return false
                end
                seen, least, most = seen + 1, math.min(least, pair[2]), math.max(most, pair[2])
            end
        end
    end
    return seen >= ALIKE and most > 2 * least
end

-- Would all be right if `a` and `b` were exchanged, as far as it can be seen of each; and some of it that is not?
local function is_exchanged(known, a, b)
    local mended = 0
    for _, event in ipairs { a, b } do
        local is_seen = false
        for _, item in ipairs(hypotheses.items_of(known, event)) do
            local other = items.exchanged(known.context, item, a, b)
            if other == false or other and not items.is_right(other) then
                return false
            end
            is_seen = is_seen or other ~= nil
            mended = mended + (other and item.violated and 1 or 0)
        end
        if not is_seen then
            return false
        end
    end
    return mended >= ALIKE
end

local function add_exchanges(known, list, event)
    local one = known.events[event]
    if not one.exchanges then
        one.exchanges = {}
        local beside = {}
        for _, item in ipairs(one.items) do
            for _, entry in ipairs(item.entries) do
                for key in pairs(entry.counts) do
                    beside[key:match "^[^\t]*"] = true
                end
            end
        end
        for _, other in ipairs(lists.sorted(beside)) do
            if other ~= event then
                local first, second = event < other and event or other, event < other and other or event
                if counts_alike(known, event, other) then
                    table.insert(one.exchanges, make(known, "other", event, other, { event = event, other = other,
                        drops = function(item) return item.events[event] end }))
                elseif is_exchanged(known, first, second) then
                    table.insert(one.exchanges, make(known, "swap", first, second, { event = first, other = second,
                        replaces = function(item)
                            if item.events[first] or item.events[second] then
                                return items.exchanged(known.context, item, first, second) or false
                            end
                        end }))
                end
            end
        end
    end
    table.move(one.exchanges, 1, #one.exchanges, #list + 1, list)
end

-- A formula that is one count has no weight that could be wrong: that the metric shows other constants is said of the event.
local function cost_of_formula(repair, found)
    local cost = repair and 1 or BLUNT
    local has_other = repair and not WEIGHTS[repair.what]
    return quotient.is_count(found) and not has_other and cost + NO_WEIGHT or cost
end

local function add_formula(known, list, item)
    local metric, here, one = item.metric, place(item), known.metrics[item.metric]
    local repair = repair_of(known, metric)
    list[#list + 1] = make(known, "formula", metric, nil, { metric = metric, repair = repair, cost = cost_of_formula(repair, item.found),
        drops = function(other) return other.metric == metric end })
    if one.count >= CODES and one.codes[here] then
        list[#list + 1] = make(known, "claim", metric, here, { metric = metric, place = here, code = item.code,
            pattern = item.sample.pattern,
            drops = function(other) return other.metric == metric and place(other) == here end })
    end
end

-- All that alone might explain the item.
function hypotheses.of(known, item)
    if not item.hypotheses then
        local list = {}
        for _, event in ipairs(hypotheses.events_of(known, item)) do
            add_event(known, list, event, item)
            add_exchanges(known, list, event)
        end
        add_formula(known, list, item)
        item.hypotheses = list
    end
    return item.hypotheses
end

-- Does the hypothesis say something of the item?
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

local WHOLE = { event = true, silent = true, unsteady = true, swap = true, other = true }
local IS_EXCEPTION = { code = true, claim = true, ["unsteady code"] = true }

function hypotheses.is_exception(one)
    return IS_EXCEPTION[one.kind] == true
end

-- Would a set that holds `one` be as good without `two`, or contradict it?
local function excludes(one, two)
    if one.metric and one.metric == two.metric then
        return one.kind == "formula" or two.kind == "formula"
    elseif not (one.event and two.event and (one.event == two.event or one.other == two.event or two.other == one.event)) then
        return false
    end
    return not (IS_EXCEPTION[one.kind] or IS_EXCEPTION[two.kind]) and (WHOLE[one.kind] or WHOLE[two.kind] or one.kind ~= two.kind)
        or one.kind == "unsteady" or two.kind == "unsteady"
end

-- Are two exceptions of one event, of one metric, or of an event and a metric that is made of it?
local function is_related(known, one, two)
    local function makes(event, metric)
        return event and metric and known.metrics[metric].items[1].events[event]
    end
    return one.event and one.event == two.event or one.metric and one.metric == two.metric or makes(one.event, two.metric)
        or makes(two.event, one.metric)
end

-- May `two` be added to the set? Exceptions are fewer than half of the codes in which its event, or its metric, is.
function hypotheses.fits(known, set, two)
    local subject = known.metrics[two.metric] or known.events[two.event]
    local places, exceptions = {}, 0
    local function note(one)
        exceptions = exceptions + (subject.codes[one.place] and not places[one.place] and 1 or 0)
        places[one.place] = true
    end
    for _, one in ipairs(set) do
        if one == two or excludes(one, two) then
            return false
        elseif IS_EXCEPTION[one.kind] and IS_EXCEPTION[two.kind] and is_related(known, one, two) then
            note(one)
        end
    end
    if not IS_EXCEPTION[two.kind] then
        return true
    end
    note(two)
    return 2 * exceptions < subject.count
end

return hypotheses
