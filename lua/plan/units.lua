-- units.lua - which threads show a quantity, and how many threads it counts: the threads of a core, a last-level domain or a socket.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- LIKWID gives the counts of a domain or socket to its first thread; each thread shows its own quantities of scope "core".
local lists = require "input.lists"

local units = {}

local function unit_of(node, scope, cpu)
    for index, cpus in ipairs(scope == "domain" and node.cpus_by_domain or node.cpus_by_socket) do
        if lists.contains(cpus, cpu) then
            return index
        end
    end
    error(("node %s: no %s has CPU %s"):format(node.name, scope, tostring(cpu)), 0)
end

-- cpus in the threads' order -> array of { cpu = that shows the value, cpus = all counted ones of the threads, thread = 0 .. of the first
-- }.
function units.of(node, scope, cpus)
    local found, seen = {}, {}
    for number, cpu in ipairs(cpus) do
        local key = scope == "core" and number or unit_of(node, scope, cpu)
        table.insert(lists.bin(seen, key, { cpu = cpu, cpus = {}, thread = number - 1 }, found).cpus, cpu)
    end
    return found
end

return units
