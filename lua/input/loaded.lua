-- loaded.lua - keeps loaded patterns and probes with their models' functions, which cannot pass through JSON.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A reader stores the table here under its name and gives the host a copy without functions; code that needs a function (plan.lua) gets
-- the table here. A later table of the same name replaces an earlier one. `room`: the folder of the file, default "patterns".
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

-- Stores the table and returns the copy for the host.
function loaded.keep(one, room)
    kept[room or "patterns"][one.name] = one
    return without_functions(one)
end

-- The table with its functions; `one` itself (without functions) if it was never stored.
function loaded.find(one, room)
    return kept[room or "patterns"][one.name] or one
end

return loaded
