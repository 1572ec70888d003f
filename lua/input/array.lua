-- array.lua - marks a table as a JSON array, so that the host turns an empty one into [] and not into {}.
-- SPDX-License-Identifier: GPL-3.0-or-later
local ARRAY = { __name = "array" }

-- Returns `list` itself (or a new empty list), marked.
local function array(list)
    return setmetatable(list or {}, ARRAY)
end

return array
