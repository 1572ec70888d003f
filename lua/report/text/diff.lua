-- diff.lua - what changed between two records: per metric class, verdict, largest error and factor.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   diff.compare(old, new) -> { changes = array of change, counts = { worse =, laxer =, better =, drifted =, new =, same = },
--     apart = { [reason] = number of metrics that are not compared, because the nodes' states differ (judge/node_state.lua) } }
--     change  { metric = the metric (of the record that has it), rank = "worse"|"laxer"|"better"|"drifted"|"new", rows = array of
--               { what =, old = text, new = text } }
--   diff.render{ old =, new = records, old_file =, new_file =, width = columns|nil, colour = bool|nil } -> { text =, worse = count of
--     worse and laxer }
-- Worse: a class or a verdict further down its list; a skipped or vanished metric counts as last, because nothing is known of it. Laxer:
-- judged less strictly (strictness.lua), or left unjudged by the newer record's groups. Drifted: the largest error or a factor moves by
-- more than a tenth of the tolerance.
local counted = require "report.counted"
local faults = require "report.faults"
local cells = require "report.text.cells"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local strictness = require "report.text.strictness"
local report = require "report.text.report"
local vocabulary = require "judge.vocabulary"

local diff = {}

local WIDTH, GAP = 100, 2
local NOTICED = 0.1 -- of the tolerance
local RANKS = { "worse", "laxer", "better", "drifted", "new" }
local COLOURS = { worse = 31, laxer = 31, better = 32, drifted = 33, new = 36 }

local GROUP_METRIC = { "group", "metric" }

local function by_identity(metrics)
    local function identity(metric) return vocabulary.identity(metric) end
    return lists.index(metrics, identity), lists.distinct(lists.map(metrics, identity))
end

local function worst_error(metric)
    local found = metric.error_pct or metric.residue_pct
    return found and math.max(math.abs(found.min), math.abs(found.max))
end

local function factor(metric)
    if metric.correction then
        return metric.correction.factor
    end
    return metric.class == "exact" and 1 or nil
end

local function add_row(change, what, old, new)
    change.rows[#change.rows + 1] = { what = what, old = old, new = new }
end

-- Adds a change of class or verdict; a change that is "worse" stays so.
local function compare_word(change, what, order, old, new)
    if old == new then
        return
    end
    add_row(change, what, old or "-", new or "-")
    local before, after = order[old], order[new]
    if before and after then
        local rank = after > before and "worse" or "better"
        change.rank = change.rank == "worse" and "worse" or rank
    end
end

local function compare_number(change, what, limit, old, new, format)
    local moved = (old == nil) ~= (new == nil) or old and math.abs(new - old) > limit
    if moved then
        add_row(change, what, old and format(old) or "-", new and format(new) or "-")
        change.rank = change.rank or "drifted"
    end
end

local function percent(value)
    return report.percent(value):gsub("^%+", "") .. " %"
end

local function plain(value)
    return ("%.4g"):format(value)
end

local function compare_metric(old, new, old_width, new_width)
    local change = { metric = new, rows = {} }
    local limit = NOTICED * (new.tolerance_pct or old.tolerance_pct or 0)
    compare_word(change, "verdict", vocabulary.VERDICT_RANK, old.verdict, new.verdict)
    if old.class and new.class then
        compare_word(change, "class", vocabulary.CLASS_RANK, old.class, new.class)
    end
    if old.n ~= 0 and new.n ~= 0 then
        compare_number(change, "max error", limit, worst_error(old), worst_error(new), percent)
        compare_number(change, "factor", limit / 100, factor(old), factor(new), plain)
        for _, row in ipairs(strictness.rows(old, new, old_width, new_width)) do
            add_row(change, row.what, row.old, row.new)
            change.rank = change.rank == "worse" and "worse" or "laxer"
        end
    end
    return change
end

-- Metrics that had a verdict in the older record and are listed as unjudged in the newer one, by group and metric.
local function newly_unjudged(old_record, new_record)
    local had_verdict = {}
    for _, metric in ipairs(old_record.metrics) do
        had_verdict[vocabulary.identity(metric, GROUP_METRIC)] = metric.verdict ~= "skipped" and metric.verdict or nil
    end
    return lists.collect(new_record.unjudged or {}, function(one)
        local verdict = not one.with and had_verdict[vocabulary.identity(one, GROUP_METRIC)]
        return verdict and { metric = { group = one.group, metric = one.metric }, rank = "laxer",
            rows = { { what = "verdict", old = verdict, new = "not judged: " .. one.reason } } }
    end)
end

local function check(argument)
    for _, which in ipairs { "kind", "arch" } do
        local old, new = argument.old.node[which], argument.new.node[which]
        if old ~= new then
            error(("%s is of %s, %s of %s: they are not comparable; name two records of the same kind and architecture"):format(
                argument.old_file, tostring(old), argument.new_file, tostring(new)), 0)
        end
    end
end

function diff.compare(old_record, new_record)
    local old, old_order = by_identity(old_record.metrics)
    local new, new_order = by_identity(new_record.metrics)
    local old_widths = strictness.widths(old_record, vocabulary.identity)
    local new_widths = strictness.widths(new_record, vocabulary.identity)
    local result = { counts = { worse = 0, laxer = 0, better = 0, drifted = 0, new = 0, same = 0 }, apart = {} }
    local compared = lists.collect(old_order, function(key)
        local reason = new[key] and node_state.difference(old_record.node, new_record.node, new[key])
        if reason then
            result.apart[reason] = (result.apart[reason] or 0) + 1
            return nil
        elseif new[key] then
            return compare_metric(old[key], new[key], old_widths[key], new_widths[key])
        end
        local was = old[key]
        return { metric = was, rank = was.verdict == "skipped" and "drifted" or "worse",
            rows = { { what = "verdict", old = was.verdict, new = "gone" } } }
    end)
    lists.append(compared, newly_unjudged(old_record, new_record))
    lists.append(compared, new_order, function(key)
        return not old[key] and { metric = new[key], rank = "new", rows = { { what = "verdict", old = "-", new = new[key].verdict } } }
    end)
    for _, change in ipairs(compared) do
        result.counts[change.rank or "same"] = result.counts[change.rank or "same"] + 1
    end
    result.changes = lists.filter(compared, "rank")
    return result
end

-- A line for each reason why metrics are not compared.
function diff.not_compared(found)
    return lists.map(lists.sorted(found.apart), function(reason) return ("%d not compared: %s"):format(found.apart[reason], reason) end)
end

-- File and node, on two lines if one would be wider than the terminal.
local function header(mark, file, record, width)
    local node = record.node
    local parts = { node.kind .. " node " .. tostring(node.name), record.started, "Assay " .. record.assay }
    parts[#parts + 1] = counted(node)
    local injected = faults(record)
    parts[#parts + 1] = #injected > 0 and ("%d injected faults"):format(#injected) or nil
    local what = table.concat(parts, ", ")
    local gap = #mark + #file + #what + 3 <= width and " " or "\n" .. (" "):rep(#mark + 1)
    return ("%s %s:%s%s"):format(mark, file, gap, what)
end

-- Rows of cells: rank, code, where, metric, what, "old -> new"; cells that repeat the row above are blank.
local function make_rows(changes)
    local _, by_rank = lists.group(changes, "rank")
    return lists.flat(lists.flat(RANKS, function(rank) return by_rank[rank] end), function(change)
        local metric, rank = change.metric, change.rank
        local where = table.concat({ metric.level or "", metric.placement or "" }, " "):match "^%s*(.-)%s*$"
        return lists.map(change.rows, function(row, i)
            local names = i == 1 and { rank, metric.code or "all", where, metric.metric or "all" } or { "", "", "", "" }
            return { rank = rank, pattern = metric.pattern or "-", names[1], names[2], names[3], names[4], row.what,
                ("%s -> %s"):format(row.old, row.new) }
        end)
    end)
end

local METRIC, CODE = 4, 2 -- columns that are narrowed if a row is wider than the terminal

local function add_rows(lines, rows, width, colour)
    local widths, pattern = cells.widths(rows), nil
    cells.shrink(widths, { METRIC, CODE }, GAP, width)
    for _, row in ipairs(rows) do
        if row.pattern ~= pattern then
            pattern = row.pattern
            lists.append(lines, { "", pattern })
        end
        local line = cells.line(row, widths, GAP)
        if colour and row[1] ~= "" then
            line = ("\27[%dm%s\27[0m%s"):format(COLOURS[row.rank], line:sub(1, widths[1]), line:sub(widths[1] + 1))
        end
        lines[#lines + 1] = line
    end
    if #rows > 0 then
        lines[#lines + 1] = ""
    end
end

-- See the top of this file.
function diff.render(argument)
    check(argument)
    local found = diff.compare(argument.old, argument.new)
    local counts = found.counts
    local width = argument.width or WIDTH
    local lines = {
        header("---", argument.old_file, argument.old, width),
        header("+++", argument.new_file, argument.new, width),
    }
    add_rows(lines, make_rows(found.changes), width, argument.colour)
    lines[#lines + 1] = ("%d worse, %d better, %d drifted, %d new, %d as before"):format(counts.worse, counts.better, counts.drifted,
        counts.new, counts.same)
    lines[#lines + 1] = node_state.between(argument.old.node, argument.new.node)
    lists.append(lines, diff.not_compared(found))
    if counts.laxer > 0 then
        lines[#lines + 1] = ("%d judged less strictly: what %s would have noticed there may pass in %s"):format(counts.laxer,
            argument.old_file, argument.new_file)
    end
    return { text = table.concat(lines, "\n") .. "\n", worse = counts.worse + counts.laxer }
end

return diff
