-- unjudged.lua - the metrics that have no verdict of their own, as people read them.
-- SPDX-License-Identifier: GPL-3.0-or-later
local vocabulary = require "judge.vocabulary"

local unjudged = {}

-- Those of records, a metric that several groups have for one reason once: array of { metric =, groups = in their order, reason =,
-- with = the group that it is judged with |nil }, those that nothing judges first.
function unjudged.fold(records)
    local lists, bins = { {}, {} }, {}
    for _, record in ipairs(records) do
        for _, one in ipairs(record.unjudged or {}) do
            local key = one.metric .. "\t" .. one.reason
            if not bins[key] then
                bins[key] = { metric = one.metric, groups = {}, reason = one.reason, with = one.with }
                table.insert(lists[one.with and 2 or 1], bins[key])
            end
            table.insert(bins[key].groups, one.group)
        end
    end
    local folded = table.move(lists[2], 1, #lists[2], #lists[1] + 1, lists[1])
    for _, one in ipairs(folded) do
        one.groups = vocabulary.distinct(one.groups)
    end
    return folded
end

-- A line each.
function unjudged.texts(record)
    local texts = {}
    for i, one in ipairs(unjudged.fold { record }) do
        texts[i] = ("no verdict of its own: %s of %s: %s"):format(one.metric, table.concat(one.groups, ", "), one.reason)
    end
    return texts
end

return unjudged
