-- rejudge.lua - judges the stored counts of a diagnosis again, as they are or as a wrong counter would have counted them.
-- SPDX-License-Identifier: GPL-3.0-or-later
package.path = "lua/?.lua;tests/lua/?.lua;" .. package.path
local fixture = require "fixture"
local group_file = require "input.group"
local judge = require "program.judge.diagnosis"
local lists = require "input.lists"
local plan = require "program.plan.diagnosis"

local rejudge = {}

-- The node of a record, with the fields of a plan.
local function node_of(described)
    local node, cpus = fixture.node(), {}
    for name, value in pairs(described) do
        node[name] = value
    end
    node.cores_per_socket, node.has_pipeline = node.cores // node.sockets, node.name:find("+pipeline", 1, true) ~= nil
    for cpu = 0, node.cores - 1 do
        local socket = cpu // node.cores_per_socket + 1
        cpus[socket] = cpus[socket] or {}
        table.insert(cpus[socket], cpu)
    end
    node.cpus_by_socket, node.cpus_by_domain, node.numa_domains = cpus, cpus, node.sockets
    return node
end

-- Rows of counts whose `event` is `factor` times as large.
local function scaled(rows, event, factor)
    return rows and lists.map(rows, function(row)
        return setmetatable({ values = group_file.key(row) == event and lists.map(row.values, function(value) return factor * value end)
            or nil }, { __index = row })
    end)
end

-- record: of a diagnosis; verdicts: that it used -> { events = names of all counted events, judge = function(event, factor) -> findings; as
-- counted without an event }. Patterns are those of patterns/, today.
function rejudge.prepare(record, verdicts)
    local node, arch = node_of(record.node), record.node.arch
    local patterns = {}
    for path in assert(io.popen "ls patterns/*.lua"):lines() do
        patterns[#patterns + 1] = fixture.pattern(path:match "([%w_]+)%.lua$")
    end
    local threads = #record.system
    local wanted = plan.of_files { files = { { text = fixture.text("groups/" .. arch .. "/pmu.costs"), file = "pmu.costs" } }, node = node,
        patterns = patterns, groups = fixture.groups(arch), machine = fixture.machine(arch), record = verdicts, processes = 1,
        threads = threads, cores = ("0-%d"):format(threads - 1) }
    local function judged(event, factor)
        local counted = setmetatable({ counts = scaled(record.counts, event, factor),
            turned_counts = scaled(record.turned_counts, event, factor) }, { __index = record })
        return judge.judge({ candidates = wanted.candidates, line_cycles = wanted.line_cycles, rates = wanted.rates, node = node,
            limit = record.limit, counted = counted }).findings
    end
    local seen = {}
    for _, row in ipairs(record.counts) do
        seen[group_file.key(row)] = true
    end
    return { events = lists.sorted(seen), judge = judged }
end

return rejudge
