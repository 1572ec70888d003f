-- rejudge.lua - judges the stored counts of a diagnosis again, as they are or as a wrong counter would have counted them.
-- SPDX-License-Identifier: GPL-3.0-or-later
package.path = "lua/?.lua;tests/lua/?.lua;" .. package.path
local campaign = dofile "tests/campaign.lua"
local fixture = require "fixture"
local group_file = require "input.group"
local judge = require "program.judge.diagnosis"
local lists = require "input.lists"
local plan = require "program.plan.diagnosis"

local rejudge = {}

-- The node of a record, with the fields of a plan.
local function node_of(described)
    local node, cpus = fixture.node(), {}
    lists.merge(node, described)
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

-- A record of a diagnosis, `given` = what all records of an architecture share -> { events = names of all counted events, judge =
-- function(event, factor) -> findings; as counted without an event }.
local function prepare(record, given)
    local node, threads = node_of(record.node), #record.system
    local wanted = plan.of_files(setmetatable({ node = node, processes = 1, threads = threads, cores = ("0-%d"):format(threads - 1) },
        { __index = given }))
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

-- A function of a row with `program` and `threads` whose diagnosis is stored (run.lua) -> { events =, judge = } of it, by the patterns of
-- patterns/ today and the verdicts that it used.
function rejudge.of(arch)
    local folder, costs = campaign.BUILD .. "/confusion", ("groups/%s/pmu.costs"):format(arch)
    local given = { files = { { text = fixture.text(costs), file = costs } }, groups = fixture.groups(arch),
        machine = fixture.machine(arch), record = campaign.read_json(("%s/%s.json"):format(folder, arch)), patterns = {} }
    for path in assert(io.popen "ls patterns/*.lua"):lines() do
        table.insert(given.patterns, fixture.pattern(path:match "([%w_]+)%.lua$"))
    end
    return function(row)
        return prepare(campaign.read_json(("%s/%s-%s-%s.json"):format(folder, arch, row.program, row.threads)), given)
    end
end

return rejudge
