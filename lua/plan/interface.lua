-- interface.lua - what counts instead of LIKWID: perf_event_open(2), asked for the events of LIKWID's groups or of Linux' metrics, or
-- PAPI's presets.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each event of a group gets `selector`, "PMU FIELDS" as validate/exec/marker.c reads it, and `scope`, the threads that it counts. A group
-- with an event that has no selector gets `inexpressible`, the reason.
local array = require "input.array"
local lists = require "input.lists"
local pack = require "plan.pack"
local perf_events = require "input.perf_events"
local perf_list = require "input.perf_list"
local perf_metrics = require "plan.perf_metrics"

local interface = {}

local TOLERANCE_PCT = 1 -- of a preset or metric whose quantity no group shows

-- Linux' general events that the fixed counters count (PERF_COUNT_HW_*).
local GENERAL = { FIXC0 = "hardware config=1", FIXC1 = "hardware config=0", FIXC2 = "hardware config=9" }

-- LIKWID's options of an uncore event and Linux' fields.
local FIELDS = { OPCODE = "filter_opc", STATE = "filter_state", NID = "filter_nid", TID = "filter_tid", EDGEDETECT = "edge",
    INVERT = "inv", THRESHOLD = "thresh" }

local function field(name, value)
    return value ~= 0 and ("%s=%#x"):format(name, value) or nil
end

