-- health.lua - reports in one line whether a node is healthy.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- health.compare{ record =, reference = record of a healthy node of this kind |nil, file = its name } -> { text = "ok: ..." or "bad:
-- ...", good = boolean } With a reference, a metric is bad if it has a worse verdict, no value where the reference has one, or a
-- mean deviation that differs from the reference's by more than the metric's tolerance. Metrics are not compared if they are in only one
-- of the records, or depend on a setting in which the nodes differ (node_state.lua): the text names these settings. Without a reference
-- only the models decide: a metric is bad if it has no value or must not be used.
local fleet = require "fleet.judge"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local vocabulary = require "judge.vocabulary"

local health = {}

local NAMED_MOST = 3
local SAME = { "kind", "arch" } -- keys that must be equal for a comparison
local UNUSABLE = { rejected = true, missing = true }
local UNCERTAIN = { skipped = true, untested = true, unresolved = true }

local function average(metric)
    local found = metric.error_pct or metric.residue_pct
    return found and found.avg
end

-- The fault of a metric compared with the reference's; nil if there is none.
local function against(metric, other)
    local rank = vocabulary.VERDICT_RANK
    if metric.verdict ~= other.verdict and not (UNCERTAIN[metric.verdict] and UNCERTAIN[other.verdict])
        and rank[metric.verdict] > rank[other.verdict] then
        return ("%s, there %s"):format(metric.verdict, other.verdict)
    end
    local own, there = average(metric), average(other)
    local tolerance = metric.tolerance_pct
    if own and there and tolerance and math.abs(own - there) > tolerance then
        return ("%+.4g %%, there %+.4g %%"):format(own, there)
    end
end

local function by_identity(record)
    return lists.index(record.metrics, function(metric) return vocabulary.identity(metric) end)
end

local function check_same(argument)
    for _, key in ipairs(SAME) do
        local own, there = argument.record.node[key], argument.reference.node[key]
        if own ~= there then
            error(("--reference %s: of a node whose %s is %s, this one's is %s; name a record of the same"):format(argument.file, key,
                tostring(there), tostring(own)), 0)
        end
    end
end

-- Texts about bad metrics, the number of metrics examined, and the number of those that cannot be compared.
local function examine(argument)
    local bad, count, apart = {}, 0, 0
    local there = argument.reference and by_identity(argument.reference)
    for _, metric in ipairs(argument.record.metrics) do
        local other = there and there[vocabulary.identity(metric)]
        if other and node_state.difference(argument.reference.node, argument.record.node, metric) then
            apart = apart + 1
        elseif other or not there then
            local why = not there and UNUSABLE[metric.verdict] and metric.verdict or other and against(metric, other)
            count = count + 1
            if why then
                bad[#bad + 1] = ("%s: %s"):format(fleet.metric_name(metric), why)
            end
        end
    end
    return bad, count, apart
end

-- What the metrics are compared with; raises a line if nothing can be compared.
local function name_reference(argument, count, apart)
    if not argument.reference then
        return "by the models alone: no --reference"
    end
    local differs = node_state.between(argument.reference.node, argument.record.node)
    differs = differs and ("%s%s"):format(differs, apart > 0 and (" (%d metrics not compared)"):format(apart) or "")
    if count == 0 then
        error(("--reference %s: %s"):format(argument.file, apart > 0 and differs .. "; make it in the same state"
            or "no metric of the check is in it; make it with the same patterns"), 0)
    end
    return lists.join({ "compared with " .. argument.file, differs }, "; ", function(text) return text end)
end

function health.compare(argument)
    local record = argument.record
    if argument.reference then
        check_same(argument)
    end
    local bad, count, apart = examine(argument)
    local with = name_reference(argument, count, apart)
    local where = ("%s node %s"):format(record.node.kind, record.node.name)
    if #record.failures > 0 then
        table.insert(bad, 1, ("%d runs failed: %s"):format(#record.failures, record.failures[1].why or "?"))
    end
    if #bad == 0 then
        return { good = true, text = ("ok: %s: %d metrics, %s, %.0f s"):format(where, count, with, record.seconds) }
    end
    local named = table.concat(bad, "; ", 1, math.min(#bad, NAMED_MOST))
    return { good = false, text = ("bad: %s: %d of %d metrics, %s: %s%s"):format(where, #bad, count, with, named,
        #bad > NAMED_MOST and "; ..." or "") }
end

return health
