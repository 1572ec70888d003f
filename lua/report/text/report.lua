-- report.lua - a record as text: node, blame, one row per metric, skipped metrics, failures.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Needs only the record. By default it shows counts, ratios and total volumes (load and evict volumes if the group has no total);
-- with all = true every metric.
local amounts = require "input.bytes"
local causes = require "report.text.causes"
local cells = require "report.text.cells"
local counted = require "report.counted"
local faults = require "report.faults"
local lists = require "input.lists"
local matrix = require "report.text.matrix"
local node_state = require "judge.node_state"
local published = require "report.published"
local repetitions = require "report.text.repetitions"
local resolution = require "judge.resolution"
local stand_in = require "report.stand_in"
local summaries = require "report.summaries"
local threshold = require "report.threshold"
local totals = require "report.totals"
local unjudged = require "report.unjudged"
local vendor = require "input.vendor"
local vocabulary = require "judge.vocabulary"

local report = {}

local WIDTH = 100
local PREFIXES = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } }

-- Three significant digits, without an exponent below a million.
local function three_digits(value)
    local magnitude = math.abs(value)
    if magnitude >= 999.5 and magnitude < 1e6 then
        return ("%.0f"):format(value)
    end
    return ("%.3g"):format(value)
end

-- "1.23 GB", "4.56 MB/s"; other units stay unchanged. "-" for an absent value.
function report.amount(value, unit)
    if value == nil then
        return "-"
    end
    local bytes = amounts.of(unit)
    if not bytes then
        return three_digits(value) .. (unit and " " .. unit or "")
    end
    local suffix = unit:find("/s", 1, true) and "B/s" or "B"
    local amount = value * bytes
    for _, prefix in ipairs(PREFIXES) do
        if math.abs(amount) >= prefix[1] * 0.9995 then
            return three_digits(amount / prefix[1]) .. " " .. prefix[2] .. suffix
        end
    end
    return three_digits(amount) .. " " .. suffix
end

local NOTHING = 1e-9 -- %, far below one count of any sample: rounding error

-- Error in %, three significant digits with a sign; a rounding error is shown as 0.
function report.percent(value)
    if value == nil then
        return "-"
    end
    value = math.abs(value) < NOTHING and 0 or value
    return (value > 0 and "+" or "") .. three_digits(value)
end

-- The smallest detectable error in %; "none" if no wrong factor would be detected, "-" if the metric is not exact.
function report.resolution(found)
    local percent = resolution.percent(found)
    return percent and report.percent(percent):gsub("^%+", "") or found and "none" or "-"
end

-- An amount in the table: bytes with a prefix; other units are in the block's title to keep columns narrow.
local function cell(value, unit)
    return report.amount(value, amounts.of(unit) and unit)
end

-- "to 0.2 %": the error that repetitions leave possible, for a metric that is validated in spite of noise; nil for other metrics.
function report.exactness(metric)
    return metric.verdict == "validated" and metric.noise and ("to %.2g %%"):format(metric.noise.exact_pct) or nil
end

-- The verdict, followed by that error if there is one: "validated to 0.2 %".
function report.verdict(metric)
    local exactness = report.exactness(metric)
    return exactness and metric.verdict .. " " .. exactness or metric.verdict
end

local CODE = 1 -- the column that is narrowed if a row is wider than the terminal
local COLUMNS = {
    { title = "code", value = function(m) return m.code or "all" end },
    { title = "expected", right = true, value = function(m) return cell(m.expected and m.expected.mean, m.unit) end },
    { title = "measured", right = true, value = function(m) return cell(m.measured and m.measured.mean, m.unit) end },
    { title = "min %", right = true, value = function(m) return report.percent(m.error_pct and m.error_pct.min) end },
    { title = "avg %", right = true, value = function(m) return report.percent(m.error_pct and m.error_pct.avg) end },
    { title = "max %", right = true, value = function(m) return report.percent(m.error_pct and m.error_pct.max) end },
    { title = "detects %", right = true, value = function(m) return (report.resolution(m.resolution)) end },
    { title = "class", value = function(m) return m.class or "-" end },
    { title = "verdict", value = report.verdict },
}

