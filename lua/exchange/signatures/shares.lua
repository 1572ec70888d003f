-- shares.lua - the part of the run time that a hazard's events take, for exported signatures: events * cost / cycles.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- shares.of(argument, groups, name, is_validated) -> a share; nil if the pattern is not a hazard with a single event count; nil and the
-- reason if the records do not validate a metric
--   share     quantity =, cpi =, instructions = : { group =, metric = }; low =, high = documented cycles of an event; source =;
--             limit = part of the run time from which the pattern is present
--   argument  { patterns =, machine =, limit =, costs = text of the architecture's pmu.costs }
local costs = require "input.costs"
local lists = require "input.lists"
local signature = require "plan.signature"

local shares = {}

local CYCLES = { cpi = "cycles per instruction", instructions = "instructions" } -- their product

function shares.of(argument, groups, name, is_validated)
    local pattern = lists.find(argument.patterns or {}, function(one) return one.name == name end)
    local explains = pattern and pattern.class == "hazard" and pattern.explains
    if not explains or #explains.needs > 1 or explains.may then
        return nil
    end
    local words, found = { quantity = explains.needs[1], cpi = CYCLES.cpi, instructions = CYCLES.instructions }, {}
    for _, key in ipairs { "quantity", "cpi", "instructions" } do
        local one, why = signature.first_of(argument.machine, groups, lists.words(words[key], "[^|]+"))
        if not one then
            return nil, why
        elseif not is_validated(one) then
            return nil, ("%s of %s is not validated in these records"):format(one.metric, one.group)
        end
        found[key] = one
    end
    local cost = costs.read({ { text = argument.costs, file = "pmu.costs" } })[found.quantity.name]
    if not cost then
        return nil, ("the cost of %s is not known"):format(found.quantity.name)
    end
    found.low, found.high, found.source, found.limit = cost.low, cost.high, cost.source, argument.limit
    return found
end

return shares
