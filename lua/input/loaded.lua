-- loaded.lua - patterns as they were read, with the functions of their models, which cannot pass through JSON.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- schema.pattern keeps a pattern here under its name and gives the host a copy without functions; what needs a function
-- (plan.lua) takes it from here. The last pattern read under a name is the one that counts.
local loaded = {}

local kept = {}

-- The same table without its functions.
local function without_functions(value)
    if type(value) ~= "table" then
        return value
    end
    local copy = setmetatable({}, getmetatable(value))
    for key, member in pairs(value) do
        if type(member) ~= "function" then
            copy[key] = without_functions(member)
        end
    end
    return copy
end

-- Keeps the pattern and returns what the host may have of it.
function loaded.keep(pattern)
    kept[pattern.name] = pattern
    return without_functions(pattern)
end

-- The pattern with its functions; `pattern` itself (which then has none) if it was never read here.
function loaded.find(pattern)
    return kept[pattern.name] or pattern
end

return loaded
