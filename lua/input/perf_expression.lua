-- perf_expression.lua - the names in expressions of perf's metrics. SPDX-License-Identifier: GPL-3.0-or-later
local perf_expression = {}

local FUNCTIONS = { min = true, max = true, d_ratio = true, source_count = true, has_event = true, strcmp_cpuid_str = true,
    ["if"] = true, ["else"] = true }

-- A name at a place of an expression: an event, PMU@EVENT@, EVENT@OPTIONS@ or a literal (#num_packages); '\-' stands for '-'.
local function name_at(text, at)
    local name = text:match("^[%w_.]+@[^@]*@", at) or text:match("^[%a_#][%w_.:]*", at)
    while name and text:find("^\\%-", at + #name) do
        name = name .. text:match("^\\%-[%w_.:]*", at + #name)
    end
    return name
end

-- The names of an expression in order of appearance, and the expression with V1, V2, .. for them, which formula.lua can read unless
-- there are functions and conditions.
function perf_expression.names_of(text)
    local names, parts, at = {}, {}, 1
    while at <= #text do
        local number = text:match("^%d[%d.]*[eE][+-]?%d+", at) or text:match("^%d[%d.]*", at)
        local name = not text:find("^%d", at) and name_at(text, at)
        local part = number or name or text:sub(at, at)
        at = at + #part
        if name and not FUNCTIONS[name] then
            names[#names + 1] = name
            part = "V" .. #names
        end
        parts[#parts + 1] = part
    end
    return names, table.concat(parts)
end

return perf_expression
