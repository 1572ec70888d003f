-- recomputed.lua - compares LIKWID's printed metrics with their formulas applied to the raw counts.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- LIKWID's values may differ for three reasons: it prints rounded values, it uses the unrounded time and clock, and it computes a metric
-- with 0 in the place of a counter that gave no value or is not in the set. A printed value that differs by more than rounding is a
-- finding of its own, `formula`:
--   { finding = "formula", group =, metric =, unit =, n = values compared, differ = number that differ, likwid = printed value with the
--     largest difference, recomputed = its recomputed value |nil (a counter has no value), why = |nil, text = }
local array = require "input.array"
local boxes = require "plan.boxes"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local recomputed = {}

local TIME_STEP = 1e-6 -- s, the last printed digit of LIKWID's times
local SHARE = 1e-5 -- additional relative error: LIKWID computes with the unrounded clock and time

-- Half of the last printed digit: "0.0001", "7.680000e-07"; 0 for "0", because small numbers are printed with exponents.
function recomputed.rounding(text)
    local decimals = text:match "%.(%d+)"
    return decimals and 0.5 * 10.0 ^ ((tonumber(text:match "[eE]([+-]?%d+)") or 0) - #decimals) or 0
end

-- The formula's value; else nil, the counter without a value, and its reason.
local function compute(metric, row, counters)
    local values, why = { time = row.seconds, inverseClock = row.clock_hz and 1 / row.clock_hz }, {}
    for name, counter in pairs(counters) do
        values[name] = row.counts and row.counts[counter]
        why[name] = row.absent and row.absent[counter] or "not programmed"
    end
    local value, absent = formula.evaluate(metric.parsed or metric.formula, values)
    return value, absent, absent and counters[absent] and why[absent]
end

-- Does the printed text agree with the value? A formula that contains the time also gets the rounding of the time.
local function says(text, value, metric, seconds)
    local is_timed = group_file.counters(metric).time
    if is_timed and seconds < TIME_STEP then
        return true -- the time is all rounding error
    end
    local share = SHARE + (is_timed and TIME_STEP / seconds or 0)
    return math.abs(tonumber(text) - value) <= recomputed.rounding(text) * (1 + SHARE) + share * math.abs(value)
end

local function entry_of(found, own, unit)
    return lists.bin(found, own.group .. "\t" .. own.metric, { finding = vocabulary.FINDINGS[1], group = own.group, metric = own.metric,
        unit = unit, n = 0, differ = 0, off = -1 }, found)
end

local function note(entry, text, value, why)
    local off = value and math.abs(tonumber(text) - value) / math.max(math.abs(value), 1e-300) or math.huge
    entry.differ = entry.differ + 1
    if off > entry.off or off == entry.off and tonumber(text) < entry.likwid then
        entry.off, entry.likwid, entry.recomputed, entry.why = off, tonumber(text), value, why
    end
end

-- The group, if LIKWID counts all of its boxes on the socket of the row's CPU.
local function group_of(groups, own, row, node)
    local group = own and groups[own.group]
    return group and boxes.fit_socket(group, node, row.cpu) == group and group or nil
end

local function compare_row(found, groups, run, row, node)
    for name, text in pairs(row.metrics or {}) do
        local own = run.own and run.own[name]
        local group = group_of(groups, own, row, node)
        local metric = group and group_file.metric(group, own.metric)
        if metric and tonumber(text) then
            local value, absent, word = compute(metric, row, run.counters[own.group])
            local entry = entry_of(found, own, metric.unit)
            if value then
                entry.n = entry.n + 1
                if not says(text, value, metric, row.seconds) then
                    note(entry, text, value)
                end
            elseif word and not vocabulary.is_uncounted(word) then
                entry.n = entry.n + 1
                note(entry, text, nil, ("%s gave no value (%s)"):format(absent, word))
            end
        end
    end
end

-- Adds the comparison of one repetition of a job's run to `found`; groups are fitted to the node. Groups with boxes that the row's socket
-- lacks are left out: LIKWID's sums contain these, and the census names them.
function recomputed.add(found, groups, run, regions, node)
    for _, rows in pairs(regions or {}) do
        for _, row in ipairs(rows) do
            compare_row(found, groups, run, row, node)
        end
    end
end

-- Text of a finding, for the groups with names in `groups`.
function recomputed.line(entry, groups)
    local unit = entry.unit and " " .. entry.unit or ""
    local what = entry.recomputed and ("its counters say %.6g%s"):format(entry.recomputed, unit) or entry.why
    return ("formula: %s of %s: LIKWID shows %.6g%s, %s"):format(entry.metric, groups, entry.likwid, unit, what)
end

-- Findings from all comparisons, by group and metric.
function recomputed.findings(found)
    local list = array()
    for _, entry in ipairs(found) do
        if entry.differ > 0 then
            entry.off, entry.text = nil, ("%s (%d of %d values)"):format(recomputed.line(entry, entry.group), entry.differ, entry.n)
            list[#list + 1] = entry
        end
    end
    table.sort(list, lists.by("group", "metric"))
    return list
end

return recomputed
