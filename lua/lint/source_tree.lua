-- source_tree.lua - finds the event table and the counters of each architecture in a tree of LIKWID's sources.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- src/topology.c gives a processor model its short name, which is the name of the groups' folder; src/perfmon.c gives the same model its
-- arrays X_arch_events, made of src/includes/perfmon_X_events.txt, and Y_counter_map. Both files are `switch`es over the models.
local event_table = require "lint.event_table"
local lists = require "input.lists"

local source_tree = {}

-- Calls use(models, ordinal, match) for each match of `pattern` in a switch: the models of the cases above it, and its number there.
local function walk(text, pattern, use)
    local models, fresh, count = {}, true, 0
    for line in text:gmatch "[^\n]+" do
        local model = line:match "^%s*case ([%u%d_]+):"
        local found = line:match(pattern)
        if model and fresh then
            models[#models + 1] = model
        elseif model then
            models, fresh, count = { model }, true, 0
        end
        if found then
            fresh, count = false, count + 1
            use(models, count, found)
        end
    end
end

local function by_model(text, pattern)
    local found = {}
    walk(text, pattern, function(models, ordinal, value)
        for _, model in ipairs(models) do
            found[model .. " " .. ordinal] = found[model .. " " .. ordinal] or value
        end
    end)
    return found
end

-- { [short name] = { events = X, counters = Y } }
local function architectures(topology, perfmon)
    local names, found = {}, {}
    for variable, name in topology:gmatch 'short_([%w_]+)%s*=%s*"([^"]+)"' do
        names[variable] = name
    end
    local tables = by_model(perfmon, "eventHash = ([%w_]+)_arch_events;")
    local maps = by_model(perfmon, "counter_map = ([%w_]+)_counter_map;")
    for key, variable in pairs(by_model(topology, "short_name = short_([%w_]+);")) do
        local name = names[variable]
        if name and tables[key] and not (found[name] and found[name].key < key) then
            found[name] = { key = key, events = tables[key], counters = maps[key] }
        end
    end
    return found
end

-- The counters of all Y_counter_map arrays of a header, into maps[Y].
local function read_counters(text, maps)
    for name, body in text:gmatch "RegisterMap%s+([%w_]+)_counter_map%s*%b[]%s*=%s*(%b{})" do
        local counters = {}
        for counter in body:gsub("/%*.-%*/", ""):gsub("//[^\n]*", ""):gmatch '{%s*"([%w_]+)"' do
            counters[counter] = true
        end
        maps[name] = counters
    end
end

-- Kinds of counters that a header makes at run time, into made[X].
local function read_made(text, made)
    local name = text:match "int ([%w_]+)_init_counter_map"
    if name then
        made[name] = {}
        for kind in text:gmatch '"(%u+)%%d[C%%d]*"' do
            made[name][kind] = true
        end
    end
end

-- files = array of { file =, text = } of a tree -> { [architecture] = { file =, table = event_table.read(), listed = its events as
-- likwid-perfctr -e, counters = set, made = set of kinds |nil } }
function source_tree.read(files)
    local by_name, maps, made, found = {}, {}, {}, {}
    for _, file in ipairs(files) do
        by_name[file.file:match "[^/]+$"] = file
        if file.file:find "%.h$" then
            read_counters(file.text, maps)
            read_made(file.text, made)
        end
    end
    if not by_name["topology.c"] or not by_name["perfmon.c"] then
        error("the tree of LIKWID's sources has no src/topology.c or no src/perfmon.c", 0)
    end
    for name, arch in pairs(architectures(by_name["topology.c"].text, by_name["perfmon.c"].text)) do
        local file = by_name["perfmon_" .. arch.events .. "_events.txt"]
        if file then
            file.read = file.read or event_table.read(file)
            found[name] = { file = file.file, table = file.read, counters = maps[arch.counters], made = made[arch.events] }
        end
    end
    return found, lists.collect(lists.sorted(by_name), function(name) return by_name[name].read end)
end

return source_tree
