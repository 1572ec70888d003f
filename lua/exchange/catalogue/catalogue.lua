-- catalogue.lua - the groups that a tool may rely on, from records only: verdict, error bounds, constants and evidence of each metric.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   catalogue.make{ records =, groups =, verdicts =, assay = } -> { catalogue =, files = { { arch =, name =, text = } .. } }
--     records   array of { file =, record = }: of one kind (native or virtual), without injected faults
--     groups    array of { arch =, file =, text = }: group files; the catalogue's contain only boxes that the records' nodes have
--     verdicts  verdicts of metrics to include, default validated and correctable
--     newest    true: use catalogue.newest(records) only
--     catalogue docs/catalogue.schema.json
--   catalogue.csv{ catalogue = }, catalogue.table{ catalogue =, width = } -> { text = }
--   catalogue.newest(records) -> array: the newest record of each architecture and node; only native ones, if there are any
--   catalogue.is_own{ text = } -> bool: is it a group file of catalogue.make, unchanged since?
local array = require "input.array"
local combine = require "exchange.catalogue.metric"
local found_boxes = require "exchange.found_boxes"
local group_reader = require "input.group"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local text = require "exchange.catalogue.text"
local vocabulary = require "judge.vocabulary"

local catalogue = { csv = text.csv, table = text.table, is_own = text.is_own }

local NODE = { "kind", "arch", "name" } -- keys that identify a node
local DEFAULT = { "validated", "correctable" }
local SCHEMA = 1

