-- described.lua GROUPS ARCH-SxC EXPRESSION: a value of the node's description, of `d`: the processor's fields, the levels by
-- name (d.L3.size), d.sockets, d.cores_per_socket, d.cores (of all sockets), d.last (bytes of one last level).
-- SPDX-License-Identifier: GPL-3.0-or-later
local groups, expression = arg[1], arg[3]
local arch, sockets, cores = arg[2]:match "^(.*)%-(%d+)x(%d+)$"
local kinds = setmetatable({}, { __index = function() return function(entry) return entry end end })
local machine = assert(loadfile(("%s/%s/machine.lua"):format(groups, arch), "t", kinds))()
local d = machine.processor
d.sockets, d.cores_per_socket = math.tointeger(sockets), math.tointeger(cores)
d.cores = d.sockets * d.cores_per_socket
for _, level in ipairs(machine.levels) do
    d[level.name] = level
end
d.last = d.L3.size * (d.L3.slices == "core" and d.cores_per_socket or d.L3.slices)
print(assert(load("local d, string = ... return " .. expression))(d, string))
