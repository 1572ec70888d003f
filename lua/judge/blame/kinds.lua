-- kinds.lua - the table of hypothesis kinds: cost, coverage, construction and name of each.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A kind is { cost = |1, rank = |0, of = "event" or "metric", text = as words.name takes it, made = function(known, subject) -> array of
-- field tables, one per hypothesis about that event or metric: box, options, group, place, other, cost, .. } with one of
--   constants  covered counts have a factor and an offset; if several hypotheses cover a term, the highest rank applies
--   anything   covered items count as explained, whatever they show
--   changed    function(known, item, one) -> the item with other counts; nil: the item is left out
-- and any of
--   is_whole      about all counts of an event            is_narrow  about a part of what "event" covers
--   is_exception  about one of several codes              is_blunt   explains without constants
-- The set with the smallest sum of costs is the best explanation. The usual cost is 1.
local evidence = require "judge.blame.evidence"
local items = require "judge.blame.items"
local lists = require "input.lists"

local kinds = {}

local BLUNT = 3 -- cost without constants: more than a constant with some exceptions
local EXCEPTION = 0.4
kinds.NO_CONSTANT = 1 -- additional cost of an exception without constants
local NO_WEIGHT = 0.2 -- additional cost of a formula without a weight: less than any other hypothesis
local COPIED = 0.9 -- cost of a part that shows nothing or another part's counts: less than any constant that fits as well
local UNFILTERED = 1.5 -- more than a constant, less than two exceptions of codes without constants
local CODES = 3 -- an exception needs at least this many codes

-- One hypothesis if the condition holds, else none.
local function if_so(condition, fields)
    return condition and { fields or {} } or {}
end

