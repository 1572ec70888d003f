-- families.lua - metrics of numbered boxes as one line: "CBOX2 data reads volume", "CBOX3 .." are "CBOX2-3 data reads volume".
-- SPDX-License-Identifier: GPL-3.0-or-later
local families = {}

-- Name without the box's number, and that number; without a number at its beginning the name itself and nil.
function families.split(name)
    local box, number, rest = name:match("^(%u+)(%d+)( .*)$")
    if not box then
        return name, nil
    end
    return box .. "#" .. rest, math.tointeger(tonumber(number))
end

-- What a split name and the least and greatest number of a family are called.
function families.title(stem, least, greatest)
    if not least then
        return stem
    end
    local numbers = least == greatest and tostring(least) or ("%d-%d"):format(least, greatest)
    return (stem:gsub("#", numbers, 1))
end

-- Entries with a `name` -> array of { name =, first = entry }, in the order of their first members; entries go together if they
-- are of one family and attribute(entry) is the same.
function families.fold(list, attribute)
    local folded, bins = {}, {}
    for _, entry in ipairs(list) do
        local stem, number = families.split(entry.name)
        local key = stem .. "\t" .. tostring(attribute(entry))
        local bin = number and bins[key]
        if not bin then
            bin = { stem = stem, least = number, greatest = number, first = entry }
            bins[key] = bin
            folded[#folded + 1] = bin
        elseif number then
            bin.least, bin.greatest = math.min(bin.least, number), math.max(bin.greatest, number)
        end
    end
    for i, bin in ipairs(folded) do
        folded[i] = { name = families.title(bin.stem, bin.least, bin.greatest), first = bin.first }
    end
    return folded
end

return families
