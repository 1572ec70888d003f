-- detection_spec.lua - the detection matrix injects faults into each event that a judged metric uses.
-- SPDX-License-Identifier: GPL-3.0-or-later
package.path = "tests/detection/?.lua;" .. package.path
local fixture = require "fixture"
local group_file = require "input.group"
local nodes = require "nodes"
local quantity = require "plan.quantity"
local series = require "series"

-- { [event] = { [metric that uses it] = true } } of the metrics that an architecture judges.
local function judged(arch)
    local machine, groups, metrics = fixture.machine(arch), fixture.groups(arch), {}
    for _, one in ipairs(quantity.all(machine, groups)) do
        local group, name = groups[one.group], one.of or one.metric
        for _, event in ipairs(group_file.events_of(group, group_file.metric(group, name))) do
            metrics[event.event] = metrics[event.event] or {}
            metrics[event.event][name] = true
        end
    end
    return metrics
end

describe("the detection matrix", function()
    for _, arch in ipairs { "haswellEP", "skylakeX", "zen3" } do
        it("has a row for each event of " .. arch .. "'s judged metrics, or says why not", function()
            local listed, metrics, rows = series.listed(arch), judged(arch), {}
            for _, row in ipairs(listed.rows) do
                series.complete(row, nodes.find(row.node or "virtual:" .. arch).groups[row.group])
                for _, event in ipairs(row.events) do
                    rows[event] = true
                    assert.truthy(metrics[event] and metrics[event][row.metric], ("%s is not in %s"):format(event, row.metric))
                end
            end
            for event in pairs(metrics) do
                assert.equal(rows[event] == nil, listed.none[event] ~= nil, event)
            end
            for event in pairs(listed.none) do
                assert.truthy(metrics[event], event)
            end
        end)
    end
end)
