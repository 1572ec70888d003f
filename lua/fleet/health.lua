-- health.lua - tells in one line whether a node is healthy.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- health.compare{ record =, reference = record of a healthy node of this kind |nil, file = its name } -> { text = "ok: ..." or "bad:
-- ...", good = boolean } With a reference, a metric is bad if it has a worse verdict, no value where the reference has one, or a
-- mean deviation that differs from the reference's by more than the metric's tolerance. Metrics in only one of the records are not
-- compared. Without a reference only the models decide: a metric is bad if it has no value or must not be used.
local fleet = require "fleet.judge"
local lists = require "input.lists"
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

-- Texts about bad metrics, and the number of metrics examined.
local function examine(argument)
    local bad, count = {}, 0
    local there = argument.reference and by_identity(argument.reference)
    for _, metric in ipairs(argument.record.metrics) do
        local other = there and there[vocabulary.identity(metric)]
        if other or not there then
            local why = not there and UNUSABLE[metric.verdict] and metric.verdict or other and against(metric, other)
            count = count + 1
            if why then
                bad[#bad + 1] = ("%s: %s"):format(fleet.metric_name(metric), why)
            end
        end
    end
    return bad, count
end

function health.compare(argument)
    local record = argument.record
    if argument.reference then
        check_same(argument)
    end
    local bad, count = examine(argument)
    local where = ("%s node %s"):format(record.node.kind, record.node.name)
    local with = argument.reference and "compared with " .. argument.file or "by the models alone: no --reference"
    if argument.reference and count == 0 then
        error(("--reference %s: no metric of the check is in it; make it with the same patterns"):format(argument.file), 0)
    end
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
