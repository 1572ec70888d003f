-- unjudged.lua - the metrics without a verdict of their own, as text.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local unjudged = {}

-- A metric that several groups leave unjudged for the same reason is one entry: array of { metric =, groups =,
-- reason =, with = the group that it is judged with |nil }; metrics that no group judges come first.
function unjudged.fold(records)
    local same = lists.group(lists.flat(records, "unjudged"), function(one) return one.metric .. "\t" .. one.reason end)
    local folded = lists.map(same, function(list)
        return { metric = list[1].metric, groups = vocabulary.values(list, "group"), reason = list[1].reason, with = list[1].with }
    end)
    return lists.append(lists.filter(folded, function(one) return not one.with end), lists.filter(folded, "with"))
end

-- One line per entry.
function unjudged.texts(record)
    return lists.map(unjudged.fold { record }, function(one)
        return ("no verdict of its own: %s of %s: %s"):format(one.metric, table.concat(one.groups, ", "), one.reason)
    end)
end

return unjudged
