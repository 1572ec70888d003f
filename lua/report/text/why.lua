-- why.lua - explains the width of expected intervals: the terms of each expectation, as the model names them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Needs only the record: `expected.terms` of its samples, each { name =, amount = }: the amount in the metric's unit by which
-- hardware may lower or raise the value. Samples that differ only in repetition or thread and have equal expectations share a line.
local cells = require "report.text.cells"
local lists = require "input.lists"
local report = require "report.text.report"
local vocabulary = require "judge.vocabulary"

local why = {}

local WIDTH = 100
local TITLES = { "point", "expected", "from", "to", "terms" }
local RIGHT = { [2] = true, [3] = true, [4] = true }

-- An amount in % of the nominal value, or in the metric's unit if that is 0.
local function relative(amount, expected, unit)
    if expected.value > 0 then
        return report.percent(100 * amount / expected.value) .. " %"
    end
    return (amount > 0 and "+" or "") .. report.amount(amount, unit)
end

-- "begin -1.2 %, end -0.6 %"; a repeated name is printed once with all its amounts.
local function terms_text(expected, unit)
    if expected.min == expected.max then
        return "exact"
    elseif not expected.terms or #expected.terms == 0 then
        return "the model does not say"
    end
    return lists.join(lists.group(expected.terms, "name"), ", ", function(terms)
        local amounts = lists.map(terms, function(term) return relative(term.amount, expected, unit) end)
        return ("%s %s"):format(terms[1].name, table.concat(lists.distinct(amounts), " "))
    end)
end

local function block_of(sample)
    return lists.join({ ("%s: %s of %s"):format(sample.pattern or "-", sample.metric, sample.group), sample.code or false,
        sample.level and "data in " .. sample.level or false, "on " .. (sample.placement or "-") }, ", ", function(part) return part end)
end

local function row_of(sample)
    local expected = sample.expected
    return { sample.point, report.amount(expected.value, sample.unit), relative(expected.min - expected.value, expected, sample.unit),
        relative(expected.max - expected.value, expected, sample.unit), terms_text(expected, sample.unit) }
end

-- Blocks of rows { title =, rows = } in the order of their first samples.
local function gather(samples, metric)
    local blocks, seen = {}, {}
    for _, sample in ipairs(samples) do
        if sample.metric == metric and sample.expected then
            local title, row = block_of(sample), row_of(sample)
            local block = lists.bin(seen, title, { title = title, rows = {} }, blocks)
            lists.bin(block, table.concat(row, "\t"), row, block.rows)
        end
    end
    return blocks
end

-- { record =, metric = its name, width = columns|nil } -> { text = lines that end with a newline }, or an error line.
function why.render(argument)
    local blocks = gather(argument.record.samples, argument.metric)
    if #blocks == 0 then
        local known = vocabulary.values(argument.record.samples, "metric")
        error(#known == 0 and "the record has no samples, and so no expectations; name one that assay compact did not make"
            or ("no sample of '%s' has an expectation; the record's metrics are %s"):format(argument.metric, table.concat(known, "; ")), 0)
    end
    local widths = cells.widths(lists.append({ TITLES }, lists.flat(blocks, "rows")))
    local lines = { cells.line(TITLES, widths, 2, RIGHT) }
    for _, block in ipairs(blocks) do
        lists.append(lines, { "", block.title })
        lists.append(lines, block.rows, function(row)
            return cells.cut(cells.line(row, widths, 2, RIGHT), argument.width or WIDTH, "...")
        end)
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return why
