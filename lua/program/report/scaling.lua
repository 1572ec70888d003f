-- scaling.lua - a diagnosis on several numbers of cores (--scale): speed-up and shares over cores, as text and as drawings.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local curve = require "report.page.curve"
local lists = require "input.lists"

local scaling = {}

local GAP, LINES = 2, 4 -- between columns; in a drawing
local ALWAYS = { bandwidth_saturation = true, load_imbalance = true }

-- What a region is called; its name is empty if it is the whole program.
function scaling.title(name)
    return name ~= "" and name or "the program"
end

-- The numbers of cores: entries of `scale`, and the record itself for the largest one.
local function steps_of(record)
    return lists.joined(record.scale or {}, { { cores = #record.system, regions = record.regions, rates = record.rates,
        findings = record.findings } })
end

local function rate_of(step, name)
    return lists.find(step.rates, function(rate) return step.regions[rate.region + 1] == name end)
end

-- { name = region, points = array of { step =, rate =, speedup =, ideal = } } for each region of the record.
local function regions_of(record)
    return lists.map(record.regions, function(name)
        local first
        return { name = name, points = lists.collect(steps_of(record), function(step)
            local rate = rate_of(step, name)
            first = first or rate and { cycles = rate.cycles, cores = step.cores }
            return rate and { step = step, rate = rate, speedup = first.cycles / rate.cycles, ideal = step.cores / first.cores }
        end) }
    end)
end

-- Patterns with a column: saturation and imbalance, and all that are present on some number of cores.
local function patterns_of(record)
    local list = lists.flat(steps_of(record), function(step)
        return lists.collect(step.findings, function(found)
            return (found.answer == "present" or ALWAYS[found.pattern]) and found.pattern
        end)
    end)
    return lists.sorted(lists.set(list))
end

local function percent(value)
    return ("%.0f"):format(100 * value)
end

local function share_in(step, pattern, region)
    local found = lists.find(step.findings, function(one) return one.pattern == pattern end)
    local place = found and lists.find(found.regions, function(one) return one.region == region end)
    return place and ("%s .. %s %%"):format(percent(place.low), percent(place.high)) or found and found.answer or ""
end

-- { name = region, rows = with a heading } for each region, without units.
function scaling.tables(record)
    local patterns = patterns_of(record)
    return lists.map(regions_of(record), function(region)
        local rows = { lists.append({ "cores", "cycles", "speed-up", "efficiency", "MB/s read" }, patterns,
            function(pattern) return (pattern:gsub("_", " ")) end) }
        lists.append(rows, region.points, function(point)
            local row = { tostring(point.step.cores), ("%.0f"):format(point.rate.cycles), ("%.2f"):format(point.speedup),
                percent(point.speedup / point.ideal) .. " %", point.rate.read and ("%.0f"):format(point.rate.read) or "-" }
            return lists.append(row, patterns, function(pattern) return share_in(point.step, pattern, point.rate.region) end)
        end)
        return { name = region.name, rows = rows }
    end)
end

-- The tables as lines of text; none without --scale.
function scaling.lines(record)
    return record.scale and lists.flat(scaling.tables(record), function(one)
        local title = "scaling of " .. (one.name ~= "" and "region " .. one.name or "the program") .. ":"
        return lists.joined({ title }, cells.lines(one.rows, GAP, cells.right(1, #one.rows[1]), "    "))
    end) or {}
end

-- Drawings of the speed-up over cores, as SVG; broken lines are ideal.
function scaling.drawings(record)
    local lines = lists.map(regions_of(record), function(region)
        return { event = scaling.title(region.name), points = lists.map(region.points, function(point)
            return { x = point.step.cores, measured = point.speedup, naive = point.ideal }
        end) }
    end)
    return lists.map(lists.parts(lines, LINES), function(some)
        return curve.svg { curve = { title = "Speed-up over cores", axis = "cores", label = "speed-up", marks = {} }, lines = some }
    end)
end

return scaling