-- "OPCODE=0x182" -> "filter_opc=0x182"; nil and the reason if Linux has no such field.
local function add_options(fields, event)
    for name, value in event.options:gmatch "([%w_]+)=?(%w*)" do
        if not FIELDS[name] then
            return nil, ("perf has no field for LIKWID's option %s of %s"):format(name, event.event)
        end
        fields[#fields + 1] = field(FIELDS[name], value == "" and 1 or tonumber(value))
    end
    return table.concat(fields, ",")
end

-- An event of a box, "uncore_imc_0 event=0x4,umask=0x3".
local function of_box(known, event, box, slot)
    local driver = known.drivers[box.name]
    local coded = lists.find(known.events, function(one) return one.unit == box.name and one.name == event.event end)
    if not driver or not coded then
        return nil, ("perf has no PMU for %s of counter %s"):format(event.event, event.counter)
    end
    local number = box.boxes and slot:match "(%d+)C$"
    local fields, why = add_options({ ("event=%#x"):format(coded.code), field("umask", coded.umask) }, event)
    return fields and ("%s %s"):format(number and driver .. "_" .. number or driver, fields), why
end

local function of_core(known, event)
    return perf_events.written(known.core, event, GENERAL, function(code, umask, response)
        return "cpu " .. table.concat({ ("event=%#x"):format(code), ("umask=%#x"):format(umask),
            response and ("offcore_rsp=%#x"):format(response) }, ",")
    end)
end

-- "PMU FIELDS" of a group's event, and its scope; nil and the reason if perf cannot count it.
local function selector_of(known, machine, event)
    local slot, _, box = pack.locate(machine, event.counter)
    local text, why
    if event.counter:find "^PMC" or GENERAL[event.counter] then
        text, why = of_core(known, event)
    else
        text, why = of_box(known, event, box, slot)
    end
    return text, text and (box.shared_by or box.boxes and "socket" or "core") or why
end

local function select_all(known, machine, group)
    for _, event in ipairs(group.events) do
        local text, other = selector_of(known, machine, event)
        event.selector, event.scope = text, text and other
        group.inexpressible = group.inexpressible or not text and other or nil
    end
end

-- { machine =, groups =, events = of pmu.events } -> { machine =, groups = } with selectors.
function interface.perf(argument)
    local known = perf_events.known(argument.events)
    for _, group in pairs(argument.groups) do
        select_all(known, argument.machine, group)
    end
    return { machine = argument.machine, groups = argument.groups }
end

-- The lines of papi.presets and perf.metrics, NAME = QUANTITY [* N], or NAME = QUANTITY by FORMULA: array of { name =, quantity =,
-- formula = }.
local function read_lines(text)
    local found = {}
    for line in text:gmatch "[^\n]+" do
        local name, shown = line:gsub("#.*", ""):match "^(%S+) = (.-)%s*$"
        local quantity, formula = (shown or ""):match "^(.-) by (.+)$"
        local before, times = (shown or ""):match "^(.-)( %* %d+)$"
        found[#found + 1] = name and { name = name, quantity = quantity or before or shown,
            formula = formula or name .. (times or "") } or nil
    end
    return found
end

-- A group whose only metric shows the quantity; `why` it cannot |nil.
local function group_of(one, formula, events, why)
    local is_volume = one.quantity:find "volume$"
    return {
        name = one.name, short = one.quantity, long = "", events = array(events), inexpressible = why,
        metrics = array { { name = one.name, unit = is_volume and "GBytes",
            formula = is_volume and ("1.0E-09*(%s)"):format(formula) or formula } },
    }
end

-- PAPI runs one set of events at a time, and the sets of presets differ in size, so each preset has a run of its own.
local function group_of_preset(one)
    return group_of(one, one.formula:gsub(one.name, "PMC0"):gsub("%s", ""),
        { { name = "PMC0", counter = "PMC0", event = one.name, options = "", selector = "papi -", scope = "core" } })
end

-- The preset or metric as an entry of machine.traffic. Its tolerance is that of the machine's own metric for this quantity.
local function entry_of(one, machine, scope)
    local boundary, direction = one.quantity:match "^(L%d%-%w+) (%a+) volume$"
    local key = boundary or one.quantity
    local own = lists.find(machine.traffic, function(entry) return entry.boundary == key and entry.scope == scope end) or {}
    return {
        boundary = key, quantity = not boundary and key or nil, volume = boundary and { [direction] = one.name } or nil,
        group = one.name, metric = one.name, scope = scope, tolerance_pct = own.tolerance_pct or TOLERANCE_PCT,
        virtual_pct = own.virtual_pct, reason = own.reason or "counting adds a few instructions and lines",
    }
end

-- The machine with nothing but these entries.
local function showing(machine, groups, entries, none)
    machine.traffic, machine.cannot, machine.versions = array(entries), nil, nil
    machine.none = none
    return { machine = machine, groups = groups }
end

-- { machine =, groups =, text = of papi.presets } -> { machine =, groups = }, which show what the presets show.
function interface.papi(argument)
    local machine, groups = argument.machine, {}
    local entries = lists.map(read_lines(argument.text), function(one)
        groups[one.name] = group_of_preset(one)
        return entry_of(one, machine, "core")
    end)
    machine.counters = array { { name = "PMC", count = 1, bits = 64 } }
    return showing(machine, groups, entries, "no preset of PAPI")
end

-- { machine =, groups =, text = of perf.metrics, events = of pmu.events, listed = by perf list --details, smt = threads of a core }
-- -> { machine =, groups = }, which show what the metrics show that this perf knows.
function interface.perf_metrics(argument)
    local machine, groups = argument.machine, {}
    local perfmon = machine.processor and machine.processor.perfmon
    for _, box in ipairs(argument.smt == 1 and perfmon and machine.counters or {}) do -- LIKWID may use fewer
        box.count = box.name == "PMC" and perfmon.counters or box.count
    end
    local known = { machine = machine, listed = perf_list.read(argument.listed), drivers = perf_events.known(argument.events).drivers }
    local entries = lists.collect(read_lines(argument.text), function(one)
        if not known.listed.metrics[one.name] then
            return nil
        end
        local counted, why = perf_metrics.counted(one.formula, known)
        groups[one.name] = counted and group_of(one, counted.formula, counted.events) or group_of(one, "time", {}, why)
        return entry_of(one, machine, counted and counted.scope or "core")
    end)
    return showing(machine, groups, entries, "no metric of perf here")
end

return interface
