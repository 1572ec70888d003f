-- architecture.lua - an architecture's page: the quantities of all patterns with the groups that show them, and the table of all
-- architectures.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   architecture.known{ machine =, groups = by name, vendor = (vendor.by_event) |nil, records = (one of each node, all native or
--                       all virtual), patterns = array of schema.pattern results } -> what both pages show
--   architecture.page(known) -> the page, Markdown
--   architecture.table(array of known) -> the page with a row per quantity and a column per architecture
-- A quantity's verdict is that of the records' metrics: all nodes, placements and codes of the pattern together.
local events = require "report.wiki.events"
local lists = require "input.lists"
local overview = require "plan.overview"
local quantity = require "plan.quantity"
local text = require "report.wiki.text"
local vendor = require "input.vendor"
local vocabulary = require "judge.vocabulary"

local architecture = {}

-- Verdicts of a record's metrics that are one of `shown`: "validated", "11 validated, 1 correctable"; nil without any. A metric
-- that its code does not test says nothing if other codes test it.
local function verdict_of(metrics, shown)
    local own = lists.filter(metrics or {}, function(metric)
        return lists.any(shown, function(one)
            return metric.group == one.group and vocabulary.in_group(metric.metric or "") == vocabulary.in_group(one.metric)
        end)
    end)
    local tested = lists.filter(own, function(metric) return metric.verdict ~= "untested" end)
    local counts = vocabulary.count(#tested > 0 and tested or own, "verdict")
    local verdicts = lists.sorted(counts)
    return #verdicts == 1 and verdicts[1] or #own > 0 and vocabulary.tally(counts, vocabulary.VERDICTS, "%d %s") or nil
end

-- The states of the vendor check for a metric's events, each once; "same" if all are; nil without a table of the vendor.
local function vendor_of(known, one)
    local rows = vendor.of_metric(known.vendor, known.groups[one.group], vocabulary.in_group(one.metric))
    return rows and (#rows == 0 and "same" or table.concat(vocabulary.values(rows, "state"), ", ")), rows
end

local function describe(known, metrics, one)
    local _, names = events.of_metric(known.groups[one.group], one.metric, known.machine)
    local state, rows = vendor_of(known, one)
    return { one = one, events = names, vendor = state, others = rows, verdict = verdict_of(metrics, { one }) }
end

function architecture.known(given)
    local all = quantity.all(given.machine, given.groups)
    local _, metrics = lists.group(lists.flat(given.records, "metrics"), "pattern")
    given.kind = given.records[1] and given.records[1].node.kind
    given.shown = lists.map(given.patterns, function(pattern)
        local own = metrics[pattern.name]
        local own_quantities = overview.quantities(pattern, given.machine, given.groups, all)
        return { pattern = pattern, quantities = lists.map(own_quantities, function(named)
            return { name = named.name, reason = named.reason,
                shown = lists.map(named.shown, function(one) return describe(given, own, one) end),
                verdict = #named.shown > 0 and (verdict_of(own, named.shown) or given.kind and "not measured" or "group") or nil }
        end) }
    end)
    given.stage = given.kind == "native" and "silicon" or given.machine.processor and "virtual" or "native"
    return given
end

local function percent(one)
    local virtual = one.virtual_pct ~= one.tolerance_pct and (" (%g)"):format(one.virtual_pct) or ""
    return ("%g%s"):format(one.tolerance_pct, virtual)
end

local function row_of(named)
    local one = named.one
    local unit = one.unit and (" [%s]"):format(text.escape(one.unit)) or ""
    return { text.escape(one.name), text.code(one.group), text.escape(one.metric) .. unit, lists.join(named.events, ", ", text.code),
        named.vendor, percent(one), named.verdict }
end

local COLUMNS = { "quantity", "group", "metric", "events", "vendor check", ">tolerance % (virtual node)", "verdict" }

-- A line per item, and a blank line after the last.
local function add_lines(lines, items, what)
    local count = #lines
    lists.append(lines, items, what)
    lines[#lines + 1] = #lines > count and "" or nil
end

local function add_pattern(lines, of)
    text.add(lines, "### [%s](../patterns/%s.md)", text.escape(of.pattern.title), of.pattern.name)
    text.add_table(lines, COLUMNS, lists.map(lists.flat(of.quantities, "shown"), row_of))
    add_lines(lines, of.quantities, function(named) return named.reason and "- Not counted: " .. text.escape(named.reason) .. "." end)
end

local function add_vendor(lines, shown)
    local others = lists.group(lists.flat(shown, "others"), "event") -- each event once
    if #others == 0 then
        return
    end
    text.add(lines, "## Vendor check")
    text.add(lines, "These events are not as in the vendor's list (`assay list events`):")
    add_lines(lines, others, function(same)
        local row = same[1]
        local where = row.state == "LIKWID only" and "not in the vendor's list" or row.consequence or row.state
        return ("- %s: %s"):format(text.code(row.event), text.escape(where))
    end)
end

local function add_errata(lines, machine, shown)
    local known = lists.set(lists.flat(shown, function(named) return named.one.errata end))
    text.add(lines, "## Errata")
    if next(known) == nil then
        text.add(lines, "No erratum of these events is known.")
    end
    add_lines(lines, machine.errata, function(erratum)
        return known[erratum.id] and ("- **%s**: %s"):format(text.escape(erratum.id), text.escape(erratum.about))
    end)
end

local function evidence_of(known)
    if not known.kind then
        return "No record of a node of this architecture is committed, so there are no verdicts."
    end
    return ("Verdicts are those of the newest records of %s nodes: %s."):format(known.kind, lists.join(known.records, ", ",
        function(record) return ("%s (%s)"):format(text.code(record.node.name), record.started:sub(1, 10)) end))
end

function architecture.page(known)
    local machine, lines = known.machine, {}
    local shown = lists.flat(lists.flat(known.shown, "quantities"), "shown")
    text.add(lines, "<!-- Made by `make pages` from groups/%s/, patterns/ and results/: change these. -->", machine.arch)
    text.add(lines, "# %s", text.escape(machine.title))
    text.add(lines, "LIKWID calls it %s; its [stage](../../CONTRIBUTING.md#add-an-architecture) is %s. %s", text.code(machine.arch),
        known.stage, evidence_of(known))
    text.add(lines, "## Quantities of the patterns")
    for _, of in ipairs(known.shown) do
        add_pattern(lines, of)
    end
    text.add(lines, "## Groups")
    for _, name in ipairs(lists.sorted(lists.set(shown, function(named) return named.one.group end))) do
        local group = known.groups[name]
        text.add(lines, "**%s**, %s. %s", name, text.escape(group.short), text.escape(group.long or ""))
    end
    add_vendor(lines, shown)
    add_errata(lines, machine, shown)
    return (table.concat(lines, "\n"):gsub("\n+$", "\n"))
end

local function cell(of, name)
    local named = lists.find(of.quantities, function(one) return one.name == name end)
    return not named and "-" or named.verdict or "no group"
end

function architecture.table(all)
    local lines, rows = {}, {}
    for index, of in ipairs(all[1].shown) do
        local names = vocabulary.values(lists.flat(all, function(known) return known.shown[index].quantities end), "name")
        for i, name in ipairs(names) do
            local row = { i == 1 and ("[%s](../patterns/%s.md)"):format(text.escape(of.pattern.title), of.pattern.name) or " ",
                text.escape(name) }
            rows[#rows + 1] = lists.append(row, all, function(known) return cell(known.shown[index], name) end)
        end
    end
    text.add(lines, "<!-- Made by `make pages` from groups/, patterns/ and results/: change these. -->")
    text.add(lines, "# What each architecture counts")
    text.add(lines, "A row per quantity of a pattern, a column per architecture, whose page names groups, metrics and events. A cell is "
        .. "the verdict of the newest records in results/. *group*: a group shows it, but no record is committed. *not measured*: the "
        .. "records' nodes could not measure it. *no group*: no group shows it; the architecture's page says why. -: the pattern does not "
        .. "need it there, as other quantities take its place. Verdicts of virtual nodes say nothing about silicon.")
    text.add_table(lines, lists.append({ "pattern", "quantity" }, all, function(known)
        return ("[%s](%s.md)"):format(known.machine.arch, known.machine.arch)
    end), rows)
    text.add_table(lines, { "architecture", "processor", "stage", "verdicts of" }, lists.map(all, function(known)
        local nodes = lists.join(known.records, ", ", function(record) return record.node.name end)
        return { text.code(known.machine.arch), text.escape(known.machine.title), known.stage,
            known.kind and ("%s (%s)"):format(nodes, known.kind) }
    end))
    return (table.concat(lines, "\n"):gsub("\n+$", "\n"))
end

return architecture
