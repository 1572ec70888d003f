-- found_boxes.lua - which uncore boxes the nodes of some records have, and groups that contain only these.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local boxes = require "plan.boxes"
local formula = require "input.formula"
local lists = require "input.lists"

local found_boxes = {}

-- records = array of { record = } of one architecture -> { [kind] = sorted numbers of the boxes that any of the nodes has }, without kinds
-- that a record does not list: of these, all boxes may exist.
function found_boxes.of(records)
    local found
    for _, one in ipairs(records) do
        local listed, both = one.record.node.boxes or {}, {}
        for kind, numbers in pairs(found or listed) do
            both[kind] = listed[kind] and array(lists.sorted(lists.set(lists.joined(numbers, listed[kind]))))
        end
        found = both
    end
    return found or {}
end

-- The group (group.parse) without boxes that were not found, also in the metrics' formulas; the group itself if it contains none.
function found_boxes.fit(group, found)
    local kinds = lists.map(lists.sorted(found), function(kind) return { name = kind, boxes = math.huge } end)
    local fitted = boxes.fit(group, { counters = kinds }, { boxes = found })
    for _, metric in ipairs(fitted ~= group and fitted.metrics or {}) do
        metric.formula = formula.text(metric.parsed)
    end
    return fitted
end

-- "BBOX 0, 1; MBOX 0, 1, 2, 3"; nil if no kind is listed.
function found_boxes.text(found)
    return next(found) and lists.join(lists.sorted(found), "; ", function(kind)
        return ("%s %s"):format(kind, #found[kind] > 0 and table.concat(found[kind], ", ") or "none")
    end)
end

return found_boxes
