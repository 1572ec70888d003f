-- loaded.lua - patterns and probes as they were read, with the functions of their models, which cannot pass through JSON.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What reads one keeps it here under its name and gives the host a copy without functions; what needs a function (plan.lua) takes it from
-- here. The last one read under a name is the one that counts. `room`: the folder they are from, "patterns" unless it is said.
local loaded = {}

local kept = { patterns = {}, probes = {} }

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

-- Keeps it and returns what the host may have of it.
function loaded.keep(one, room)
    kept[room or "patterns"][one.name] = one
    return without_functions(one)
end

-- It with its functions; `one` itself (which then has none) if it was never read here.
function loaded.find(one, room)
    return kept[room or "patterns"][one.name] or one
end

return loaded
