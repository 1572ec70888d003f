-- perf_metrics.lua - events and formulas of Linux' metrics (perf stat -M). SPDX-License-Identifier: GPL-3.0-or-later
local formula = require "input.formula"
local lists = require "input.lists"
local perf_expression = require "input.perf_expression"

local perf_metrics = {}

-- What formulas of groups/perf.metrics and perf's expressions have besides metrics and events.
local TIMES = { time = true, duration_time = true }
local NEXT_TO = { instructions = { "cpu", "event=0xc0" }, branches = { "hardware", "config=4" } }

-- Events that Linux counts in a fixed counter: its number, and the general event.
local FIXED = { ["cpu event=0xc0"] = { 0, "hardware config=1" }, ["cpu event=0x3c"] = { 1, "hardware config=0" } }

-- An event of perf's expression, "EVENT:MODIFIERS", "PMU@TERM\,TERM@" or "EVENT@TERM@" -> PMU and fields.
local function code_of(state, name)
    local first, inner = name:match "^([%w_.]+)@(.*)@$"
    local pmu, fields = first, {}
    for term in (inner and first .. "\\," .. inner or name:match "^[^:]+"):gsub("\\,", "\n"):gsub("\\", ""):gmatch "[^\n]+" do
        local listed = state.listed.events[term:lower()]
        pmu = listed and listed.pmu:gsub("_%d+$", "") or pmu
        fields[#fields + 1] = listed and listed.fields or term ~= first and term or nil
    end
    if not pmu then
        error(("perf list does not say how to count %s"):format(name), 0)
    end
    return pmu, table.concat(fields, ",")
end

local function unit_of(state, pmu)
    return lists.find(state.machine.counters, function(box)
        local driver = state.drivers[box.name]
        return driver and (driver == pmu or driver == "uncore_" .. pmu)
    end) or error(("no PMU %s is known here"):format(pmu), 0)
end

-- Adds an event and returns its name in formulas. The name of the event is a cell of a file with commas.
local function add_event(state, counter, selector, scope, options)
    local name = options ~= "" and counter .. ":" .. options or counter
    state.events[#state.events + 1] = { name = name, counter = counter, event = selector:gsub("[ ,]", ":"), options = options,
        selector = selector, scope = scope }
    return name
end

local function next_counter(state, unit)
    state.used[unit] = (state.used[unit] or -1) + 1
    return state.used[unit]
end

local function add_core(state, selector)
    local fixed = FIXED[selector]
    local slot = fixed and lists.any(state.machine.counters, function(box) return box.name == "FIXC" end) and "FIXC" .. fixed[1]
    return add_event(state, slot or "PMC" .. next_counter(state, "PMC"), fixed and fixed[2] or selector, "core", "")
end

-- perf adds up all boxes of a kind. A filter belongs to the box, so events with different ones cannot be counted at a time (pack.lua).
local function add_box(state, pmu, fields)
    local box = unit_of(state, pmu)
    local opcode, driver = fields:match "filter_opc=(%w+)", state.drivers[box.name]
    local index, options = next_counter(state, box.name), opcode and "OPCODE=" .. opcode or ""
    local scope = box.shared_by or box.boxes and "socket" or "core"
    state.scope = scope
    if not box.boxes then
        return add_event(state, box.name .. index, driver .. " " .. fields, scope, options)
    end
    local names = {}
    for number = 0, box.boxes - 1 do
        names[number + 1] = add_event(state, ("%s%dC%d"):format(box.name, number, index), ("%s_%d %s"):format(driver, number, fields),
            scope, options)
    end
    return ("(%s)"):format(table.concat(names, "+"))
end

local function add(state, pmu, fields)
    local selector = pmu .. " " .. fields
    if not state.names[selector] then
        local is_core = pmu == "cpu" or pmu == "hardware"
        state.names[selector] = is_core and add_core(state, selector) or add_box(state, pmu, fields)
    end
    return state.names[selector]
end

-- The expression over counters; `within`: the metrics whose expressions are being expanded.
local function expand(state, text, within)
    local names, plain = perf_expression.names_of((text:gsub("d_ratio(%b())", function(pair) return (pair:gsub(",", "/")) end)))
    local function of(index)
        local name = names[tonumber(index)]
        local metric = not within[name] and state.listed.metrics[name]
        if TIMES[name] then
            return "time"
        elseif metric then
            within[name] = true
            local inner = expand(state, metric, within)
            within[name] = nil
            return ("(%s)"):format(inner)
        end
        return add(state, table.unpack(NEXT_TO[name] or { code_of(state, name) }))
    end
    return (plain:gsub("V(%d+)", of))
end

local function expanded(state, text)
    local found = expand(state, text, {})
    formula.parse(found)
    return (found:gsub("%s", ""))
end

-- text: formula of groups/perf.metrics, known: { machine =, listed = perf_list.read(), drivers = perf_events.known().drivers }
-- -> { formula = over counters, events = of a group, scope = "core" | "socket" | "domain" }; nil and the reason if they are not known
function perf_metrics.counted(text, known)
    local state = { machine = known.machine, listed = known.listed, drivers = known.drivers, events = {}, names = {}, used = {} }
    local ok, found = pcall(expanded, state, text)
    if not ok then
        return nil, found
    end
    return { formula = found, events = state.events, scope = state.scope or "core" }
end

return perf_metrics
