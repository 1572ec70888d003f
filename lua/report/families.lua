-- families.lua - merges metrics of numbered boxes: "CBOX2 data reads volume" and "CBOX3 .." become "CBOX2-3 data reads volume".
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local families = {}

-- The name without its box number, and the number; the name itself and nil if it does not begin with a numbered box.
function families.split(name)
    local box, number, rest = name:match("^(%u+)(%d+)( .*)$")
    if not box then
        return name, nil
    end
    return box .. "#" .. rest, math.tointeger(tonumber(number))
end

-- Adds a split name's number to its family { stem =, least =, greatest = |nil }. A number that is nil changes nothing.
function families.add(family, number)
    if number then
        family.least, family.greatest = math.min(family.least or number, number), math.max(family.greatest or number, number)
    end
end

-- Name of a family.
function families.title(family)
    if not family.least then
        return family.stem
    end
    local numbers = family.least == family.greatest and tostring(family.least) or ("%d-%d"):format(family.least, family.greatest)
    return (family.stem:gsub("#", numbers, 1))
end

-- Merges entries with a `name` that belong to one family and have the same attribute(entry) -> array of { name =, first = entry
-- } in the order of their first members.
function families.fold(list, attribute)
    local folded, bins = {}, {}
    for _, entry in ipairs(list) do
        local stem, number = families.split(entry.name)
        local key = number and stem .. "\t" .. tostring(attribute(entry)) or entry
        families.add(lists.bin(bins, key, { stem = stem, first = entry }, folded), number)
    end
    return lists.map(folded, function(bin) return { name = families.title(bin), first = bin.first } end)
end

return families
