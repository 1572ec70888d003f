-- series.lua - the quantities into which faults are injected: the rows that an architecture's file lists, or rows made from a clean run.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A row is one quantity of a pattern, measured on few points so that one run takes seconds (tests/detection/ARCH.lua):
--   pattern, only, level, placement, node     the command line: assay validate PATTERN --node NODE --only ONLY ..; the matrix' own node
--                       if it names none
--   quick_points        with --quick: fewer points of the pattern
--   metric, group       what is judged
--   events              events to make wrong; default: all events of the metric that are not fixed
--   box                 the PCI device of their counters (uncore only)
--   faults              only these faults, because the model's interval is too wide for the others
--   soon                when a counter wraps (matrix.lua)
--   fails               faults that make LIKWID abort the whole run: skipped with that reason
--   swap                { OTHER, class =, factor =|nil }: expected result if event OTHER is counted instead
--   mirror              { BOX, .. }: the same if `box` counts what happens in box BOX
--   unfiltered          the same if the event's options are ignored
--   quick               also in the short matrix of the system tests
-- In such a file an entry may have nested `rows`, which inherit the fields of the entry. Rows that architectures share are in shared.lua.
-- Without such a file, every group's metric of a clean quick run is a row, at the code for which its model's interval is narrowest.
-- What another event would count, which boxes are devices, and when a counter wraps within a region, cannot be known then.
local group_file = require "input.group"

local series = {}

local FREEDOM = 0.05 -- share of the value; a wider interval would hide a wrong count
local NEAR = 0.003 -- share of the value; a measured value farther from it makes fitted constants differ from injected ones
local SEEN_ANYWAY = { "stuck", "deny" }
local SEEN_IF_NARROW = { "scale 0.6", "scale 1.05", "scale 3", "add", "spike", "jitter", "stuck", "wrap 32 later", "wrap BITS", "deny" }
local JUDGED = { volume = true, count = true, slice = true }

-- Adds the rows of an entry, each with the inherited fields.
local function add_rows(rows, entry, around)
    local row = {}
    for _, fields in ipairs { around, entry } do
        for key, value in pairs(fields) do
            row[key] = value
        end
    end
    row.rows = nil
    for _, own in ipairs(entry.rows or {}) do
        add_rows(rows, own, row)
    end
    rows[#rows + 1] = not entry.rows and row or nil
end

-- The architecture's file: { rows =, none = { [event] = why no row is about it } }; nil if there is no such file.
function series.listed(arch)
    local file = io.open(("tests/detection/%s.lua"):format(arch))
    if not file then
        return nil
    end
    file:close()
    local listed, rows = dofile(("tests/detection/%s.lua"):format(arch)), {}
    for _, entry in ipairs(listed.rows) do
        add_rows(rows, entry, {})
    end
    return { rows = rows, none = listed.none }
end

local function is_same(entry, sample)
    for _, key in ipairs { "pattern", "code", "level", "placement", "group", "metric" } do
        if entry[key] ~= sample[key] then
            return false
        end
    end
    return true
end

-- Widest interval of the metric's samples over its value, and the farthest measured one; nil where one may be 0.
local function freedom(record, entry)
    local widest, farthest = 0, 0
    for _, sample in ipairs(record.samples) do
        if is_same(entry, sample) then
            local expected = sample.expected
            if not expected or expected.min <= 0 then
                return nil
            end
            widest = math.max(widest, (expected.max - expected.min) / expected.value)
            farthest = math.max(farthest, math.abs(sample.measured / expected.value - 1))
        end
    end
    return widest, farthest
end

-- Events of the metric's formula, except fixed ones.
local function events_of(group, metric)
    local events, seen = {}, {}
    for _, event in ipairs(group_file.events_of(group, metric)) do
        if not event.counter:find "^FIXC" and not seen[event.event] then
            seen[event.event] = true
            events[#events + 1] = event.event
        end
    end
    return events
end

-- Completes a row: sets `events`, and `counter`, the first counter in the group's file that counts the first event.
function series.complete(row, group)
    row.events = row.events or events_of(group, group_file.metric(group, row.metric))
    for _, event in ipairs(group.events) do
        if event.event == row.events[1] then
            row.counter = row.counter or event.counter
        end
    end
end

-- Rows from the record of a clean run.
function series.made(record)
    local rows, best = {}, {}
    for _, entry in ipairs(record.metrics) do
        local width, off
        if entry.class == "exact" and JUDGED[entry.kind] then
            width, off = freedom(record, entry)
        end
        local key = width and ("%s\t%s\t%s"):format(entry.pattern, entry.group, entry.metric)
        if key and (not best[key] or width < best[key].width) then
            if not best[key] then
                rows[#rows + 1] = {}
                best[key] = { row = rows[#rows] }
            end
            local row = best[key].row
            best[key].width = width
            row.pattern, row.only, row.level, row.placement = entry.pattern, entry.code, entry.level, entry.placement
            row.group, row.metric = entry.group, entry.metric
            row.faults = width <= FREEDOM and off <= NEAR and SEEN_IF_NARROW or SEEN_ANYWAY
            row.quick = #rows == 1
        end
    end
    return rows
end

return series
