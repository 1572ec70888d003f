-- lists.lua - what is asked of lists and sets everywhere.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = {}

-- Does the list hold the value?
function lists.contains(list, wanted)
    for _, value in ipairs(list) do
        if value == wanted then
            return true
        end
    end
    return false
end

-- The keys of a table, all texts, in order.
function lists.sorted(set)
    local keys = {}
    for key in pairs(set) do
        keys[#keys + 1] = key
    end
    table.sort(keys)
    return keys
end

return lists
