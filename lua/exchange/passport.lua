-- passport.lua - all that is known of one group: what it measures, by which events, how it was judged, and where it was seen.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- passport.make{ arch =, archs = names of all architectures, group = its name, with or without ASSAY_, metric = |nil: all,
--   machine =, groups = by name, patterns =, files = array of { arch =, file =, text = } of the groups, records = array of { file =,
--   record = } of the architecture, codes =, events = texts of pmu.vendor and pmu.events |nil, assay = } -> { passport =, text = }
-- A name that does not exist raises a line with the names that are near it; so does an architecture without `machine`.
--   passport  { schema = 1, arch, title, group, short, long, metrics = array of metric, blame = array of text, evidence = array of
--     { record, node, kind, .. }, historical = array of { group, metric, node, source, verdicts = text, error_pct }, errata = array of
--     { id, about }, absent = array of { quantity, pattern, reason } }
--   metric    { name, unit, formula, quantities = array of { name, pattern }, events = array of { event, vendor, consequence },
--     judged = array of { kind, .. as in the catalogue }, reason = why it is not judged |nil }
-- Verdicts are the catalogue's: all codes, levels and placements of a metric together, for each kind of node by itself.
local architecture = require "report.wiki.architecture"
local array = require "input.array"
local catalogue = require "exchange.catalogue.catalogue"
local catalogue_text = require "exchange.catalogue.text"
local coverage = require "input.coverage"
local group_file = require "input.group"
local lists = require "input.lists"
local published = require "report.published"
local report = require "report.text.report"
local stats = require "numeric.stats"
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
    local names = vocabulary.distinct(lists.map(group_file.events_of(group, metric), "event"))
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
    entry.reason = unjudged and unjudged.reason
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

local function compile(argument, group, metrics)
    local rows = argument.codes and argument.events
        and vendor.by_event(vendor.check { codes = argument.codes, events = argument.events })
    local known = architecture.known { machine = argument.machine, groups = argument.groups, patterns = argument.patterns, vendor = rows,
        records = {} }
    known.unjudged, known.judged = coverage.unjudged { machine = argument.machine, groups = argument.groups }, {}
    local file = lists.find(argument.files, function(one) return one.file:match "([^/]+)%.txt$" == group.name end)
    local made = { schema = SCHEMA, arch = argument.arch, title = argument.machine.title, group = group.name, short = group.short,
        long = group.long, blame = array(), evidence = array(), historical = historical_of(argument.records, group.name),
        absent = absent_of(known.shown, group.name) }
    for _, kind in ipairs(KINDS) do
        local entry, evidence = judge(kind, file, argument)
        known.judged[kind] = entry
        lists.append(made.evidence, evidence or {})
        lists.append(made.blame, entry and entry.blame or {})
    end
    made.metrics = lists.append(array(), metrics, function(metric) return metric_of(metric, group, known) end)
    made.errata = errata_of(argument.machine, made.metrics)
    return made
end

-- "CAS_COUNT_RD same, OTHER differs: counts another event".
local function events_text(metric)
    return lists.join(metric.events, ", ", function(one)
        return ("%s %s%s"):format(one.event, one.vendor, one.consequence and ": " .. one.consequence or "")
    end)
end

local function add_metric(lines, metric)
    lists.append(lines, { "", ("%s%s = %s"):format(metric.name, metric.unit and " [" .. metric.unit .. "]" or "", metric.formula) })
    local shows = lists.map(lists.group(metric.quantities, "name"), function(same)
        return ("%s (%s)"):format(same[1].name, lists.join(same, ", ", "pattern"))
    end)
    lines[#lines + 1] = #shows > 0 and "  shows: " .. table.concat(shows, "; ") or nil
    lines[#lines + 1] = #metric.events > 0 and "  events, vendor check: " .. events_text(metric) or nil
    for _, found in ipairs(metric.judged) do
        local facts = catalogue_text.facts(found)
        facts[1] = ("%s: %s"):format(found.kind, facts[1]:sub(#facts[1]:match "^.-: " + 1))
        lists.append(lines, facts, function(line) return "  " .. line end)
        lines[#lines + 1] = found.reason and "    " .. found.reason or nil
    end
    lines[#lines + 1] = metric.reason and "  not judged: " .. metric.reason or #metric.judged == 0 and "  not judged by a record" or nil
end

-- A title and its lines; `none` if there are none.
local function add_part(lines, title, list, none, what)
    if #list > 0 or none then
        lists.append(lines, { "", title .. (#list == 0 and ": " .. none or "") })
        lists.append(lines, list, function(one) return what(one):gsub("^%- ", ""):gsub("^", "- ", 1) end)
    end
end

local function identity(text) return text end

local function historical_text(one)
    local errors = one.error_pct
    return ("%s of %s on %s: %s%s; %s"):format(one.metric, one.group, one.node, one.verdicts, errors
        and (", errors %s to %s %%"):format(report.percent(errors.min), report.percent(errors.max)) or "", one.source)
end

local function render(made)
    local lines = { ("%s of %s: %s"):format(made.group, made.title, made.short) }
    lines[#lines + 1] = made.long
    for _, metric in ipairs(made.metrics) do
        add_metric(lines, metric)
    end
    add_part(lines, "Blame", made.blame, nil, identity)
    local _, evidence = lists.group(made.evidence, "kind")
    add_part(lines, "Silicon", evidence.native or {}, "no native record of " .. made.arch, catalogue_text.evidence_line)
    add_part(lines, "Virtual nodes, no evidence about silicon", evidence.virtual or {}, "no record of " .. made.arch,
        catalogue_text.evidence_line)
    add_part(lines, "Historical, published by others of LIKWID's group of that name", made.historical, nil, historical_text)
    add_part(lines, "Errata of its events", made.errata, "none known", function(one) return one.id .. ": " .. one.about end)
    add_part(lines, "Not counted by any group, of the same patterns", made.absent, nil, function(one)
        return ("%s: %s"):format(one.pattern, one.reason)
    end)
    return table.concat(lines, "\n") .. "\n"
end

-- See the top of this file.
function passport.make(argument)
    if not argument.machine then
        refuse(argument.archs, argument.arch)
    end
    local group = argument.groups[find_name(lists.sorted(argument.groups), argument.group)]
    local wanted = argument.metric and find_name(lists.map(group.metrics, "name"), argument.metric)
    local made = compile(argument, group, lists.filter(group.metrics, function(metric) return not wanted or metric.name == wanted end))
    return { passport = made, text = render(made) }
end

return passport
