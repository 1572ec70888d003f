-- record.lua - sections of the report page on a record's origin: failures, node, commands.
-- SPDX-License-Identifier: GPL-3.0-or-later
local html = require "report.page.html"
local lists = require "input.lists"
local matrix = require "report.matrix"
local shell = require "report.text.shell"
local vocabulary = require "judge.vocabulary"

local html_record = {}

local add, escape = html.add, html.escape

function html_record.add_failures(lines, failures)
    add(lines, '<section id="failures"><h2>Failures</h2>')
    if #failures == 0 then
        add(lines, "<p>No run failed.</p></section>")
        return
    end
    for _, failure in ipairs(failures) do
        add(lines, '<details open><summary>status %s: <code>%s</code></summary><pre>%s</pre></details>', escape(tostring(failure.status)),
            escape(failure.command or "?"), escape(failure.stderr_tail or "no message"))
    end
    add(lines, "</section>")
end

-- Nested tables become rows "outer.inner".
local function add_facts(lines, value, prefix)
    for _, name in ipairs(lists.sorted(value, function(a, b) return tostring(a) < tostring(b) end)) do
        local title = prefix .. tostring(name)
        if type(value[name]) == "table" then
            add_facts(lines, value[name], title .. ".")
        else
            add(lines, '<tr><th scope="row">%s</th><td>%s</td></tr>', escape(title), escape(tostring(value[name])))
        end
    end
end

local function add_crossed(lines, crossed)
    local titles = lists.map(crossed.titles, function(title, i) return (i == 1 and "#" or i > 2 and ">" or "") .. title end)
    html.add_table(lines, ('<div class="scroll"><table class="plain"><caption>%s</caption>'):format(escape(crossed.legend)), titles,
        crossed.rows, "</div>")
end

-- Adds the confusion matrix, if the record has one.
function html_record.add_matrix(lines, record)
    local found = matrix.describe(record)
    if not found then
        return
    end
    add(lines, '<section id="matrix"><h2>Controls against signatures</h2>')
    add_crossed(lines, found)
    html.add_list(lines, found.notes)
    add(lines, "<h3>Wrong counters against diagnoses</h3>")
    add_crossed(lines, found.flips)
    add(lines, "</section>")
end

-- Sections shown elsewhere on the page, and samples, which would be too long.
local SECTIONS = { command = true, node = true, metrics = true, samples = true, failures = true, faults = true, blame = true,
    findings = true, unjudged = true, counts = true, matrix = true,
    curves = true, values = true, system = true, regions = true, runs = true, witness = true, messages = true, hierarchy = true }

function html_record.add_node(lines, record)
    add(lines, '<section id="node"><h2>Node and environment</h2><table class="plain facts"><tbody>')
    add_facts(lines, record.node, "")
    add(lines, '</tbody></table><h3>The record</h3><table class="plain facts"><tbody>')
    local rest = {}
    for _, name in ipairs { "samples", "metrics", "curves", "runs" } do
        rest[name] = record[name] and #record[name]
    end
    for name, value in pairs(record) do
        if not SECTIONS[name] then
            rest[name] = value
        end
    end
    add_facts(lines, rest, "")
    add(lines, "</tbody></table></section>")
end

local function quoted(words)
    return lists.join(words, " ", function(word) return shell.quote(word) end)
end
html_record.quoted = quoted

-- The command that made the record; if the record has none, a command that makes a similar one.
local function validate_command(record)
    if record.command then
        return quoted(record.command)
    end
    local node = record.node
    if node.kind == "historical" then
        return "assay historical TABLE --out DIR"
    end
    local repetitions = lists.most(record.samples, 1, function(sample) return sample.rep or 1 end)
    local patterns = quoted(vocabulary.values(record.metrics, "pattern"))
    local where = node.kind == "virtual" and "virtual:" .. (node.name or "") or "native"
    return ("assay validate %s --node %s --reps %d --out new.json"):format(patterns, shell.quote(where), repetitions)
end

local function commands(record, file)
    local name = file and shell.quote(file) or "RECORD"
    return {
        validate_command(record),
        ("assay show %s --all"):format(name),
        ("assay report %s --html report.html"):format(name),
        ("assay groups --record %s"):format(name),
    }
end

-- Adds commands to copy, with a line about each.
function html_record.add_command_list(lines, about, list)
    add(lines, '<section id="commands"><h2>Commands</h2><p>%s:</p><pre>', about)
    lines[#lines] = lines[#lines] .. escape(table.concat(list, "\n")) .. "</pre></section>"
end

function html_record.add_commands(lines, record, file)
    html_record.add_command_list(lines, "Measure again, see the table, make this page, take the groups", commands(record, file))
end

return html_record
