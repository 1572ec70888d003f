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

-- The counters of the array NAME_counter_map, which one of the headers defines: a set; nil if none does.
local function counters_of(headers, name)
    for _, header in ipairs(headers) do
        local body = header.text:find(name .. "_counter_map[", 1, true)
            and header.text:match("RegisterMap%s+" .. name .. "_counter_map%s*%b[]%s*=%s*(%b{})")
        if body then
            local counters = {}
            for counter in body:gsub("/%*.-%*/", ""):gsub("//[^\n]*", ""):gmatch '{%s*"([%w_]+)"' do
                counters[counter] = true
            end
            return counters
        end
    end
end

-- Kinds of counters that NAME's header makes at run time: a set; nil if it makes none.
local function made_of(headers, name)
    for _, header in ipairs(headers) do
        if header.text:find("int " .. name .. "_init_counter_map", 1, true) then
            local made = {}
            for kind in header.text:gmatch '"(%u+)%%d[C%%d]*"' do
                made[kind] = true
            end
            return made
        end
    end
end

-- files = array of { file =, text = } of a tree -> { [architecture] = { file = of its event table, open() } }. open() reads on:
-- { table = event_table.read(), counters = set |nil, made = set of kinds of counters that are made at run time |nil }.
function source_tree.read(files)
    local by_name, found = lists.index(files, function(file) return file.file:match "[^/]+$" end), {}
    local headers = lists.filter(files, function(file) return file.file:find "%.h$" end)
    if not by_name["topology.c"] or not by_name["perfmon.c"] then
        error("the tree of LIKWID's sources has no src/topology.c or no src/perfmon.c", 0)
    end
    for name, arch in pairs(architectures(by_name["topology.c"].text, by_name["perfmon.c"].text)) do
        local file = by_name["perfmon_" .. arch.events .. "_events.txt"]
        found[name] = file and { file = file.file, open = function()
            return { table = event_table.read(file), counters = counters_of(headers, arch.counters), made = made_of(headers, arch.events) }
        end }
    end
    return found
end

return source_tree
