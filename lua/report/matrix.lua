-- matrix.lua - a record's confusion matrix, and the effect of wrong counters on it, as rows of texts for every report.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- matrix.describe(record) -> nil for a record without a matrix, else
--   { titles =, rows = }     a row for each control of each pattern, a column for each signature; patterns with signatures are numbered
--   legend                   meaning of the cells
--   notes                    array of texts: findings, declared cases that were not seen, signatures that cannot give an answer here
--   flips = { titles =, rows =, legend = }   a row for each event of each signature
local lists = require "input.lists"

local matrix = {}

local SIGN = { present = "+", absent = "-" }
local FINDINGS = { ["not told"] = true, undeclared = true }
local LEGEND = "% of a control's regions (+ with the pattern, - without) that a signature calls present; . absent in all; ? no answer "
    .. "for some; (n) declared; n! finding"
local FLIPS_LEGEND = "an event's counts multiplied by each factor, in regions with a right answer: . all still right; ? no answer for "
    .. "some; ! some wrong. not right: the factors below and above 1, nearest to it, at which some are no longer right; wrong: at which "
    .. "some are wrong"

local function text_of(cell)
    local percent = ("%.0f"):format(100 * cell.rate)
    if FINDINGS[cell.word] then
        return percent .. "!"
    elseif cell.word == "told" then
        return percent
    elseif cell.word == "declared" then
        return "(" .. percent .. ")"
    end
    return cell.cannot_say > 0 and "?" or "."
end

local function describe_cell(cell)
    return ("%d of %d regions are called present (%.2f to %.2f), for %d there is no answer"):format(cell.present, cell.n, cell.low,
        cell.high, cell.cannot_say)
end

local function note_of(cell)
    local of = ("%s %s"):format(cell.pattern, cell.control)
    if cell.word == "undeclared" then
        return ("finding: %s is seen in %s, undeclared: %s"):format(cell.signature, of, describe_cell(cell))
    elseif cell.word == "not told" then
        return ("finding: %s is not recognised by its signature: %s"):format(of, describe_cell(cell))
    elseif cell.word == "declared" then
        return ("declared: %s is seen in %s: %s"):format(cell.signature, of, cell.declared)
    elseif cell.word == "never seen" then
        return ("declared, but not seen here: %s in %s: %s"):format(cell.signature, of, cell.declared)
    elseif cell.held_out and cell.held_out.told < cell.held_out.n then
        return ("%s: %d of %d regions are recognised with thresholds derived without the region's point"):format(of, cell.held_out.told,
            cell.held_out.n)
    end
    return nil
end

-- A note that two cells share, such as a declaration about both controls, is listed once.
local function list_notes(found)
    local notes = lists.collect(found.signatures, function(one)
        return one.why and ("cannot say here: %s: %s"):format(one.pattern, one.why) or nil
    end)
    lists.append(notes, found.no_signature or {}, function(name) return "no signature: " .. name end) -- absent in older records
    lists.append(notes, found.cells, note_of)
    return lists.distinct(notes)
end

local function list_rows(found)
    local titles, numbers, rows, at = { "", "" }, {}, {}, {}
    for _, one in ipairs(found.signatures) do
        if not one.why then
            titles[#titles + 1] = tostring(#titles - 1)
            numbers[one.pattern] = #titles
        end
    end
    for _, cell in ipairs(found.cells) do
        local key = cell.pattern .. SIGN[cell.control]
        local number = numbers[cell.pattern]
        local name = ("%s %s"):format(number and tostring(number - 2) or " ", cell.pattern)
        lists.bin(at, key, { name, SIGN[cell.control] }, rows)[numbers[cell.signature]] = text_of(cell)
    end
    return titles, lists.map(rows, function(row) return lists.map(titles, function(_, column) return row[column] or "" end) end), numbers
end

-- "0.31 4.2": the factors nearest to 1, down and up.
local function ends_of(found)
    return ("%s %s"):format(found.down and ("%.2g"):format(found.down) or "-", found.up and ("%.3g"):format(found.up) or "-")
end

local function list_flips(found, numbers)
    local titles, rows = { "signature", "event" }, {}
    for number, flip in ipairs(found.flips) do
        rows[number] = { ("%d %s"):format(numbers[flip.signature] - 2, flip.signature), flip.event }
        for index, change in ipairs(flip.changes) do
            titles[index + 2] = change.factor > 0 and ("x%g"):format(change.factor) or "stuck"
            rows[number][index + 2] = change.wrong > 0 and "!" or change.cannot_say > 0 and "?" or "."
        end
        table.move({ ends_of(flip.lost), ends_of(flip.wrong) }, 1, 2, #rows[number] + 1, rows[number])
    end
    table.move({ "not right", "wrong" }, 1, 2, #titles + 1, titles)
    return titles, rows
end

function matrix.describe(record)
    local found = record.matrix
    if not found then
        return nil
    end
    local titles, rows, numbers = list_rows(found)
    local flip_titles, flip_rows = list_flips(found, numbers)
    return { titles = titles, rows = rows, legend = LEGEND, notes = list_notes(found),
        flips = { titles = flip_titles, rows = flip_rows, legend = FLIPS_LEGEND } }
end

return matrix
