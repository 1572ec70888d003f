-- quantities.lua - what the metrics of an architecture's groups are to show, in concepts instead of events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A metric that is a sum of counters with weights shows the sum of what its events are said to count (groups/ARCH/pmu.concepts), so that
-- other events can be looked for that show the same. Metrics that show the same amounts are one quantity, under the first one's name.
local array = require "input.array"
local boxes = require "plan.boxes"
local event_counters = require "plan.event_counters"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"

local quantities = {}

local NEAR = 1e-9

-- The weights of the metric's counters, { [name in the group file] = weight }; nil where it is no such sum.
function quantities.weights(metric)
    local parsed = metric.parsed or formula.parse(metric.formula)
    local values, weights, mixed, sum = {}, {}, {}, 0
    for i, name in ipairs(parsed.names) do
        if formula.NO_COUNTERS[name] then
            return nil
        end
        values[name], mixed[name] = 0, 1 + i
    end
    for name in pairs(values) do
        values[name] = 1
        weights[name] = formula.evaluate(parsed, values)
        values[name] = 0
        sum = sum + (weights[name] or 0) * mixed[name]
    end
    local all = formula.evaluate(parsed, mixed)
    if not all or not next(weights) or math.abs(all - sum) > NEAR * math.abs(sum) then
        return nil
    end
    return weights
end

-- The weight of each event of the group in the metric, { [its key] = weight }: one for all boxes that count it, as said of them together;
-- nil and the reason where the metric has some of the boxes only.
function quantities.by_event(group, weights)
    local found = {}
    for _, event in ipairs(group.events) do
        local key, weight = group_file.key(event), weights[event.name] or 0
        if found[key] and found[key] ~= weight then
            return nil, ("it shows some of the boxes of %s only"):format(event.event)
        end
        found[key] = weight
    end
    return found
end

-- The concepts of the sum, { [basic concept] = weight }, and of the events { [event] = weight }; nil and why it is not known.
local function terms_of(group, weights, said)
    local terms = {}
    for _, event in ipairs(group.events) do
        if weights[event.name] and not said[group_file.key(event)] then
            return nil, ("nobody says what %s counts"):format(group_file.key(event))
        end
    end
    local events, reason = quantities.by_event(group, weights)
    for event, weight in pairs(events or {}) do
        for concept, share in pairs(weight ~= 0 and said[event].terms or {}) do
            terms[concept] = (terms[concept] or 0) + weight * share
        end
    end
    return events and terms, events or reason
end

-- Is all of it counted by cores, for themselves?
local function is_of_core(group, weights)
    return not lists.any(group.events, function(event)
        return weights[event.name] and not event_counters.is_core(event.counter)
    end)
end

-- Divides by the smallest weight, so that counts remain; what was divided by is second.
local function to_counts(terms)
    local smallest = nil
    for concept, weight in pairs(terms) do
        terms[concept] = weight ~= 0 and weight or nil
        smallest = weight ~= 0 and math.min(smallest or math.huge, math.abs(weight)) or smallest
    end
    for concept, weight in pairs(terms) do
        terms[concept] = weight / smallest
    end
    return smallest
end

local function key_of(terms, is_core)
    local parts = { is_core and "core" or "" }
    lists.append(parts, lists.sorted(terms), function(concept) return ("%s %.6g"):format(concept, terms[concept]) end)
    return table.concat(parts, " + ")
end

-- Adds a quantity, or its name to the one that there is.
local function add(found, seen, quantity, key)
    if seen[key] then
        table.insert(seen[key].names, quantity.name)
        return
    end
    for event, weight in pairs(quantity.events) do
        quantity.events[event] = weight / quantity.scale
    end
    found[#found + 1], seen[key] = quantity, quantity
end

-- { groups =, machine =, node =, said = } -> array of { name = the metric's, group = whose, unit = |nil, scale = of a count, terms =
-- { [basic concept] = weight }, events = { [event] = scaled weight } of the group, is_core = it is shown by core, names = of all metrics
-- that show it }; and array of { name =, group =, reason = } of metrics that are sums of which it is not known what they should show.
function quantities.list(argument)
    local found, unknown, seen = array(), array(), {}
    for _, name in ipairs(lists.sorted(argument.groups)) do
        local group = boxes.fit(argument.groups[name], argument.machine, argument.node)
        for _, metric in ipairs(group.metrics) do
            local weights = quantities.weights(metric)
            local terms, events = nil, nil
            if weights then
                terms, events = terms_of(group, weights, argument.said)
            end
            local scale = terms and to_counts(terms)
            local key = scale and key_of(terms, is_of_core(group, weights))
            if weights and not terms then
                unknown[#unknown + 1] = { name = metric.name, group = name, reason = events }
            elseif scale and not terms.nothing then
                add(found, seen, { name = metric.name, group = name, unit = metric.unit, scale = scale, terms = terms, events = events,
                    is_core = is_of_core(group, weights), names = array { metric.name } }, key)
            end
        end
    end
    return found, unknown
end

return quantities
