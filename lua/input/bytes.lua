-- bytes.lua - units of metrics: amounts of data and of operations.
-- SPDX-License-Identifier: GPL-3.0-or-later
local bytes = {}

local OF = { GBytes = 1e9, MBytes = 1e6, ["GBytes/s"] = 1e9, ["MBytes/s"] = 1e6 }

-- Bytes (or bytes per second) in one unit; nil without a unit or if it is not a unit of data.
function bytes.of(unit)
    return unit and OF[unit]
end

-- Number of counted things in one unit (bytes, operations per second); 1 for plain counts.
function bytes.scale(unit)
    return bytes.of(unit) or unit == "MFLOP/s" and 1e6 or 1
end

local PREFIXES = { [""] = 1, M = 1e6, G = 1e9 }
local AMOUNTS = { Byte = true, Bytes = true, FLOP = true, UOPS = true }

-- Size of one unit of a group file (bytes, operations, or 1 without a unit); and whether it is a rate, per second. nil for an unknown
-- unit.
function bytes.read(unit)
    if unit == nil or unit == "%" then
        return unit and 0.01 or 1, false
    end
    local amount, rate = unit:match "^([^/]+)(.*)$"
    local prefix, what = (amount or ""):match "^([MG]?)(%a+)$"
    if AMOUNTS[what] and (rate == "" or rate == "/s") then
        return PREFIXES[prefix], rate == "/s"
    end
    return nil
end

return bytes