-- One hypothesis per value of a field of the event's terms, if there are several values.
local function each(field)
    return function(known, event)
        local values = lists.sorted(known.events[event][field])
        return lists.collect(#values > 1 and values or {}, function(value) return { [field] = value } end)
    end
end

-- One hypothesis per code with a nonzero expectation, if there are enough codes.
local function each_code(known, subject)
    local own = known.events[subject] or known.metrics[subject]
    return lists.collect(own.count >= CODES and lists.sorted(own.codes) or {}, function(place)
        return { place = place, code = own.codes[place].code, pattern = own.codes[place].sample.pattern }
    end)
end

-- A formula that is a single count has no weight that could be wrong: its constants are blamed on the event.
local function cost_of_formula(repair, is_count)
    local has_other = repair and repair.what ~= "weight" and repair.what ~= "factor"
    return (repair and 1 or BLUNT) + (is_count and not has_other and NO_WEIGHT or 0)
end

-- Fields of a hypothesis about the boxes of the socket that a thread counts on.
local function on_socket_of(thread, other)
    local text = "the socket of CPU %s"
    return { thread = thread, box = text:format(thread), other = other and text:format(other) }
end

local function freed_on_socket(known, item, one)
    return item.sample.thread ~= one.thread and item
        or items.freed(known.context, item, function(place) return place.box end)
end

kinds.silent = { -- the event counts nothing anywhere
    of = "event", is_whole = true,
    made = function(known, event)
        return if_so(evidence.is_silent(known, event), { cost = not evidence.leaves_nothing(known, event) and BLUNT or nil })
    end,
    changed = function(_, item, one) return items.with_more(item, one.event) end,
    text = "$event counts nothing",
}
kinds.event = { -- the event has constants wherever it is counted
    of = "event", constants = true, rank = 1, is_whole = true,
    made = function(known, event) return if_so(not evidence.is_silent(known, event)) end,
    text = "$event counts $constants",
}
kinds.box = { -- the event has constants on one box only
    of = "event", constants = true, rank = 4,
    made = each "box",
    text = "$event on $box counts $constants",
}
kinds["silent box"] = { -- the event counts nothing on one of several boxes; where that is wrong its true count is that of the others
    of = "event", cost = COPIED,
    made = function(known, event)
        return lists.filter(each "box"(known, event), function(fields) return evidence.is_silent(known, event, fields.box) end)
    end,
    changed = function(known, item, one) return item.violated and items.filled(known.context, item, one.box) or item end,
    text = "$event on $box counts nothing",
}
-- One hypothesis if boxes show other boxes' counts of the event, which must be at half of the registers' distance or not. Of two boxes
-- either can be the copy.
local function copied_boxes(is_stride)
    return function(known, event)
        local copies = evidence.mirrored(known, event)
        local boxes = lists.sorted(copies)
        local others = lists.collect(boxes, function(box) return copies[box] end)
        return if_so(#boxes > 0 and evidence.is_stride(known, event, copies) == is_stride,
            { unknown = lists.set(#boxes == 1 and lists.joined(boxes, others) or boxes), box = table.concat(boxes, ", "),
                other = table.concat(others, ", ") })
    end
end

-- A box that shows another's registers does so for all of its events: a metric may use several.
local function freed_on_boxes(known, item, one)
    return items.freed(known.context, item, function(place) return one.unknown[place.box] end)
end

kinds.mirror = { -- boxes show other boxes' counts of the event; their own are not known
    of = "event", cost = COPIED,
    made = copied_boxes(false),
    changed = freed_on_boxes,
    text = "$event on $box shows the counts of $other$or_reverse",
}
kinds.stride = { -- the registers of box k are those of box k / 2
    of = "event", cost = COPIED,
    made = copied_boxes(true),
    changed = freed_on_boxes,
    text = "$event on $box shows the counts of $other, as if registers were read with a wrong stride, half of their distance",
}
kinds["silent socket"] = { -- the event counts nothing on the boxes of one socket
    of = "event", cost = COPIED,
    made = function(known, event)
        return lists.collect(evidence.silent_threads(known, event), function(thread) return on_socket_of(thread) end)
    end,
    changed = freed_on_socket,
    text = "$event on $box counts nothing",
}
kinds["mirror socket"] = { -- the boxes of one socket show another's counts of the event
    of = "event", cost = COPIED,
    made = function(known, event)
        local copies = evidence.mirrored_threads(known, event)
        return lists.collect(lists.sorted(copies), function(thread) return on_socket_of(thread, copies[thread]) end)
    end,
    changed = freed_on_socket,
    text = "$event on $box shows the counts of $other",
}
kinds.unfiltered = { -- the event counts too much, by no constant, and has options that should have prevented it
    of = "event", cost = UNFILTERED,
    made = function(known, event) return if_so(evidence.has_options(known, event)) end,
    changed = function(known, item, one)
        return items.freed(known.context, item, function(place) return place.event == one.event end, true)
    end,
    text = "$event counts more than its options let pass, as if they were ignored",
}
kinds.options = { -- the event has constants with these options only
    of = "event", constants = true, rank = 2, is_narrow = true,
    made = each "options",
    text = "$event $with_options counts $constants",
}
kinds.line = { -- the event has constants in one group's file only
    of = "event", constants = true, rank = 3, is_narrow = true,
    made = each "group",
    text = "$event, as $group programs it, counts $constants",
}
kinds.code = { -- the event has constants in one of several codes only
    of = "event", constants = true, rank = 5, cost = EXCEPTION, is_exception = true,
    made = each_code,
    text = "$event in $code counts $constants",
}
kinds["unsteady code"] = { -- the event's counts are arbitrary in one code only
    of = "event", anything = true, cost = EXCEPTION + kinds.NO_CONSTANT, is_exception = true, is_blunt = true,
    made = each_code,
    text = "$event in $code counts wrong, by no constant",
}
kinds.unsteady = { -- the event's counts are arbitrary; cheap only if repetitions differ, or another event has its right counts
    of = "event", anything = true, cost = BLUNT, is_whole = true, is_blunt = true,
    made = function(known, event)
        return { { cost = (evidence.is_unsteady(known, event) or evidence.has_copy(known, event)) and 1 or nil } }
    end,
    text = "$event counts wrong, by no constant$range",
}
kinds.other = { -- the event counts what another one should
    of = "event", anything = true, is_whole = true,
    made = function(known, event)
        return lists.collect(evidence.copied(known, event), function(other) return { other = other } end)
    end,
    text = "$event counts what $other counts",
}
kinds.swap = { -- two events have each other's counts
    of = "event", is_whole = true,
    made = function(known, event)
        return lists.collect(evidence.swapped(known, event), function(other)
            return { event = event < other and event or other, other = event < other and other or event }
        end)
    end,
    changed = function(known, item, one) return items.exchanged(known.context, item, one.event, one.other) end,
    text = "$event and $other count each other",
}
kinds.formula = { -- a metric is wrong with right events; `repair` = the formula's fault (repairs.lua), false: unknown
    of = "metric", anything = true, is_blunt = true,
    made = function(known, metric)
        local repair = evidence.repair_of(known, metric)
        return { { repair = repair, cost = cost_of_formula(repair, metric.is_count) } }
    end,
    text = "the formula of $metric in $group $repair",
}
kinds.claim = { -- a metric is wrong in one of several codes only
    of = "metric", anything = true, cost = EXCEPTION, is_exception = true, is_blunt = true,
    made = each_code,
    text = "$metric of $group in $code shows $shows",
}
kinds.absent = { text = "$counter gives no value ($why)" } -- no hypothesis, but a fact

-- Order of attempts among kinds of the same cost.
kinds.ORDER = { "silent", "event", "box", "silent box", "mirror", "stride", "silent socket", "mirror socket", "options", "line", "code",
    "unsteady code", "unfiltered", "unsteady", "other", "swap", "formula", "claim" }

return kinds
