-- perf_events.lua - perf's names for the events of a group. SPDX-License-Identifier: GPL-3.0-or-later
--
-- Events are given by their codes from the architecture's pmu.events, because LIKWID's names are not perf's:
-- cpu@event\=0xc5\,umask\=0x0@. Fixed counters are perf's generic events, in their order.
local pmu_lines = require "input.pmu_lines"

local perf_events = {}

local FIXED = { FIXC0 = "instructions", FIXC1 = "cycles", FIXC2 = "ref\\-cycles" }

local function core_events(found)
    local known = {}
    for _, event in ipairs(found.events) do
        known[event.name] = event.unit == "PMC" and event or known[event.name]
    end
    for _, response in ipairs(found.responses) do
        known[response.name] = { code = response.code, umask = response.umask, is_response = true }
    end
    return known
end

-- Core events in the text of pmu.events: { [event's name] = { code =, umask =, is_response = } }.
function perf_events.read(table_text)
    return core_events(pmu_lines.read(table_text))
end

-- { core = read(table_text), events = all events (pmu_lines), drivers = { [unit] = Linux' name of its boxes' PMUs } }
function perf_events.known(table_text)
    local found, drivers = pmu_lines.read(table_text), {}
    for unit, name in ("\n" .. table_text):gmatch "\ndriver (%S+) (%S+)" do
        drivers[unit] = name
    end
    return { core = core_events(found), events = found.events, drivers = drivers }
end

-- event: its counter, event and options -> code, unit mask and offcore response |nil, as numbers; nil and the reason if there are none.
function perf_events.code(events, event)
    if not event.counter:find "^PMC%d+$" then
        return nil, "perf names the boxes outside of the cores otherwise"
    end
    local known = events[event.event]
    local request, response = event.options:match "^MATCH0=(0x%x+):MATCH1=(0x%x+)$"
    if not known or next(known.options or {}) or (event.options ~= "") ~= (known.is_response and request ~= nil or false) then
        return nil, ("the code of %s is not known"):format(event.event)
    end
    return known.code, known.umask, request and tonumber(request) | tonumber(response) << 16 or nil
end

-- A tool's name for the event of a group's counter: fixed[counter], or what write(code, unit mask, offcore response |nil) returns. nil and
-- the reason if there is none.
function perf_events.written(events, event, fixed, write)
    if fixed[event.counter] then
        return fixed[event.counter]
    end
    local code, umask, response = perf_events.code(events, event)
    if not code then
        return nil, umask
    end
    return write(code, umask, response)
end

-- perf's name for the event of a group's counter; nil and the reason if there is none.
function perf_events.name(events, event)
    return perf_events.written(events, event, FIXED, function(code, umask, response)
        local parts = { ("event\\=%#x"):format(code), ("umask\\=0x%x"):format(umask) }
        parts[3] = response and ("offcore_rsp\\=%#x"):format(response) or nil
        return ("cpu@%s@"):format(table.concat(parts, "\\,"))
    end)
end

-- term: formula, parsed, and events by the formula's names -> the formula over perf's events; nil and the reason if perf cannot express
-- it. provided: names that perf has for other names |nil
function perf_events.expression(events, term, provided)
    local names = {}
    for _, name in ipairs(term.parsed.names) do
        local shown, why = provided and provided[name], nil
        if not shown and not term.events[name] then
            return nil, ("its formula has %s"):format(name)
        elseif not shown then
            shown, why = perf_events.name(events, term.events[name])
        end
        if not shown then
            return nil, why
        end
        names[name] = shown
    end
    return (term.formula:gsub("%f[%w_][%a_][%w_:=]*", names))
end

return perf_events
