-- words.lua - numbers, constants and causes as text.
-- SPDX-License-Identifier: GPL-3.0-or-later
local kinds = require "judge.blame.kinds"
local lists = require "input.lists"

local words = {}

local CAUSES = 4 -- equally good causes printed; of further ones the number

local MOST_DECIMALS = 9

-- Three decimals, near 1 as many as show two digits of the difference from 1; small and huge numbers: four significant digits.
local function number(value)
    local magnitude = math.abs(value)
    if magnitude >= 0.1 and magnitude < 1000 then
        local off = math.abs(magnitude - 1)
        local decimals = off > 0 and 1 - math.floor(math.log(off, 10)) or 0
        return ("%%.%df"):format(math.min(math.max(decimals, 3), MOST_DECIMALS)):format(value)
    end
    return magnitude >= 1000 and magnitude < 1e7 and ("%.0f"):format(value) or ("%.4g"):format(value)
end

local function interval(value, ends)
    return ends and ("%s (%s .. %s)"):format(number(value), number(ends[1]), number(ends[2])) or number(value)
end

local function constants(part)
    local list = {}
    if part.factor and (part.factor_ci or not part.offset_ci) then
        list[1] = interval(part.factor, part.factor_ci) .. " times"
    end
    if part.factor and part.offset_ci then
        local is_less = part.offset < 0
        local ends = is_less and { -part.offset_ci[2], -part.offset_ci[1] } or part.offset_ci
        list[#list + 1] = ("%s %s in every region"):format(interval(math.abs(part.offset), ends),
            is_less and "too few" or "too many")
    end
    return list[1] and table.concat(list, " and ") or "wrong"
end

-- The fault of a formula as text (repairs.lua).
local REPAIRS = {
    inverted = "is inverted",
    divided = "lacks a factor of time",
    undivided = "is not divided by time",
    lacks = "lacks $name ($event)",
    replaced = "has $name ($event) where $by ($other) belongs",
    weight = "has a wrong factor of $name ($event): the right one is $weight times as large",
    factor = "shows $constants what its events say",
}

local fill

-- Texts for $NAME where the part has no such field.
local PHRASES = {
    constants = constants,
    with_options = function(part) return part.options ~= "" and "with " .. part.options or "without options" end,
    or_reverse = function(part) return part.other:find(",", 1, true) and "" or ", or the reverse" end, -- two boxes, equal counts
    range = function(part)
        return part.range and (": %s to %s times what is right in %d of %d values"):format(number(part.range[1]),
            number(part.range[2]), part.wrong, part.of) or ""
    end,
    weight = function(part) return ("%s .. %s"):format(number(part.factor_ci[1]), number(part.factor_ci[2])) end,
    repair = function(part) return fill(REPAIRS[part.what] or "is wrong", part) end,
    shows = function(part) return part.factor and constants(part) .. " what is right" or "what no constant explains" end,
}

function fill(text, part)
    return (text:gsub("%$([%a_]+)", function(name) return PHRASES[name] and PHRASES[name](part) or part[name] end))
end

-- Returns the part (blame.lua) with `text`: its kind's text with fields and phrases filled in.
function words.name(part)
    part.text = fill(kinds[part.kind].text, part)
    return part
end

-- causes = array of arrays of parts with `text`, told = text of their consequence, none = the text if there are no causes -> a line.
function words.line(causes, told, none)
    local texts = lists.collect(causes, function(parts)
        return table.concat(lists.collect(parts, function(part) return part.text end), " and ")
    end)
    local more = #texts - CAUSES
    texts[CAUSES + 1] = more > 0 and ("%d more"):format(more) or nil
    return ("%s: %s"):format(#texts == 0 and none or table.concat(texts, ", or ", 1, math.min(#texts, CAUSES + 1)), told)
end

return words
