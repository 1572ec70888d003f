-- terms.lua - values of a diagnosis' terms (program/plan/diagnosis.lua) from raw counts, and what an event costs by a pattern's controls.
-- SPDX-License-Identifier: GPL-3.0-or-later
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"

local terms = {}

-- A term's value from { [event's key] = count }; the sum of a kind's boxes is divided among them, because their factors are equal. `time`:
-- seconds, for a rate.
function terms.value(term, counts, time)
    local boxes, values = {}, { inverseClock = 1, time = time }
    for _, event in ipairs(term.events) do
        local key = group_file.key(event)
        boxes[key] = (boxes[key] or 0) + 1
    end
    for _, event in ipairs(term.events) do
        local key = group_file.key(event)
        values[event.name] = counts[key] and counts[key] / boxes[key]
    end
    return formula.evaluate(term.formula, values)
end

local function same(one, other)
    return lists.all(lists.sorted(one), function(name) return one[name] == other[name] end)
end

-- The runs of a control in a record that counted the cycles' and the term's events: array of { given, thread, cycles, events }.
local function runs_of(record, pattern, code, cycles, term)
    local given = {}
    for _, sample in ipairs(record.samples or {}) do
        given[sample.pattern .. " " .. sample.point] = sample.given
    end
    return lists.collect(record.counts or {}, function(row)
        local counts = {}
        for name, count in pairs(row.pattern == pattern and row.code == code and row.counts or {}) do
            counts[name:gsub("@[^:]*", "")] = count
        end
        local is_counted = next(counts) and lists.all(lists.joined(term.events, cycles.events), function(event)
            return counts[group_file.key(event)]
        end)
        return is_counted and given[pattern .. " " .. row.point] and { given = given[pattern .. " " .. row.point], thread = row.thread,
            cycles = terms.value(cycles, counts), events = terms.value(term, counts) }
    end)
end

-- Cycles of an event by the runs of a pattern's two controls in a record: the least and the largest slope between a run of the one and a
-- run of the other with the same parameters on the same thread; nil if there are none. `cycles`, `term`: terms.
function terms.slope(record, pattern, cycles, term)
    local low, high
    local absent = runs_of(record, pattern.name, pattern.controls.absent.code, cycles, term)
    for _, one in ipairs(runs_of(record, pattern.name, pattern.controls.present.code, cycles, term)) do
        for _, other in ipairs(absent) do
            if one.thread == other.thread and one.events > other.events and same(one.given, other.given) then
                local slope = math.max(0, (one.cycles - other.cycles) / (one.events - other.events))
                low, high = math.min(low or slope, slope), math.max(high or slope, slope)
            end
        end
    end
    return low and { low = low, high = high, source = "measured by the pattern's controls" }
end

return terms
