-- keep.lua - replaces lua/judge/assess.lua in kept.sh's campaign: writes the data to be judged to $REPLAY_OUT, and judges them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The file is a Lua chunk that returns assess.all's argument (tests/lua/noisy.lua judges it again). Keys are sorted: the same campaign
-- gives the same file. Numbers keep all their digits. Kernels that no plan names are left out.
local real = dofile(os.getenv "REPLAY_ROOT" .. "/lua/judge/assess.lua")

local UNUSED = { messages = true, command = true, text = true, cpu_seconds = true, long = true } -- not read by the judge

local function key_less(a, b)
    return type(a) == type(b) and a < b or type(a) ~= type(b) and type(a) == "number"
end

-- Writes the value. Returns whether it is a table of tables: after each of these a line ends.
local function write(out, value)
    if type(value) ~= "table" then
        out:write(("%q"):format(value))
        return false
    end
    local keys, has_tables = {}, false
    for key in pairs(value) do
        keys[#keys + 1] = not UNUSED[key] and key or nil
    end
    table.sort(keys, key_less)
    out:write "{"
    for place, key in ipairs(keys) do
        if place ~= key then
            out:write("[", ("%q"):format(key), "]=")
        end
        out:write(write(out, value[key]) and ",\n" or ",")
        has_tables = has_tables or type(value[key]) == "table"
    end
    out:write "}"
    return has_tables
end

local function add_names(names, value)
    for _, inner in pairs(type(value) == "table" and value or {}) do
        add_names(names, inner)
    end
    names[value] = true
end

local function planned(kernels, plans)
    local names, kept = {}, {}
    add_names(names, plans)
    for name, kernel in pairs(kernels) do
        kept[name] = names[name] and kernel
    end
    return kept
end

local assess = { part = real.part, whole = real.whole }

function assess.all(argument)
    local out <close> = assert(io.open(os.getenv "REPLAY_OUT", "w"))
    out:write "return "
    local kept = {}
    for key, value in pairs(argument) do
        kept[key] = key == "kernels" and planned(value, argument.plans) or value
    end
    write(out, kept)
    out:write "\n"
    return real.all(argument)
end

return assess
