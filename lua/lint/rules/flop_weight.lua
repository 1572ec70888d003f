-- flop_weight.lua - a FLOP rate multiplies an event by other than its vector's elements. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"

local BITS = { DOUBLE = 64, SINGLE = 32, HALF = 16 }

-- Operations that one count of the event stands for; nil if its name does not say.
local function elements(event)
    local bits = event:match "(%d+)B?_PACKED_%u+" or event:match "FP_(256)_PACKED"
    local kind = event:match "PACKED_(%u+)" or event:match "SCALAR_(%u+)"
    if not BITS[kind or ""] then
        return nil
    elseif event:find "SCALAR" then
        return 1
    elseif bits or event:find "SSE_FP_PACKED" then
        return (tonumber(bits) or 128) // BITS[kind]
    end
end

-- The factors of a FLOP rate. A formula that subtracts counts makes up for events that overlap, so its factors say nothing.
local function weighed(metric)
    local factors = metric.is_flops and linted.factors(metric.parsed) or {}
    for _, factor in pairs(factors) do
        if factor < 0 then
            return {}
        end
    end
    return factors
end

return {
    name = "flop-weight", class = "S9", severity = "error", about = "group",
    title = "a FLOP rate weighs an event with other than the elements of its vectors",
    check = function(group, say)
        for _, metric in ipairs(group.metrics) do
            for name, factor in pairs(weighed(metric)) do
                local wanted = group.of[name] and elements(group.of[name].event)
                local weight = wanted and factor * (metric.scale or 1)
                if weight and math.abs(weight - wanted) > 1e-6 then
                    say(metric.line, ("metric '%s' counts %s as %.4g operations, its vectors have %d"):format(metric.title,
                        group.of[name].event, weight, wanted), ("these FLOPs are %s"):format(linted.times(weight / wanted)),
                        { metric = metric, weigh = name, from = weight, to = wanted })
                end
            end
        end
    end,
}
