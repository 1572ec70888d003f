-- nodes.lua - for the name of a virtual node: its architecture, and the description from which plans are made.
-- SPDX-License-Identifier: GPL-3.0-or-later
local boxes = require "plan.boxes"
local fixture = require "fixture"
local levels = require "model.levels"

local nodes = {}

local DEFAULT = "haswellEP" -- the meaning of `virtual` alone

local function divide(cpus, sockets, parts, size)
    local list = {}
    for socket = 0, sockets - 1 do
        for part = 0, parts - 1 do
            local own = {}
            for core = part * size, math.min((part + 1) * size, cpus) - 1 do
                own[#own + 1] = socket * cpus + core
            end
            list[#list + 1] = own
        end
    end
    return list
end

-- `given`: a node file's deviations, { channels =|nil, agents =|nil, l3 = { size =|nil, ways =|nil } }; {}: nothing.
local function describe(name, machine, sockets, cores, given)
    local all = levels.of_data(machine)
    local most = all[#all].cores == "socket" and cores or all[#all].cores
    local domains = (cores + most - 1) // most
    local size = (cores + domains - 1) // domains
    local node = {
        name = name,
        kind = "virtual",
        arch = machine.arch,
        sockets = sockets,
        cores_per_socket = cores,
        smt = 1,
        line_bytes = machine.processor.line,
        large_pages = true,
        openblas = true,
        caches = {},
        cpus_by_socket = divide(cores, sockets, 1, cores),
        cpus_by_domain = divide(cores, sockets, domains, size),
        numa_domains = sockets * (machine.processor.numa_domains or 1),
        channels = given.channels or machine.processor.channels,
        agents = given.agents or machine.processor.home_agents,
    }
    for number, level in ipairs(all) do
        local slices = level.slices == "core" and size or level.slices or 1
        local sharers = number == #all and size or level.cores
        local own = given[number == 1 and "l1d" or "l" .. number] or {}
        node.caches[number] = { level = number, size_bytes = (own.size or level.size) * slices, ways = own.ways or level.ways,
            shared_by_cores = sharers }
    end
    return node
end

-- The properties that the node's name states, in the form of a node file: { arch =, sockets =|nil, cores_per_socket =|nil }.
local function named(name)
    local arch, sockets, cores = name:match "^virtual:(.+)%-(%d+)x(%d+)$"
    return { arch = arch or name:match "^virtual:(.+)$" or DEFAULT, sockets = tonumber(sockets), cores_per_socket = tonumber(cores) }
end

-- "virtual", "virtual:ARCH", "virtual:ARCH-SxC" or "virtual:PATH" of a node file, with a '/'
-- -> { arch =, machine =, node =, groups = those that fit the node, all_groups = }.
function nodes.find(name)
    local path = name:match "^virtual:(.*/.*)$"
    local given = path and dofile(path) or named(name)
    local machine = fixture.machine(given.arch)
    local sockets, cores = machine.processor.shape:match "^(%d+)x(%d+)$"
    local found = { arch = given.arch, machine = machine, all_groups = fixture.groups(given.arch) }
    found.node = describe(name, machine, given.sockets or math.tointeger(tonumber(sockets)),
        given.cores_per_socket or math.tointeger(tonumber(cores)), given)
    found.groups = boxes.fit_all(found.all_groups, machine, found.node)
    return found
end

return nodes
