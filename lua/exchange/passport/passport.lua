-- passport.lua - all that is known of a group: what it measures, by which events, how it was judged, where it was seen, and its faults.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- passport.make{ arch =, archs = names of all architectures, group = its name, with or without ASSAY_ |nil: all, metric = |nil: all,
--   machine =, groups = by name, patterns =, files = array of { arch =, file =, text = } of the groups, records = array of { file =,
--   record = } of the architecture, codes =, events = texts of pmu.vendor and pmu.events |nil, assay =,
--   likwid = array of { file =, text = } of LIKWID's own groups, of which those that Assay has no group for have a passport, too,
--   findings = of lint/lint.lua in all these files, unlisted = true: without LIKWID's event table, fixes = text for input/fixes.lua,
--   style = of an HTML page |nil: plain text }
--   -> { passports = array of passport, text = }
-- A name that does not exist raises a line with the names that are near it; so does an architecture without `machine`.
--   passport  { schema = 1, arch, title, owner = "assay" | "likwid", group, short, long, metrics = array of metric, blame = array of
--     text, evidence = array of { record, node, kind, .. }, findings = array of { file, line, severity, rule, what, consequence },
--     history = array of { number, commit |nil: not fixed, file, what, rule |nil }, historical = array of { group, metric, node, source,
--     verdicts = text, error_pct }, errata = array of { id, about }, absent = array of { quantity, pattern, reason } }
--   metric    { name, unit, formula, quantities = array of { name, pattern }, events = array of { event, vendor, consequence },
--     judged = array of { kind, .. as in the catalogue }, reason = why it is not judged |nil }
-- Verdicts are the catalogue's: all codes, levels and placements of a metric together, for each kind of node by itself.
local architecture = require "report.wiki.architecture"
local array = require "input.array"
local catalogue = require "exchange.catalogue.catalogue"
local coverage = require "input.coverage"
local fixes = require "input.fixes"
local group_file = require "input.group"
local lists = require "input.lists"
local page = require "exchange.passport.page"
local published = require "report.published"
local stats = require "numeric.stats"
local text = require "exchange.passport.text"
local vendor = require "input.vendor"
local vocabulary = require "judge.vocabulary"

local passport = {}

local SCHEMA = 1
local NEAR = 3 -- names that an error proposes
local KINDS = { "native", "virtual" } -- of nodes that were measured
local JUDGED = lists.filter(vocabulary.VERDICTS, function(verdict) return verdict ~= "skipped" end)

