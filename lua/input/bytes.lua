-- bytes.lua - the units of metrics that are amounts: of data, and of operations.
-- SPDX-License-Identifier: GPL-3.0-or-later
local bytes = {}

local OF = { GBytes = 1e9, MBytes = 1e6, ["GBytes/s"] = 1e9, ["MBytes/s"] = 1e6 }

-- How many bytes (or bytes per second) one of the unit is; nil: the unit is none of data, or there is none.
function bytes.of(unit)
    return unit and OF[unit]
end

-- How many of what is counted one of the unit is: bytes, operations a second; 1 of what is counted as it is.
function bytes.scale(unit)
    return bytes.of(unit) or unit == "MFLOP/s" and 1e6 or 1
end

local PREFIXES = { [""] = 1, M = 1e6, G = 1e9 }
local AMOUNTS = { Byte = true, Bytes = true, FLOP = true, UOPS = true }

-- How much one of a group file's unit is: bytes, operations, or 1 where there is no unit; and whether it is a rate, per second. nil: the
-- unit is not known.
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
