-- kinds.lua - the table of the kinds of hypotheses: what each costs, what it covers, how it is made, and what it is called.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A kind is { cost = |1, rank = |0, of = "event" or "metric", text = as words.name takes it, made = function(known, subject) -> array of
-- the fields of its hypotheses about an event or a metric: box, options, group, place, other, cost, .. } with one of
--   constants  the counts that it covers have a factor and an offset of their own; if several cover a term, the highest rank wins
--   anything   the items that it covers are explained, whatever they show
--   changed    function(known, item, one) -> the item with other counts; nil: it is not seen any more
-- and some of
--   is_whole      it is about all of an event             is_narrow  it says of a part of an event what "event" says of all of it
--   is_exception  it is about one code only, of several   is_blunt   it explains by no constants
-- The smallest sum of costs explains best; the usual cost is 1.
local evidence = require "judge.blame.evidence"
local items = require "judge.blame.items"
local lists = require "input.lists"

local kinds = {}

local BLUNT = 3 -- what no constants explain: more than some exceptions next to a constant
local EXCEPTION = 0.4
kinds.NO_CONSTANT = 1 -- additional cost of an exception without constants
local NO_WEIGHT = 0.2 -- additional cost of a formula without a weight: less than any other hypothesis
local CODES = 3 -- of so many at least one may be an exception

-- One hypothesis, if the condition holds.
local function if_so(condition, fields)
    return condition and { fields or {} } or {}
end

-- One for each value that the event's terms have in a field, if there are several.
local function each(field)
    return function(known, event)
        local values = lists.sorted(known.events[event][field])
        return lists.collect(#values > 1 and values or {}, function(value) return { [field] = value } end)
    end
end

-- One in each code in which something is expected, if there are enough.
local function each_code(known, subject)
    local own = known.events[subject] or known.metrics[subject]
    return lists.collect(own.count >= CODES and lists.sorted(own.codes) or {}, function(place)
        return { place = place, code = own.codes[place].code, pattern = own.codes[place].sample.pattern }
    end)
end

-- A formula that is one count has no weight that could be wrong: that the metric shows other constants is said of the event.
local function cost_of_formula(repair, is_count)
    local has_other = repair and repair.what ~= "weight" and repair.what ~= "factor"
    return (repair and 1 or BLUNT) + (is_count and not has_other and NO_WEIGHT or 0)
end

kinds.silent = { -- an event counts nothing at all
    of = "event", is_whole = true,
    made = function(known, event)
        return if_so(evidence.is_silent(known, event), { cost = not evidence.leaves_nothing(known, event) and BLUNT or nil })
    end,
    changed = function(_, item, one) return items.with_more(item, one.event) end,
    text = "$event counts nothing",
}
kinds.event = { -- an event, wherever it is counted
    of = "event", constants = true, rank = 1, is_whole = true,
    made = function(known, event) return if_so(not evidence.is_silent(known, event)) end,
    text = "$event counts $constants",
}
kinds.box = { -- an event on one box only
    of = "event", constants = true, rank = 4,
    made = each "box",
    text = "$event on $box counts $constants",
}
kinds["silent box"] = { -- an event counts nothing on one of several boxes, which truly counts as the others do
    of = "event",
    made = function(known, event)
        return lists.filter(each "box"(known, event), function(fields) return evidence.is_silent(known, event, fields.box) end)
    end,
    changed = function(known, item, one) return items.filled(known.context, item, one.event, one.box) end,
    text = "$event on $box counts nothing",
}
kinds.options = { -- an event with these options only
    of = "event", constants = true, rank = 2, is_narrow = true,
    made = each "options",
    text = "$event $with_options counts $constants",
}
kinds.line = { -- an event in one group's file only
    of = "event", constants = true, rank = 3, is_narrow = true,
    made = each "group",
    text = "$event, as $group programs it, counts $constants",
}
kinds.code = { -- an event in one code only, of several
    of = "event", constants = true, rank = 5, cost = EXCEPTION, is_exception = true,
    made = each_code,
    text = "$event in $code counts $constants",
}
kinds["unsteady code"] = { -- an event in one code only, by no constants
    of = "event", anything = true, cost = EXCEPTION + kinds.NO_CONSTANT, is_exception = true, is_blunt = true,
    made = each_code,
    text = "$event in $code counts wrong, by no constants",
}
kinds.unsteady = { -- an event, by no constants; cheap only if repetitions differ, or another event counts what it should
    of = "event", anything = true, cost = BLUNT, is_whole = true, is_blunt = true,
    made = function(known, event)
        return { { cost = (evidence.is_unsteady(known, event) or evidence.has_copy(known, event)) and 1 or nil } }
    end,
    text = "$event counts wrong, by no constants$range",
}
kinds.other = { -- an event counts what another one does
    of = "event", anything = true, is_whole = true,
    made = function(known, event)
        return lists.collect(evidence.copied(known, event), function(other) return { other = other } end)
    end,
    text = "$event counts what $other counts",
}
kinds.swap = { -- the counts of two events are exchanged
    of = "event", is_whole = true,
    made = function(known, event)
        return lists.collect(evidence.swapped(known, event), function(other)
            return { event = event < other and event or other, other = event < other and other or event }
        end)
    end,
    changed = function(known, item, one) return items.exchanged(known.context, item, one.event, one.other) end,
    text = "$event and $other count each other",
}
kinds.formula = { -- a metric, its events being right; `repair` = what its formula lacks (repairs.lua), false: nothing that is known
    of = "metric", anything = true, is_blunt = true,
    made = function(known, metric)
        local repair = evidence.repair_of(known, metric)
        return { { repair = repair, cost = cost_of_formula(repair, metric.is_count) } }
    end,
    text = "the formula of $metric in $group $repair",
}
kinds.claim = { -- a metric in one code only, of several
    of = "metric", anything = true, cost = EXCEPTION, is_exception = true, is_blunt = true,
    made = each_code,
    text = "$metric of $group in $code shows $shows",
}
kinds.absent = { text = "$counter gives no value ($why)" } -- no hypothesis, but a fact

-- In this order they are tried where they cost the same.
kinds.ORDER = { "silent", "event", "box", "silent box", "options", "line", "code", "unsteady code", "unsteady", "other", "swap", "formula",
    "claim" }

return kinds