-- Number of characters to insert, remove or replace to make one text the other (Levenshtein).
local function distance(one, other)
    local before = {}
    for j = 0, #other do
        before[j] = j
    end
    for i = 1, #one do
        local row = { [0] = i }
        for j = 1, #other do
            local same = one:byte(i) == other:byte(j) and 0 or 1
            row[j] = math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + same)
        end
        before = row
    end
    return before[#other]
end

-- A name in the form in which names are compared.
local function plain(name)
    return (name:lower():gsub("^assay_", ""))
end

-- Raises a line with the names that are nearest to `wanted`.
local function refuse(names, wanted)
    local far = {}
    for _, name in ipairs(names) do
        far[name] = plain(name):find(plain(wanted), 1, true) and 0 or distance(plain(name), plain(wanted))
    end
    local near = lists.sorted(far, function(one, other)
        return far[one] < far[other] or far[one] == far[other] and one < other
    end)
    error(("%s: unknown; near it: %s"):format(wanted, table.concat(lists.first(near, NEAR), ", ")), 0)
end

-- The one of `names` that is `wanted`, whatever the case.
local function find_name(names, wanted)
    return lists.find(names, function(name) return name == wanted end)
        or lists.find(names, function(name) return plain(name) == plain(wanted) end)
        or refuse(names, wanted)
end

-- Of the catalogue of the records of one kind: the group's entry, and its evidence; nil without such records.
local function judge(kind, file, argument)
    local records = lists.filter(argument.records, function(one) return one.record.node.kind == kind end)
    if #records == 0 then
        return nil
    end
    local made = catalogue.make { records = records, groups = { file }, verdicts = JUDGED, assay = argument.assay }
    local found = made.catalogue.architectures[1]
    return found.groups[1], found.evidence
end

-- The vendor check of each event of a metric.
local function check_events(group, metric, rows)
    local names = lists.distinct(lists.map(group_file.events_of(group, metric), "event"))
    return array(lists.map(names, function(name)
        local row = ((rows or {})[name] or {})[1]
        return { event = name, vendor = row and row.state or "not compared", consequence = row and row.consequence }
    end))
end

-- The quantities that a metric shows, with the patterns that need them.
local function quantities_of(shown, group, metric)
    return array(lists.flat(shown, function(of)
        return lists.collect(of.quantities, function(named)
            return lists.any(named.shown, function(known)
                return known.one.group == group and (known.one.of or known.one.metric) == metric
            end) and { name = named.name, pattern = of.pattern.name }
        end)
    end))
end

local function metric_of(metric, group, known)
    local entry = { name = metric.name, unit = metric.unit, formula = metric.formula, judged = array(),
        quantities = quantities_of(known.shown, group.name, metric.name), events = check_events(group, metric, known.vendor) }
    for _, kind in ipairs(KINDS) do
        local found = lists.find((known.judged[kind] or {}).metrics or {}, function(one) return one.name == metric.name end)
        if found then
            found.kind = kind
            table.insert(entry.judged, found)
        end
    end
    local unjudged = lists.find(known.unjudged, function(one) return one.group == group.name and one.metric == metric.name end)
    entry.reason = unjudged and unjudged.reason or not known.is_own and "Assay has no group of that name" or nil
    return entry
end

-- What others published of LIKWID's group of that name: an entry per metric and record.
local function historical_of(records, name)
    local found = array()
    for _, one in ipairs(records) do
        local own = lists.filter(one.record.node.kind == "historical" and one.record.metrics or {}, function(metric)
            return plain(metric.group) == plain(name)
        end)
        lists.append(found, lists.group(own, "metric"), function(metrics)
            local errors = lists.collect(metrics, "error_pct")
            local low, high = stats.range(lists.flat(errors, function(range) return { range.min, range.max } end))
            return { group = metrics[1].group, metric = metrics[1].metric, node = one.record.node.name, source = published(one.record),
                verdicts = vocabulary.tally(vocabulary.count(metrics, "verdict"), vocabulary.VERDICTS, "%d %s"),
                error_pct = low and { min = low, max = high } }
        end)
    end
    return found
end

-- Quantities that no group counts, of the patterns to which the group belongs.
local function absent_of(shown, group)
    local found = array()
    for _, of in ipairs(shown) do
        local is_own = lists.any(of.quantities, function(named)
            return lists.any(named.shown, function(known) return known.one.group == group end)
        end)
        lists.append(found, is_own and of.quantities or {}, function(named)
            return named.reason and { quantity = named.name, pattern = of.pattern.name, reason = named.reason }
        end)
    end
    return found
end

local function errata_of(machine, metrics)
    local events = lists.set(lists.flat(metrics, "events"), "event")
    return lists.append(array(), machine.errata, function(erratum)
        return lists.any(erratum.events, function(event) return events[event] end) and { id = erratum.id, about = erratum.about }
    end)
end

-- Lint's findings in the group's files, ours first.
local function findings_of(argument, files)
    return array(lists.flat(files, function(file)
        return lists.filter(argument.findings, function(finding) return finding.file == file.file end)
    end))
end

-- Faults of LIKWID's group of that name, and of its event table if an event is named and the group counts it.
local function history_of(arch, mended, group, metrics)
    local events = lists.flat(metrics, "events")
    return lists.append(array(), lists.flat(mended, function(fix)
        return lists.collect(fix.files, function(file)
            local is_group = plain(file.name) == plain(group.name) .. ".txt"
            local counts = fix.word ~= "" and lists.any(events, function(one) return one.event:find(fix.word, 1, true) end)
            return file.arch == arch and (is_group or counts)
                and { number = fix.number, commit = fix.commit, file = file.path, what = fix.what, rule = fix.rule }
        end)
    end))
end

local function named(files, name)
    return lists.find(files, function(one) return plain(one.file:match "([^/]+)%.txt$") == plain(name) end)
end

-- `known`: what all passports of the architecture need.
local function compile(argument, known, group, metric)
    local own, likwid = named(argument.files, group.name), named(argument.likwid, group.name)
    local made = { schema = SCHEMA, arch = argument.arch, title = argument.machine.title, owner = own and "assay" or "likwid",
        group = group.name, short = group.short, long = group.long, blame = array(), evidence = array(),
        historical = historical_of(argument.records, group.name), absent = absent_of(known.shown, group.name),
        findings = findings_of(argument, lists.joined({ own }, { likwid })) }
    known.judged, known.is_own = {}, own ~= nil
    for _, kind in ipairs(own and KINDS or {}) do
        local entry, evidence = judge(kind, own, argument)
        known.judged[kind] = entry
        lists.append(made.evidence, evidence or {})
        lists.append(made.blame, entry and entry.blame or {})
    end
    local metrics = lists.filter(group.metrics, function(one) return not metric or one.name == metric end)
    made.metrics = lists.append(array(), metrics, function(one) return metric_of(one, group, known) end)
    made.errata = errata_of(argument.machine, made.metrics)
    made.history = history_of(argument.arch, known.fixes, group, made.metrics)
    return made
end

-- Adds LIKWID's own groups that Assay has no group for, as far as they can be read. Without boxes of a node their sums are whole.
local function add_likwid(groups, files)
    for _, file in ipairs(files) do
        local name = file.file:match "([^/]+)%.txt$"
        local is_read, group = pcall(group_file.parse_each, file)
        groups[name] = is_read and not lists.find(lists.sorted(groups), function(one) return plain(one) == plain(name) end) and group
            or groups[name]
    end
end

-- See the top of this file.
function passport.make(argument)
    if not argument.machine then
        refuse(argument.archs, argument.arch)
    end
    local rows = argument.codes and argument.events
        and vendor.by_event(vendor.check { codes = argument.codes, events = argument.events })
    local known = architecture.known { machine = argument.machine, groups = argument.groups, patterns = argument.patterns, vendor = rows,
        records = {} }
    known.fixes = fixes.read(argument.fixes)
    known.unjudged = coverage.unjudged { machine = argument.machine, groups = argument.groups }
    local groups, names = argument.groups, lists.sorted(argument.groups)
    if argument.group then
        add_likwid(groups, argument.likwid)
        names = { find_name(lists.sorted(groups), argument.group) }
    end
    local wanted = argument.metric and find_name(lists.map(groups[names[1]].metrics, "name"), argument.metric)
    local made = lists.map(names, function(name) return compile(argument, known, groups[name], wanted) end)
    return { passports = made, text = argument.style and page.render(made, argument.style, argument.unlisted)
        or text.render(made, argument.unlisted) }
end

return passport
