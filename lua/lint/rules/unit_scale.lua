-- unit_scale.lua - the factor of a formula does not fit the unit in its title. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"

-- Powers of ten that multiply the formula as a whole, and whether it is divided by time.
local function factors(node, sign, found)
    if node.op == "*" or node.op == "/" then
        factors(node.left, sign, found)
        factors(node.right, node.op == "*" and sign or -sign, found)
    elseif node.op == "number" and node.value > 0 then
        local power = linted.power_of_ten(node.value)
        found.power = found.power + (power and power % 3 == 0 and sign * power or 0)
    elseif node.op == "name" and (node.name == "time" or node.name == "inverseClock") and sign < 0 then
        found.rate = true
    end
    return found
end

local WRONG = { [true] = "is not divided by time", [false] = "is divided by time" }

return {
    name = "unit-scale", class = "S10", severity = "error", about = "group",
    title = "the formula's power of ten, or its division by time, does not fit the unit",
    check = function(group, say)
        for _, metric in ipairs(group.metrics) do
            local found = metric.scale and factors(metric.parsed.tree, 1, { power = 0 })
            local factor = found and metric.scale * 10.0 ^ found.power
            if factor and not linted.is_one(factor) then
                say(metric.line, ("metric '%s' is scaled by 1e%d"):format(metric.title, found.power),
                    ("its value is %s"):format(linted.times(factor)),
                    { metric = metric, scale = 10.0 ^ found.power, to = 1 / metric.scale })
            end
            local rate = metric.rate or metric.unit and metric.unit:find "Hz$" ~= nil
            if found and rate ~= (found.rate or false) then
                say(metric.line, ("metric '%s' %s"):format(metric.title, WRONG[rate]), "it shows another quantity")
            end
        end
    end,
}
