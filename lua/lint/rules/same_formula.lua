-- same_formula.lua - two metrics with one formula. SPDX-License-Identifier: GPL-3.0-or-later
-- Misses of one level are requests of the next.
local function are_levels(one, other)
    local a, b = one.name:match "L%d", other.name:match "L%d"
    return a and b and a ~= b and (one.name .. other.name):find "miss" and (one.name .. other.name):find "request"
end

return {
    name = "same-formula", class = "S14", severity = "warning", about = "group",
    title = "two metrics have the same formula",
    check = function(group, say)
        local first = {}
        for _, metric in ipairs(group.metrics) do
            local key = metric.formula .. (metric.unit or "")
            local before = first[key]
            if before and not are_levels(metric, before) then
                say(metric.line, ("metric '%s' has the formula of '%s' in line %d"):format(metric.title, before.title, before.line),
                    "one of the two shows the other's quantity")
            end
            first[key] = before or metric
        end
    end,
}
