-- history.lua - the records of a node over time: software versions, number of metrics per verdict, and drift since the previous record.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- history.render{ records = array of { file =, record = } } -> { text = lines that end with a newline }. Records are in
-- ARCH/NODE/DATE.json; a record of another node than its folder's raises a line that names the file.
local cells = require "report.text.cells"
local diff = require "report.text.diff"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local shell = require "report.text.shell"
local vocabulary = require "judge.vocabulary"

local history = {}

-- is_state: its changes are among those of node_state.
local ENVIRONMENT = {
    { title = "Assay", get = function(record) return record.assay end },
    { title = "LIKWID", is_state = true, get = function(record) return record.node.likwid end },
    { title = "kernel", get = function(record) return record.node.kernel end },
    { title = "microcode", is_state = true, get = function(record) return record.node.microcode end },
    { title = "processor", hidden = true, get = function(record) return record.node.cpu end },
}
local SHORT = { validated = "valid", correctable = "correct", qualitative = "qualit", unresolved = "unres", untested = "untest",
    rejected = "reject", missing = "miss", skipped = "skip" }

local CHANGES = { "worse", "better", "drifted" } -- columns of numbers of changes since the previous record

local function gather(records)
    local nodes = {}
    for _, entry in ipairs(records) do
        local arch, name = entry.file:match "([^/]+)/([^/]+)/[^/]+$"
        local node = entry.record.node
        if arch ~= node.arch or name ~= node.name then
            error(("%s: is of %s/%s; keep records as ARCH/NODE/DATE.json"):format(entry.file, tostring(node.arch), tostring(node.name)), 0)
        end
        local id = ("%s/%s (%s)"):format(arch, name, node.kind)
        lists.push(nodes, id, entry)
    end
    for _, entries in pairs(nodes) do
        table.sort(entries, lists.by(function(entry) return entry.record.started end, "file"))
    end
    return nodes, lists.sorted(nodes)
end

local function day_of(record)
    return record.started:match "^[^T]+" or record.started
end

local function row_of(entry, previous)
    local record = entry.record
    local row = lists.append({ day_of(record) }, ENVIRONMENT, function(field) return not field.hidden and (field.get(record) or "-") end)
    local counts = vocabulary.count(record.metrics, "verdict")
    lists.append(row, vocabulary.VERDICTS, function(verdict) return tostring(counts[verdict] or 0) end)
    local found = previous and diff.compare(previous.record, record).counts
    return lists.append(row, CHANGES, function(key) return found and tostring(found[key]) or "-" end)
end

local function titles()
    local row = lists.append({ "date" }, ENVIRONMENT, function(field) return not field.hidden and field.title end)
    lists.append(row, vocabulary.VERDICTS, function(verdict) return SHORT[verdict] end)
    return lists.append(row, CHANGES)
end

local RIGHT = cells.right(6, 5 + #vocabulary.VERDICTS + #CHANGES) -- columns of numbers, after date and versions

-- Changes of the environment since the previous record, and the command that shows changes of metrics.
local function add_steps(lines, entries)
    for i = 2, #entries do
        local old, new = entries[i - 1], entries[i]
        local parts = lists.collect(ENVIRONMENT, function(field)
            local before, after = field.get(old.record), field.get(new.record)
            return before ~= after and not field.is_state
                and ("%s %s -> %s"):format(field.title, before or "unknown", after or "unknown")
        end)
        local found = diff.compare(old.record, new.record)
        parts[#parts + 1] = node_state.between(old.record.node, new.record.node)
        lists.append(parts, diff.not_compared(found))
        if found.counts.worse > 0 then
            parts[#parts + 1] = ("worse: assay diff %s %s"):format(shell.quote(old.file), shell.quote(new.file))
        end
        if #parts > 0 then
            lines[#lines + 1] = ("  since %s: %s"):format(day_of(new.record), table.concat(parts, "; "))
        end
    end
end

-- See the top of this file.
function history.render(argument)
    local nodes, order = gather(argument.records)
    local lines = {}
    for number, id in ipairs(order) do
        local rows = lists.append({ titles() }, nodes[id], function(entry, i) return row_of(entry, nodes[id][i - 1]) end)
        lines[#lines + 1] = (number > 1 and "\n" or "") .. id
        lists.append(lines, cells.lines(rows, 1, RIGHT, "  "))
        add_steps(lines, nodes[id])
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return history
