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

-- The first value that passes test(value); nil: none does.
function lists.find(list, test)
    for _, value in ipairs(list) do
        if test(value) then
            return value
        end
    end
    return nil
end

-- A new list of change(value) for each value; where that is nil or false, nothing is added.
function lists.map(list, change)
    local changed = {}
    for _, value in ipairs(list) do
        changed[#changed + 1] = change(value) or nil
    end
    return changed
end

-- A new list of the values that pass test(value).
function lists.filter(list, test)
    return lists.map(list, function(value) return test(value) and value end)
end

-- A copy of the list, with the values of `more` |nil behind it.
function lists.joined(list, more)
    local joined = table.move(list, 1, #list, 1, {})
    return table.move(more or {}, 1, #(more or {}), #joined + 1, joined)
end

-- A new list of all values of the lists of(value), for each value; nil is no list.
function lists.flat(list, of)
    local flat = {}
    for _, value in ipairs(list) do
        local more = of(value) or {}
        table.move(more, 1, #more, #flat + 1, flat)
    end
    return flat
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
