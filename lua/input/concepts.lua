-- concepts.lua - reads concepts (probes/concepts.txt: what can be counted) and documented events (groups/ARCH/pmu.concepts).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Lines ('#' begins a comment):
--     NAME: what it is              NAME = [W] NAME + [W] NAME ..: what it is                (concepts)
--     EVENT = [W] NAME + ..                                                                  (events; one concept or a sum)
--     EVENT:OPTIONS = ..                                                              (an event with options, as in a group)
--     METRIC[ (GROUP)] = [bytes of] SUM [/ [bytes of] SUM]     meaning of group files' metrics of this name, in concepts  (quantities)
--     or METRIC[ (GROUP)] = ..                                 another possible meaning
--     METRIC[ (GROUP)] -> METRIC                               the meaning is that of a metric of Assay's groups
--     METRIC[ (GROUP)]: why                                    no probe produces it; '*' in METRIC matches any text
local array = require "input.array"
local group_file = require "input.group"
local line_file = require "input.line_file"
local lists = require "input.lists"

local concepts = {}

local fail = line_file.fail

-- Like line_file.each(), without leading blanks.
local function each_line(argument, take)
    line_file.each(argument, function(line, number) take(line:match "%S.*", number) end)
end

-- Adds the sum's concepts to `terms`, { [basic concept] = weight }.
local function add_sum(terms, text, known, refuse)
    for part in (text .. " + "):gmatch "(.-)%s+%+%s+" do
        local weight, name = part:match "^%s*([%d.]+)%s+(%S.*)$"
        if not known[part] and weight and known[name] then
            weight = tonumber(weight)
        else
            weight, name = 1, part
        end
        local one = known[name] or refuse("'%s' is no concept; probes/concepts.txt has them", name)
        lists.add_weights(terms, one.terms, weight)
    end
    return terms
end

-- { text =, file = } -> array of { name =, about =, terms = { [basic concept's name] = weight } }; a basic concept is its own only term.
function concepts.read(argument)
    local list, known = array(), {}
    each_line(argument, function(line, number)
        local left, about = line:match "^(.-):%s+(%S.*)$"
        if not left then
            fail(argument, number, "a line is 'NAME: what it is' or 'NAME = NAME + NAME: what it is', not '%s'", line)
        end
        local name, sum = left:match "^(.-)%s+=%s+(.+)$"
        local one = { name = name or left, about = about, terms = {} }
        if known[one.name] then
            fail(argument, number, "concept '%s' is given twice", one.name)
        elseif sum then
            add_sum(one.terms, sum, known, function(...) fail(argument, number, ...) end)
        else
            one.terms[one.name] = 1
        end
        known[one.name], list[#list + 1] = one, one
    end)
    return list
end

-- { text =, file =, concepts = concepts.read() } -> { [event] = { text = as in the file, terms = { [basic concept] = weight } } }.
function concepts.events(argument)
    local said = {}
    local known = lists.index(argument.concepts, "name")
    each_line(argument, function(line, number)
        local event, sum = line:match "^(%S+)%s+=%s+(.+)$"
        if not event then
            fail(argument, number, "a line is 'EVENT = concept + ..', not '%s'", line)
        elseif said[event] then
            fail(argument, number, "event %s is given twice", event)
        end
        said[event] = { text = sum, terms = add_sum({}, sum, known, function(...) fail(argument, number, ...) end) }
    end)
    return said
end

-- The documentation of an event with its options; if there is none, that of the event.
function concepts.said_of(said, event)
    return said[group_file.with_options(event.event, event.options)] or said[event.event]
end

-- Is an event drawn along a curve that shows these concepts? said = its documentation |nil: then it is drawn if `named`.
function concepts.is_drawn(said, shown, named)
    if not said then
        return named
    end
    return lists.any(shown, function(concept) return said.terms[concept] end)
end

local function sum_of(text, known, refuse)
    local rest = text:match "^bytes of (.+)$"
    return { terms = add_sum({}, rest or text, known, refuse), in_bytes = rest ~= nil }
end

-- The meaning of a metric from a line.
local function read_quantity(line, known, refuse)
    local name, own = line:match "^(%S.-)%s+%->%s+(%S.*)$"
    if name then
        return name, { of = own }
    end
    local sums
    name, sums = line:match "^(%S.-)%s+=%s+(%S.*)$"
    if name then
        local over, under = sums:match "^(.-)%s+/%s+(.+)$"
        return name, { text = sums, over = sum_of(over or sums, known, refuse), under = under and sum_of(under, known, refuse) }
    end
    local why
    name, why = line:match "^(%S.-):%s+(%S.*)$"
    return name or refuse("a line is 'METRIC = concept + ..', 'METRIC -> METRIC of Assay's groups' or 'METRIC: why', not '%s'", line),
        { why = why }
end

-- { text =, file =, concepts = concepts.read() } -> array of { name =, group = |nil, of = a metric of Assay's groups |nil, why = |nil,
-- text = its meaning in words, over = sum |nil, under = sum |nil, others = array of { text =, over =, under = } }, sum = { terms = {
-- [basic concept] = weight }, in_bytes = true for "bytes of" (lines) }.
function concepts.quantities(argument)
    local found, seen = array(), {}
    local known = lists.index(argument.concepts, "name")
    each_line(argument, function(line, number)
        local function refuse(...)
            fail(argument, number, ...)
        end
        local other = line:match "^or%s+(.+)$"
        local name, quantity = read_quantity(other or line, known, refuse)
        if other and not (seen[name] and quantity.over) then
            refuse("'or %s' follows what else the metric shows", name)
        elseif other then
            table.insert(seen[name].others, quantity)
            return
        elseif seen[name] then
            refuse("metric '%s' is given twice", name)
        end
        local plain, group = name:match "^(.-)%s+%(([%w_]+)%)$"
        quantity.name, quantity.group, quantity.others = plain or name, group, array()
        seen[name], found[#found + 1] = quantity, quantity
    end)
    return found
end

return concepts
