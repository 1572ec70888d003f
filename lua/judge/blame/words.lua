-- words.lua - what is to blame, in a line.
-- SPDX-License-Identifier: GPL-3.0-or-later
local words = {}

local CAUSES = 4 -- so many equally good ones are told, of the others how many

local MOST_DECIMALS = 9

-- Three decimals, or four significant digits where these say more; of a factor near 1 as many as show two digits of the difference.
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
    if part.factor_ci or not part.offset_ci then
        list[#list + 1] = interval(part.factor, part.factor_ci) .. " times"
    end
    if part.offset_ci then
        local is_less = part.offset < 0
        local ends = is_less and { -part.offset_ci[2], -part.offset_ci[1] } or part.offset_ci
        list[#list + 1] = ("%s %s in every region"):format(interval(math.abs(part.offset), ends), is_less and "too few" or "too many")
    end
    return table.concat(list, " and ")
end

local REPAIRS = {
    inverted = function() return "is inverted" end,
    divided = function() return "lacks a factor of time" end,
    undivided = function() return "is not divided by time" end,
    lacks = function(part) return ("lacks %s (%s)"):format(part.name, part.event) end,
    replaced = function(part) return ("has %s (%s) where %s (%s) belongs"):format(part.name, part.event, part.by, part.other) end,
    weight = function(part)
        return ("has a wrong factor of %s (%s): %s .. %s times it is right"):format(part.name, part.event, number(part.factor_ci[1]),
            number(part.factor_ci[2]))
    end,
    factor = function(part) return ("shows %s times what its events say"):format(interval(part.factor, part.factor_ci)) end,
}

local function counted(part)
    return part.factor and constants(part) or "wrong"
end

local TEXT = {
    event = function(part) return ("%s counts %s"):format(part.event, counted(part)) end,
    box = function(part) return ("%s on %s counts %s"):format(part.event, part.box, counted(part)) end,
    options = function(part)
        return ("%s %s counts %s"):format(part.event, part.options ~= "" and "with " .. part.options or "without options", counted(part))
    end,
    line = function(part) return ("%s, as %s programs it, counts %s"):format(part.event, part.group, counted(part)) end,
    code = function(part) return ("%s in %s counts %s"):format(part.event, part.code, counted(part)) end,
    ["silent box"] = function(part) return ("%s on %s counts nothing"):format(part.event, part.box) end,
    silent = function(part) return ("%s counts nothing"):format(part.event) end,
    swap = function(part) return ("%s and %s count each other"):format(part.event, part.other) end,
    other = function(part) return ("%s counts what %s counts"):format(part.event, part.other) end,
    formula = function(part)
        local repair = REPAIRS[part.what]
        return ("the formula of %s in %s %s"):format(part.metric, part.group, repair and repair(part) or "is wrong")
    end,
    claim = function(part)
        return ("%s of %s in %s shows %s"):format(part.metric, part.group, part.code,
            part.factor and interval(part.factor, part.factor_ci) .. " times what is right" or "what no constant explains")
    end,
    unsteady = function(part)
        local span = part.range and (": %s to %s times what is right in %d of %d values"):format(number(part.range[1]),
            number(part.range[2]), part.wrong, part.of) or ""
        return ("%s counts wrong, by no constants%s"):format(part.event, span)
    end,
    ["unsteady code"] = function(part) return ("%s in %s counts wrong, by no constants"):format(part.event, part.code) end,
    absent = function(part) return ("%s gives no value (%s)"):format(part.box or part.counter, part.why) end,
}

-- A part (blame.lua) as words.
function words.part(part)
    return TEXT[part.kind](part)
end

local function follow(count, groups)
    return ("%d %s of %s %s"):format(count, count == 1 and "metric" or "metrics", table.concat(groups, " and "),
        count == 1 and "follows" or "follow")
end

-- { metrics =, groups =, causes = array of arrays of parts } as a line.
function words.line(entry)
    local causes = {}
    for i, parts in ipairs(entry.causes) do
        local texts = {}
        for k, part in ipairs(parts) do
            texts[k] = words.part(part)
        end
        causes[i] = table.concat(texts, " and ")
    end
    if #causes == 0 then
        return ("no event or formula explains what is wrong: %s"):format(follow(entry.metrics, entry.groups):gsub(" follows?$", ""))
    end
    local more = #causes - CAUSES
    if more > 0 then
        causes[CAUSES + 1] = ("%d more"):format(more)
    end
    return ("%s: %s"):format(table.concat(causes, ", or ", 1, math.min(#causes, CAUSES + 1)), follow(entry.metrics, entry.groups))
end

return words
