-- source_tree.lua - finds the event table and the counters of each architecture in a tree of LIKWID's sources.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- src/topology.c gives a processor model its short name, which is the name of the groups' folder; src/perfmon.c gives the same model its
-- arrays X_arch_events, made of src/includes/perfmon_X_events.txt, and Y_counter_map. Both files are `switch`es over the models.
local event_table = require "lint.event_table"
local lists = require "input.lists"

local source_tree = {}

-- Calls use(models, ordinal, match, family) for each match of `pattern` in a switch: the models of the cases above it, its number there,
-- and the family of the switch around.
local function walk(text, pattern, use)
    local models, fresh, count, family = {}, true, 0, nil
    for line in text:gmatch "[^\n]+" do
        local model = line:match "^%s*case ([%u%d_]+):"
        family = model and model:find "_FAMILY$" and model or family
        local found = line:match(pattern)
        if model and fresh then
            models[#models + 1] = model
        elseif model then
            models, fresh, count = { model }, true, 0
        end
        if found then
            fresh, count = false, count + 1
            use(models, count, found, family)
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

-- { [variable] = short name } of topology.c
local function short_names(topology)
    local names = {}
    for variable, name in topology:gmatch 'short_([%w_]+)%s*=%s*"([^"]+)"' do
        names[variable] = name
    end
    return names
end

local SHORT_NAME = "short_name = short_([%w_]+);"

-- { [short name] = array of { events = X, counters = Y }, one for each of its processors that differ }
local function architectures(topology, perfmon)
    local names, found = short_names(topology), {}
    local tables = by_model(perfmon, "eventHash = ([%w_]+)_arch_events;")
    local maps = by_model(perfmon, "counter_map = ([%w_]+)_counter_map;")
    local variables, seen = by_model(topology, SHORT_NAME), {}
    for _, key in ipairs(lists.sorted(variables)) do
        local name, maker = names[variables[key]], tables[key] and tables[key] .. " " .. (maps[key] or "")
        if name and maker and not seen[name .. " " .. maker] then
            seen[name .. " " .. maker] = true
            lists.push(found, name, { events = tables[key], counters = maps[key] })
        end
    end
    return found
end

-- Adds the counters of the array NAME_counter_map, which one of the headers defines, to a set; nil if none does.
local function add_counters(counters, headers, name)
    for _, header in ipairs(counters and headers or {}) do
        local body = header.text:find(name .. "_counter_map[", 1, true)
            and header.text:match("RegisterMap%s+" .. name .. "_counter_map%s*%b[]%s*=%s*(%b{})")
        if body then
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
            return lists.set(lists.words(header.text, '"(%u+)%%d[C%%d]*"'))
        end
    end
end

-- Joins what an architecture's processors have, because LIKWID offers the groups of one folder to all of them.
local function open(variants, files, headers)
    local opened = { tables = {}, counters = {} }
    for _, file in ipairs(files) do
        opened.tables[file.file] = opened.tables[file.file] or event_table.read(file)
    end
    for _, one in ipairs(variants) do
        opened.counters = add_counters(opened.counters, headers, one.counters)
        opened.made = made_of(headers, one.events) or opened.made
    end
    return opened
end

-- files as for read(), with topology.h -> array of { arch =, family =, model =, ordinal = its number among the architectures of the model }
function source_tree.models(files)
    local by_name, numbers, models = lists.index(files, function(file) return file.file:match "[^/]+$" end), {}, {}
    for name, value in by_name["topology.h"].text:gmatch "#define%s+([%u%d_]+)%s+(0x%x+)" do
        numbers[name] = tonumber(value)
    end
    local names = short_names(by_name["topology.c"].text)
    walk(by_name["topology.c"].text, SHORT_NAME, function(cases, ordinal, variable, family)
        for _, model in ipairs(numbers[family] and names[variable] and cases or {}) do
            models[#models + 1] = numbers[model] and model ~= family and { arch = names[variable], family = numbers[family],
                model = numbers[model], ordinal = ordinal } or nil
        end
    end)
    return models
end

-- files = array of { file =, text = } of a tree -> { [architecture] = { files = paths of its processors' event tables, open() } }. open()
-- reads them: { tables = { [path] = event_table.read() }, counters = set |nil, made = set of kinds of counters that are made at run time
-- |nil }.
function source_tree.read(files)
    local by_name, found = lists.index(files, function(file) return file.file:match "[^/]+$" end), {}
    local headers = lists.filter(files, function(file) return file.file:find "%.h$" end)
    if not by_name["topology.c"] or not by_name["perfmon.c"] then
        error("the tree of LIKWID's sources has no src/topology.c or no src/perfmon.c", 0)
    end
    for name, all in pairs(architectures(by_name["topology.c"].text, by_name["perfmon.c"].text)) do
        local function file_of(one) return by_name["perfmon_" .. one.events .. "_events.txt"] end
        local variants = lists.filter(all, file_of)
        local own = lists.map(variants, file_of)
        found[name] = own[1] and { files = lists.map(own, "file"), open = function() return open(variants, own, headers) end }
    end
    return found
end

return source_tree
