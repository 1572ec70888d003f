-- unjudged.lua - the metrics without a verdict of their own, as text.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local unjudged = {}

-- A metric that several groups leave unjudged for the same reason is one entry: array of { metric =, groups =,
-- reason =, with = the group that it is judged with |nil }; metrics that no group judges come first.
function unjudged.fold(records)
    local unknown, elsewhere, bins = {}, {}, {}
    for _, record in ipairs(records) do
        for _, one in ipairs(record.unjudged or {}) do
            local key = one.metric .. "\t" .. one.reason
            lists.bin(bins, key, { metric = one.metric, groups = {}, reason = one.reason, with = one.with },
                one.with and elsewhere or unknown)
            table.insert(bins[key].groups, one.group)
        end
    end
    local folded = lists.append(unknown, elsewhere)
    for _, one in ipairs(folded) do
        one.groups = vocabulary.distinct(one.groups)
    end
    return folded
end

-- One line per entry.
function unjudged.texts(record)
    return lists.map(unjudged.fold { record }, function(one)
        return ("no verdict of its own: %s of %s: %s"):format(one.metric, table.concat(one.groups, ", "), one.reason)
    end)
end

return unjudged