-- ANSI colours: green, yellow, red.
local COLOURS = { validated = 32, correctable = 33, qualitative = 33, unresolved = 33, untested = 33, rejected = 31, missing = 31 }
local SELF_EXPLANATORY = { validated = true, untested = true }

local function first_line(record)
    local node = record.node
    if node.kind == "virtual" then
        return ("virtual node %s: not evidence about silicon"):format(node.name)
    end
    if node.kind == "historical" then
        return ("historical node %s: not measured by Assay; %s"):format(node.name, published(record))
    end
    return ("native node %s: measured on its own counters"):format(node.name)
end

local function second_line(record)
    local node = record.node
    local shown = lists.collect({ node.arch or false, node.cpu or false, counted(node) or false, record.started },
        function(part) return part end)
    local injected = faults(record)
    shown[#shown + 1] = node.noise and ("noise: %s"):format(node.noise)
    shown[#shown + 1] = #injected > 0 and ("%d injected faults"):format(#injected) or nil
    return table.concat(shown, ", ")
end

-- The metrics that the table shows, and whether they include load or evict halves without their total.
local function choose(metrics, all)
    local total = totals.of(metrics)
    local shown = lists.filter(metrics, function(metric)
        local is_volume = metric.kind == "volume" and not total.is_half(metric)
        return metric.metric ~= nil and (all or metric.kind == "count" or metric.kind == "ratio" or is_volume)
    end)
    return shown, lists.any(shown, function(metric) return totals.HALVES[metric.direction] end)
end

-- If the table shows times of a virtual node: adds the note that they follow its own clock model.
local function add_time(lines, record, shown)
    if record.node.kind == "virtual" and lists.any(shown, node_state.is_of_time) then
        lines[#lines + 1] = "bandwidths and CPI follow the virtual node's own time, not a processor's: see TIME in assay(1)"
    end
end

-- Title of a block: what its rows have in common.
function report.block_of(metric)
    local data = metric.level and (", data in %s"):format(metric.level) or ""
    return ("%s: %s%s, on %s"):format(metric.pattern or "-", metric.metric, data, metric.placement or "-")
end

-- The title with the unit, which the cells omit.
local function titled(metric)
    local unit = metric.unit and not amounts.of(metric.unit) and (", in %s"):format(metric.unit) or ""
    return report.block_of(metric) .. unit
end

-- Rows block by block, in the order of first appearance.
local function make_rows(metrics)
    local blocks = {}
    for _, metric in ipairs(metrics) do
        local row = lists.map(COLUMNS, function(column) return column.value(metric) end)
        row.block = titled(metric)
        local block = lists.bin(blocks, row.block, {}, blocks)
        block.errata = block.errata or #(metric.errata or {}) > 0 and table.concat(metric.errata, ", ") or nil
        block.vendor = block.vendor or vendor.words(metric.vendor or {})
        row.of = block
        block[#block + 1] = row
    end
    return lists.flat(blocks)
end

-- Colours the verdict at the end of the line.
local function coloured(line, text)
    local start, colour = #line - #text, COLOURS[text:match "^%a+"]
    return colour and ("%s\27[%dm%s\27[0m"):format(line:sub(1, start), colour, line:sub(start + 1)) or line
end

local function add_rows(lines, shown, argument, width)
    local rows = make_rows(shown)
    if #rows == 0 then
        lines[#lines + 1] = "no metric to show"
        return
    end
    local titles, right = lists.map(COLUMNS, "title"), lists.map(COLUMNS, "right")
    local widths = cells.widths { titles, table.unpack(rows) }
    local gap = cells.sum(widths, 2) <= width and 2 or 1
    cells.shrink(widths, { CODE }, gap, width)
    lines[#lines + 1] = cells.line(titles, widths, gap, right)
    local block
    for _, row in ipairs(rows) do
        if block ~= row.block then
            block = row.block
            lists.append(lines, { "", block .. (row.of.errata and ", erratum " .. row.of.errata or "") .. row.of.vendor })
        end
        if cells.width(row[CODE]) > widths[CODE] then -- show the whole code, because --only needs it
            lines[#lines + 1], row[CODE] = row[CODE], ""
        end
        local line = cells.line(row, widths, gap, right)
        lines[#lines + 1] = argument.colour and coloured(line, row[#COLUMNS]) or line
    end
end

local function reason_of(metric)
    local where = table.concat(lists.collect({ metric.level or metric.pattern or "-", metric.placement or "", metric.metric or "" },
        function(part) return part ~= "" and part end), " ")
    local present = metric.verdict == "qualitative" and threshold(metric, report.amount)
    return ("%s: %s: %s%s"):format(metric.verdict, where, present and "pattern present " .. present .. "; " or "", metric.reason)
end

-- One text per reason, for verdicts that need one.
local function reasons(metrics)
    local told = lists.filter(metrics, function(metric) return metric.reason and not SELF_EXPLANATORY[metric.verdict] end)
    return lists.map(lists.group(told, reason_of), function(alike)
        local text, codes = reason_of(alike[1]), lists.join(alike, " ", "code")
        return codes ~= "" and text .. " [" .. codes .. "]" or text
    end)
end

local function summary(metrics)
    local found = vocabulary.tally(vocabulary.count(metrics, "verdict"), vocabulary.VERDICTS, "%d %s")
    return ("%d metrics: %s%s"):format(#metrics, found ~= "" and found or "none", summaries.over_time(metrics))
end

local function add_failures(lines, failures, width)
    for _, failure in ipairs(failures) do
        lists.append(lines, cells.wrap({ ("failed (status %s): %s"):format(tostring(failure.status), failure.command) }, width))
        local tail = { failure.stderr_tail and failure.stderr_tail:match("([^\n]+)%s*$") }
        lists.append(lines, cells.wrap(tail, width - 4), function(line) return "    " .. line end)
    end
end

-- A line about runs that were disturbed and measured again; nil if there are none.
local function disturbed(record)
    local count = lists.count(record.runs or {}, function(run) return run.again end)
    return count > 0 and ("disturbed: %d of %d runs, measured again"):format(count, #record.runs) or nil
end

-- { record =, width = columns|nil, all = bool|nil, colour = bool|nil } -> { text = lines that end with a newline }.
function report.render(argument)
    local record, width = argument.record, argument.width or WIDTH
    local lines = lists.append({ stand_in(record.node) }, { first_line(record), second_line(record), "" })
    local blamed = causes.lines(record, width)
    lists.append(lines, blamed)
    lines[#lines + 1] = #blamed > 0 and "" or nil
    local all = argument.all or record.node.kind == "historical" -- papers publish rates only
    local shown, has_halves = choose(record.metrics, all)
    add_rows(lines, shown, argument, width)
    lines[#lines + 1] = ""
    lists.append(lines, matrix.lines(record, width))
    lists.append(lines, cells.wrap(reasons(record.metrics), width))
    lists.append(lines, cells.wrap(repetitions.lines(record.metrics, three_digits), width))
    lists.append(lines, cells.wrap(node_state.lines(record), width))
    lines[#lines + 1] = disturbed(record)
    lines[#lines + 1] = summary(record.metrics)
    if not all then
        local what = has_halves and "counts, total volumes, and volumes of groups without a total" or "counts and total volumes"
        lines[#lines] = ("%s (shown: %s)"):format(lines[#lines], what)
    end
    if argument.all then
        lists.append(lines, cells.wrap(unjudged.texts(record), width))
    else
        lines[#lines + 1] = summaries.unjudged(record)
    end
    add_time(lines, record, shown)
    add_failures(lines, record.failures or {}, width)
    return { text = table.concat(lines, "\n") .. "\n" }
end

return report
