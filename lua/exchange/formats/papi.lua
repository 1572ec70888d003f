-- papi.lua - sums of the core's events as PAPI's user events (PAPI_USER_EVENTS_FILE). SPDX-License-Identifier: GPL-3.0-or-later
--
-- PAPI computes with whole numbers, so a metric is given in events or bytes, without its power of ten. Events are given by their codes,
-- because LIKWID's names are not libpfm4's. A CPU line names the processor as libpfm4 does.
local linear_form = require "input.linear_form"
local lists = require "input.lists"
local perf_events = require "input.perf_events"

local FIXED = { FIXC0 = "PAPI_TOT_INS", FIXC1 = "PAPI_TOT_CYC", FIXC2 = "PAPI_REF_CYC" }
local BYTES = { GBytes = 1e9, MBytes = 1e6, kBytes = 1e3 }

local function name_of(events, event)
    return perf_events.written(events, event, FIXED, function(code, umask, response)
        return not response and ("perf_raw::r%x"):format((code >> 8) << 32 | umask << 8 | code & 0xff) or nil, "it has an offcore response"
    end)
end

-- The operations and the events of a metric, as fields of a line; nil and the reason if PAPI cannot express it.
local function fields_of(events, metric)
    local form, why = linear_form.of(metric.parsed, {})
    if not form then
        return nil, why
    end
    local operations, names = {}, {}
    for i, name in ipairs(lists.sorted(form.terms)) do
        local factor = form.terms[name] * (BYTES[metric.unit] or 1)
        local whole = math.floor(factor + 0.5)
        if math.abs(factor - whole) > 1e-6 or whole < 1 then
            return nil, "PAPI computes with whole numbers"
        end
        names[i], why = name_of(events, metric.events[name])
        if not names[i] then
            return nil, why
        end
        operations[i] = ("N%d|%s%s"):format(i - 1, whole ~= 1 and whole .. "|*|" or "", i > 1 and "+|" or "")
    end
    return table.concat(operations) .. "," .. table.concat(names, ",")
end

return function(architecture, notes)
    if not architecture.libpfm4 then
        error(("--format papi: groups/%s/machine.lua has no libpfm4"):format(architecture.arch), 0)
    end
    local lines = lists.map(architecture.origin, function(line) return "# " .. line end)
    lines[#lines + 1] = "CPU," .. architecture.libpfm4
    for _, group in ipairs(architecture.groups) do
        for _, metric in ipairs(group.metrics) do
            local fields, why = fields_of(architecture.events, metric)
            if fields then
                lists.append(lines, metric.facts, function(line) return "# " .. line end)
                lines[#lines + 1] = ("EVENT,%s,DERIVED_POSTFIX,%s,NOTE,'%s%s'"):format(metric.id:upper(), fields,
                    metric.name:gsub("[,']", " "), BYTES[metric.unit] and " in bytes" or "")
            else
                notes[#notes + 1] = ("%s, %s: not given: %s"):format(group.name, metric.name, why)
            end
        end
    end
    return table.concat(lines, "\n") .. "\n"
end
