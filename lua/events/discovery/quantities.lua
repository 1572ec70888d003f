-- quantities.lua - expresses the metrics of an architecture's groups in concepts (basis quantities) instead of events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A metric that is a weighted sum of counters shows the weighted sum of its events' documented concepts (groups/ARCH/pmu.concepts).
-- Other events that show the same can then be looked for. Metrics with equal sums are one quantity, named after the first.
local array = require "input.array"
local boxes = require "plan.boxes"
local event_counters = require "plan.event_counters"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"

local quantities = {}

local NEAR = 1e-9

-- Weights of the metric's counters, { [name in the group file] = weight }; nil if the formula is not a linear sum of counters.
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

-- Weight of each event of the group in the metric, { [its key] = weight }, the same for all boxes that count it, because events are
-- documented for all boxes together; nil and the reason if the metric uses some of the boxes only.
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

-- The sum as { [basic concept] = weight } and as { [event] = weight }; nil and the reason if unknown.
local function terms_of(group, weights, said)
    local unsaid = lists.find(group.events, function(event) return weights[event.name] and not said[group_file.key(event)] end)
    if unsaid then
        return nil, ("nobody says what %s counts"):format(group_file.key(unsaid))
    end
    local terms = {}
    local events, reason = quantities.by_event(group, weights)
    for event, weight in pairs(events or {}) do
        lists.add_weights(terms, weight ~= 0 and said[event].terms or {}, weight)
    end
    return events and terms, events or reason
end

-- Are all its events counted per core?
local function is_of_core(group, weights)
    return not lists.any(group.events, function(event)
        return weights[event.name] and not event_counters.is_core(event.counter)
    end)
end

-- Divides by the smallest weight, so that weights are counts; returns the divisor.
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

-- Adds a quantity; if there is an equal one, adds the name to that.
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

-- { groups =, machine =, node =, said = } -> array of { name = the metric's, group = whose, unit = |nil, scale = amount of one count,
-- terms = { [basic concept] = weight }, events = { [event] = scaled weight } of the group, is_core = counted per core, names = of all
-- metrics that show it }; and array of { name =, group =, reason = } for sums of counters without a documented meaning.
function quantities.list(argument)
    local found, unknown, seen = array(), array(), {}
    for _, name in ipairs(lists.sorted(argument.groups)) do
        local group = boxes.fit(argument.groups[name], argument.machine, argument.node)
        for _, metric in ipairs(group.metrics) do
            local weights = quantities.weights(metric)
            local terms, events = terms_of(group, weights or {}, argument.said)
            local scale = weights and terms and to_counts(terms)
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
