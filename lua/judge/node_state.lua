-- node_state.lua - settings of a node (validate/node/state.h) that verdicts depend on, and for which metrics.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Other settings guard no verdict: SMT changes which errata apply (judge.lua); the access mode and the versions of LIKWID and microcode
-- are what comparisons are made for. A setting that is unknown, as on virtual nodes, guards nothing.
local lists = require "input.lists"

local node_state = {}

-- A rate or a time?
function node_state.is_of_time(metric)
    local unit = metric.unit or ""
    return metric.metric == "CPI" or unit == "s" or unit:sub(-2) == "/s"
end

local function is_of_data(metric)
    return metric.level ~= nil
end

local function is_across(metric)
    return (metric.placement or ""):find("@", 1, true) ~= nil
end

-- affects(metric): its values depend on the setting; disturbs(value) = what goes wrong with that value within one record |nil
local SETTINGS = {
    { key = "governor", title = "governor", what = "metrics of time", affects = node_state.is_of_time,
        disturbs = function(value) return value ~= "performance" and "the clock follows the load" end },
    { key = "turbo", title = "turbo", what = "metrics of time", affects = node_state.is_of_time,
        disturbs = function(value) return value and "the clock depends on temperature and on other cores" end },
    { key = "numa_balancing", title = "NUMA balancing", what = "metrics of two sockets", affects = is_across,
        disturbs = function(value) return value and "the kernel moves pages between sockets" end },
    { key = "prefetchers", title = "prefetchers", what = "metrics of data in caches and memory", affects = is_of_data },
    { key = "numa_per_socket", title = "NUMA domains of a socket", what = "metrics of data in caches and memory", affects = is_of_data },
}

local function word(value)
    return value == true and "on" or value == false and "off" or tostring(value)
end

-- Lines about a record's verdicts that hold for this setting of its node only: "turbo on: ...; N verdicts of metrics of time".
function node_state.lines(record)
    return lists.collect(SETTINGS, function(setting)
        local value = record.node[setting.key]
        local why = value ~= nil and setting.disturbs and setting.disturbs(value)
        local count = why and lists.count(record.metrics, function(metric)
            return metric.verdict ~= "skipped" and setting.affects(metric)
        end) or 0
        return count > 0 and ("%s %s: %s; verdicts of %d %s hold for this setting only"):format(setting.title, word(value), why, count,
            setting.what)
    end)
end

-- Why values of a metric on two nodes, or on one at two times, cannot be compared: "turbo off -> on"; nil if they can.
function node_state.difference(old, new, metric)
    for _, setting in ipairs(SETTINGS) do
        local before, after = old[setting.key], new[setting.key]
        if before ~= nil and after ~= nil and before ~= after and setting.affects(metric) then
            return ("%s %s -> %s (%s)"):format(setting.title, word(before), word(after), setting.what)
        end
    end
    return nil
end

return node_state
