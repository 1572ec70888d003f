-- signatures.lua - exports the signatures of records' matrices to other tools: the terms of their tests, and thresholds.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   signatures.make{ records =, groups =, events =, format = } -> { table = text } or { files = array of { name =, value = }, notes = }
--     records   array of { file =, record = } of one architecture and kind, without injected faults. Matrices come from records that have
--               one (the later one of two for the same pattern), verdicts of metrics from all records
--     groups    array of { arch =, file =, text = }: group files       events    text of the architecture's pmu.events
--     format    "table" | "json" | "clustercockpit" | "perf"
--     patterns, machine, limit, costs   of shares.lua; without them there are no shares
-- A signature is exported only if all its metrics are validated and its controls are clearly apart; `notes` gives reasons for the others.
-- A share needs validated metrics only. With a share and without a signature, `tests` is empty.
-- Each format (text.lua, clustercockpit.lua, perf.lua) gets for a signature:
--   { pattern =, title =, kind =, node =, arch =, evidence = array of file names, node_state = how their nodes differ |nil,
--     share = of shares.lua, its metrics as terms |nil,
--     tests = array of the matrix's, each with
--     terms = { quantity =, plus =, per = : { group =, metric =, name =, unit =, parsed =, events = by the formula's names } } }
local array = require "input.array"
local clustercockpit = require "exchange.signatures.clustercockpit"
local combine = require("exchange.catalogue.metric").combine
local formula = require "input.formula"
local found_boxes = require "exchange.found_boxes"
local group_reader = require "input.group"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local perf = require "exchange.signatures.perf"
local shares = require "exchange.signatures.shares"
local text = require "report.signature_text"

local signatures = {}

local FORMATS = { clustercockpit = clustercockpit.files, perf = perf.files, json = text.files }
local KEYS = { "quantity", "plus", "per" }

local function check(records)
    local first = records[1].record.node
    for _, one in ipairs(records) do
        local node = one.record.node
        if #(one.record.faults or {}) > 0 then
            error(("%s: measured with injected faults, which is no evidence; name another record"):format(one.file), 0)
        elseif node.kind ~= first.kind or node.arch ~= first.arch then
            error(("%s is of %s %s, %s of %s %s: these are never mixed; name records of one kind and architecture"):format(records[1].file,
                first.kind, first.arch, one.file, node.kind, node.arch), 0)
        end
    end
    return first
end

-- The groups by name, with the boxes of the records' nodes.
local function read_groups(files, records)
    local found = found_boxes.of(records)
    return lists.index(lists.map(files, function(file) return found_boxes.fit(group_reader.parse(file), found) end), "name")
end

-- The records' result for a metric: a catalogue entry, with the verdict of the worst row that can detect a wrong count; nil if there is
-- none.
local function verdict_of(records, term)
    local all = lists.flat(records, function(one) return one.record.metrics end)
    local found = combine(lists.filter(all, function(row) return row.group == term.group and row.metric == term.metric end), {})
    return found and found.verdict
end

local function term_of(groups, term)
    local group = groups[term.group]
    local metric = group and group_reader.metric(group, term.metric)
    if not metric then
        error(("there is no metric '%s' of %s any more; validate again"):format(term.metric, term.group), 0)
    end
    return { group = term.group, metric = term.metric, name = term.name, unit = metric.unit, formula = metric.formula,
        parsed = formula.parse(metric.formula), events = lists.index(group.events, "name") }
end

-- Why a signature must not be exported; nil if it may.
local function why_not(records, one)
    if one.why then
        return one.why
    end
    for _, test in ipairs(one.tests) do
        for _, key in ipairs(KEYS) do
            local verdict = test[key] and (verdict_of(records, test[key]) or "not judged in these records")
            if verdict and verdict ~= "validated" then
                return ("%s of %s: %s"):format(test[key].metric, test[key].group, verdict)
            end
        end
    end
    return nil
end

-- Signatures of the matrices by pattern, in the records' order, each with its record.
local function gather(records)
    local list, at = {}, {}
    for _, one in ipairs(records) do
        for _, entry in ipairs((one.record.matrix or {}).signatures or {}) do
            at[entry.pattern] = at[entry.pattern] or #list + 1
            list[at[entry.pattern]] = { entry = entry, record = one.record }
        end
    end
    if #list == 0 then
        error(("%s: no signatures in it; assay validate --matrix --out FILE makes a record with them"):format(records[1].file), 0)
    end
    return list
end

-- The share of a pattern with its metrics as terms; nil if there is none, with the reason in `notes` if a hazard lacks it.
local function share_of(argument, groups, pattern, notes)
    local share, why = shares.of(argument, groups, pattern, function(one) return verdict_of(argument.records, one) == "validated" end)
    for _, key in ipairs(share and { "quantity", "cpi", "instructions" } or {}) do
        share[key] = term_of(groups, share[key])
    end
    notes[#notes + 1] = why and ("%s: no share of the run time: %s"):format(pattern, why) or nil
    return share
end

function signatures.make(argument)
    local node, groups, given, notes = check(argument.records), read_groups(argument.groups, argument.records), array(), array()
    local evidence = array(lists.map(argument.records, "file"))
    local differs = node_state.among_records(argument.records, function(one) return one.file end)
    for _, one in ipairs(gather(argument.records)) do
        local why = why_not(argument.records, one.entry)
        local more = {}
        local share = share_of(argument, groups, one.entry.pattern, more)
        notes[#notes + 1] = why and ("%s: %s: %s"):format(one.entry.pattern, share and "only its share is given" or "not given", why) or nil
        lists.append(notes, more)
        if share or not why then
            local found = { pattern = one.entry.pattern, title = one.entry.title or one.entry.pattern, kind = node.kind, arch = node.arch,
                node = one.record.node.name, evidence = evidence, node_state = differs, share = share, tests = {} }
            for number, test in ipairs(why and {} or one.entry.tests) do
                local terms = {}
                for _, key in ipairs(KEYS) do
                    terms[key] = test[key] and term_of(groups, test[key]) or nil
                end
                found.tests[number] = setmetatable({ terms = terms }, { __index = test })
            end
            given[#given + 1] = found
        end
    end
    if argument.format == "table" then
        return { table = text.table(given, notes, node, differs) }
    end
    return { files = FORMATS[argument.format](given, notes, argument.events), notes = notes }
end

return signatures
