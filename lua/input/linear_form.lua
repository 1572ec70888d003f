-- linear_form.lua - converts a formula (formula.lua) to a sum of events with factors, given values of its constants.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Names that begin with a capital letter are events (with options), all others are constants.
local lists = require "input.lists"

local linear_form = {}

function linear_form.is_event(name)
    return name:find "^%u" ~= nil
end

local function scaled(form, factor)
    return { terms = lists.add_weights({}, form.terms, factor), base = form.base * factor }
end

local function added(left, right)
    local sum = scaled(left, 1)
    return { terms = lists.add_weights(sum.terms, right.terms, 1), base = sum.base + right.base }
end

local function is_number(form)
    return next(form.terms) == nil
end

local COMBINE = {
    ["+"] = added,
    ["-"] = function(left, right) return added(left, scaled(right, -1)) end,
    ["*"] = function(left, right)
        if is_number(left) then
            return scaled(right, left.base)
        end
        return is_number(right) and scaled(left, right.base) or nil, "events are multiplied with each other"
    end,
    ["/"] = function(left, right)
        return is_number(right) and right.base ~= 0 and scaled(left, 1 / right.base) or nil, "something is divided by events or by 0"
    end,
}

local function compute(node, constants)
    if node.op == "number" then
        return { terms = {}, base = node.value }
    elseif node.op == "name" and linear_form.is_event(node.name) then
        return { terms = { [node.name] = 1 }, base = 0 }
    elseif node.op == "name" then
        local value = constants[node.name]
        return value and { terms = {}, base = value }, ("%s has no value"):format(node.name)
    end
    local left, why = compute(node.left, constants)
    if not left or node.op == "sign" then
        return left and scaled(left, node.sign), why
    end
    local right
    right, why = compute(node.right, constants)
    if not right then
        return nil, why
    end
    return COMBINE[node.op](left, right)
end

-- parsed = formula.parse(), constants = { [name] = number } -> { terms = { [event] = factor }, base = number }; nil and the reason.
function linear_form.of(parsed, constants)
    return compute(parsed.tree, constants)
end

return linear_form