local function set_of(list)
    local unknown = lists.find(list, function(name) return not vocabulary.VERDICT_RANK[name] or name == "skipped" end)
    if unknown then
        local known = table.concat(vocabulary.VERDICTS, ", ", 1, #vocabulary.VERDICTS - 1)
        error(("--verdict %s: unknown; one of %s"):format(unknown, known), 0)
    end
    return lists.set(list)
end

-- Checks that records can be combined; returns their kind.
local function check_records(records)
    local first = records[1]
    for _, one in ipairs(records) do
        if #(one.record.faults or {}) > 0 then
            error(("%s: measured with injected faults, which is no evidence; name another record"):format(one.file), 0)
        end
        for number, metric in ipairs(#one.record.samples == 0 and one.record.metrics or {}) do
            if metric.n > 0 and not metric.extremes then
                error(("%s: metrics[%d] has neither samples nor extremes to check a correction with; make such records with assay compact")
                    :format(one.file, number - 1), 0)
            end
        end
        if one.record.node.kind ~= first.record.node.kind then
            error(("%s is %s, %s is %s: these are never mixed; name records of one kind"):format(first.file,
                first.record.node.kind, one.file, one.record.node.kind), 0)
        end
    end
    return first.record.node.kind
end

local function evidence_of(one)
    local record = one.record
    return { record = one.file, node = record.node.name, kind = record.node.kind, cpu = record.node.cpu, likwid = record.node.likwid,
        assay = record.assay, date = record.started }
end

-- Entries of a record's list ("metrics", "samples", "unjudged") by group and metric.
local function index(records, list)
    local entries = lists.flat(records, function(one) return one.record[list] end)
    local named = lists.filter(entries, function(entry) return entry.group and entry.metric end)
    return select(2, lists.group(named, function(entry) return entry.group .. "\t" .. entry.metric end))
end

-- Does a formula use only fixed counters and time? Such metrics (run time, clock, CPI) are kept without a verdict.
local function is_plain(formula)
    return lists.all(lists.words(formula, "%f[%w_]%a[%w_]*"), function(name)
        return name:match "^FIXC%d+$" or name == "time" or name == "inverseClock"
    end)
end

local function add_metric(entry, metric, found, wanted, why)
    if found and wanted[found.verdict] then
        found.name, found.unit, found.formula = metric.name, metric.unit, metric.formula
        entry.metrics[#entry.metrics + 1] = found
    elseif not found and is_plain(metric.formula) then
        entry.unjudged[#entry.unjudged + 1] = { name = metric.name, unit = metric.unit, formula = metric.formula, reason = why }
    else
        entry.left_out[#entry.left_out + 1] = { name = metric.name, unit = metric.unit, verdict = found and found.verdict,
            reason = found and found.reason or not found and (why or "not judged") or nil }
    end
end

-- Events as written in a group file: counter with options, event.
local function events_of(group)
    return array(lists.map(group.events, function(event) return { counter = event.name, event = event.event } end))
end

-- Distinct texts of the records' blame for a group.
local function blame_of(name, records)
    local entries = lists.flat(records, function(one) return lists.joined(one.record.blame or {}, one.record.findings) end)
    return vocabulary.values(lists.filter(entries, function(entry)
        return entry.group == name or lists.contains(entry.groups or {}, name)
    end), "text", array())
end

-- Judges one group file by an architecture's records; the result may have no metrics.
local function judge_group(file, architecture, wanted)
    local records = architecture.records
    local group = found_boxes.fit(group_reader.parse { text = file.text, file = file.file }, architecture.boxes)
    local rows, samples, why = index(records, "metrics"), index(records, "samples"), {}
    for key, entries in pairs(index(records, "unjudged")) do
        why[key] = entries[1].reason
    end
    local entry = { name = group.name, short = group.short, long = group.long, events = events_of(group), metrics = array(),
        unjudged = array(), left_out = array(), blame = blame_of(group.name, records) }
    for _, metric in ipairs(group.metrics) do
        local key = group.name .. "\t" .. metric.name
        add_metric(entry, metric, combine.combine(rows[key] or {}, samples[key] or {}), wanted, why[key])
    end
    return entry
end

local function by_arch(records)
    local architectures, seen = array(), {}
    for _, one in ipairs(records) do
        local arch = one.record.node.arch
        local found = lists.bin(seen, arch, { arch = arch, evidence = array(), groups = array(), left_out = array(), records = {} },
            architectures)
        found.evidence[#found.evidence + 1] = evidence_of(one)
        found.records[#found.records + 1] = one
    end
    for _, architecture in ipairs(architectures) do
        architecture.boxes = found_boxes.of(architecture.records)
        architecture.lacks_boxes = lists.any(architecture.records, function(one) return one.record.node.lacking ~= nil end) or nil
        local settings = node_state.shared(lists.map(architecture.records, "record"))
        architecture.settings = next(settings) and settings or nil
        architecture.node_state = node_state.among_records(architecture.records, function(one) return one.file end)
    end
    table.sort(architectures, lists.by "arch")
    return architectures
end

local function worst_verdict(metrics)
    return vocabulary.VERDICTS[lists.most(metrics, 1, function(metric) return vocabulary.VERDICT_RANK[metric.verdict] end)]
end

function catalogue.newest(records)
    local native = lists.filter(records, function(one) return one.record.node.kind == "native" end)
    local nodes = lists.group(#native > 0 and native or records, function(one) return vocabulary.identity(one.record.node, NODE) end)
    local found = array(lists.map(nodes, function(same)
        return lists.best(same, function(one, other) return one.record.started > other.record.started end)
    end))
    table.sort(found, lists.by "file")
    return found
end

function catalogue.make(argument)
    local records = argument.newest and catalogue.newest(argument.records) or argument.records
    local kind = check_records(records)
    local verdicts = argument.verdicts or DEFAULT
    local wanted = set_of(verdicts)
    local made = { schema = SCHEMA, assay = argument.assay, kind = kind, verdicts = array(verdicts) }
    local files = array()
    made.architectures = by_arch(records)
    for _, architecture in ipairs(made.architectures) do
        for _, file in ipairs(argument.groups) do
            local entry = file.arch == architecture.arch and judge_group(file, architecture, wanted)
            if entry and #entry.metrics == 0 then
                architecture.left_out[#architecture.left_out + 1] = { name = entry.name, metrics = entry.left_out }
            elseif entry then
                entry.verdict = worst_verdict(entry.metrics)
                architecture.groups[#architecture.groups + 1] = entry
                files[#files + 1] = { arch = file.arch, name = entry.name, text = text.group_file(entry, architecture, argument.assay) }
            end
        end
        architecture.records = nil
    end
    return { catalogue = made, files = files }
end

return catalogue
