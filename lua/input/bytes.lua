-- bytes.lua - the units of metrics that are amounts of data.
-- SPDX-License-Identifier: GPL-3.0-or-later
local bytes = {}

local OF = { GBytes = 1e9, MBytes = 1e6, ["GBytes/s"] = 1e9, ["MBytes/s"] = 1e6 }

-- How many bytes (or bytes per second) one of the unit is; nil: the unit is none of data, or there is none.
function bytes.of(unit)
    return unit and OF[unit]
end

return bytes
