#!/usr/bin/env lua5.4
-- tests/order.lua - checks dependencies: no Lua module requires, and no C file includes, a file of a later folder (in the order below);
-- products use the core and never each other; no modules depend on each other in a circle. Prints each violation; exit status 1 if there is
-- one.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Folders in their order, "." being the files of the root. Folders of one line do not depend on each other.
local ORDER = {
    lua = {
        "doors", "numeric", "model", "input", "plan", "read", "judge", "record", "report",
        { "events", "exchange", "fleet", "lint", "program", "sampling" },
    },
    validate = {
        "exec", "host", "kernel", "likwid", "record", "node", "command", "run",
        { "events", "exchange", "fleet", "lint", "program", "sampling" },
        "cli",
    },
    vnode = { "sim", ".", "pmu", "engine", "shim", "launch" },
}

local bad = 0
local function complain(...)
    bad = bad + 1
    print(string.format(...))
end

local function lines_of(command)
    local pipe, list = assert(io.popen(command)), {}
    for line in pipe:lines() do
        list[#list + 1] = line
    end
    pipe:close()
    return list
end

local function read(file)
    local input <close> = assert(io.open(file))
    return input:read "a"
end

local function exists(file)
    local input = io.open(file)
    return input and input:close()
end

-- "lua/plan/plan.lua" -> "plan"; "." for a file in no folder.
local function folder_of(root, file)
    return file:match("^" .. root .. "/([^/]+)/") or "."
end

local function places(root)
    local place = {}
    for number, entry in ipairs(ORDER[root]) do
        for _, name in ipairs(type(entry) == "table" and entry or { entry }) do
            place[name] = number
        end
    end
    return place
end

-- Lua modules that a file requires, without those in no folder of lua/ ("linear", "sandbox").
local function required(file)
    local list = {}
    for name in read(file):gmatch 'require%s*%(?"([%w_]+%.[%w_.]+)"' do
        local used = "lua/" .. name:gsub("%.", "/") .. ".lua"
        if not exists(used) then
            complain("%s requires %s, which is not there", file, name)
        end
        list[#list + 1] = used
    end
    return list
end

-- Files of the repository that a C file includes.
local function included(file)
    local list = {}
    for name in read(file):gmatch '#include "([^"]+)"' do
        local near = file:match "^(.*/)" .. name
        list[#list + 1] = exists(name) and name or exists(near) and near or nil
    end
    return list
end

-- { [module] = { [module it uses] = true } }, a module being a file without its ending; complains about each use of a later folder.
local function modules_of(root)
    local place, graph = places(root), {}
    for _, file in ipairs(lines_of(("find %s -name '*.lua' -o -name '*.[ch]'"):format(root))) do
        local module, own = file:gsub("%.%w+$", ""), folder_of(root, file)
        graph[module] = graph[module] or {}
        if not place[own] then
            complain("%s: folder %s has no place in tests/order.lua", file, own)
        end
        for _, used in ipairs(file:find "%.lua$" and required(file) or included(file)) do
            local other = folder_of(root, used)
            if used:find("^" .. root .. "/") then
                if other ~= own and (place[other] or 0) >= (place[own] or math.huge) then
                    complain("%s uses %s, which comes later", file, used)
                end
                graph[module][used:gsub("%.%w+$", "")] = true
            end
        end
    end
    return graph
end

-- Finds circular dependencies by depth-first search and prints the path.
local function find_circles(graph)
    local state = {}
    local function visit(module, way)
        state[module] = "open"
        way[#way + 1] = module
        for used in pairs(graph[module] or {}) do
            if used ~= module and state[used] == "open" then
                complain("circle: %s -> %s", table.concat(way, " -> "), used)
            elseif used ~= module and not state[used] then
                visit(used, way)
            end
        end
        way[#way] = nil
        state[module] = "done"
    end
    for module in pairs(graph) do
        if not state[module] then
            visit(module, {})
        end
    end
end

for root in pairs(ORDER) do
    local graph = modules_of(root)
    if next(graph) == nil then
        complain("%s: no source found", root)
    end
    find_circles(graph)
end
os.exit(bad == 0)
