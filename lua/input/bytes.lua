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

return bytes
