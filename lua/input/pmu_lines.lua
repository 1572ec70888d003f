-- pmu_lines.lua - reads events from groups/ARCH/pmu.events (syntax: vnode/pmu/table_file.h) and pmu.vendor: expands repeated lines, and
-- decodes unit masks by fields. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local pmu_lines = {}

-- Calls `use` with each line that a repeated line stands for.
function pmu_lines.repeated(line, use)
    local name, first, last = line:match "{(%u):(%d+)%-(%d+)}"
    if not name then
        use(line)
        return
    end
    for number = tonumber(first), tonumber(last) do
        pmu_lines.repeated((line:gsub("{" .. name .. ":%d+%-%d+}", number, 1):gsub("{" .. name .. "}", number)), use)
    end
end

local function number(text)
    local one, other = text:match "^(%w+)%+(%w+)$"
    return one and tonumber(one) + tonumber(other) or tonumber(text)
end

local function is_selected(field, umask)
    return umask & field.without == 0 and lists.all(field.masks, function(mask) return umask & mask ~= 0 end)
end

-- The sum of the counts that the event's code selects in its fields, as a formula; nil if unknown.
local function decode(fields, event)
    local sum, bits = {}, 0
    for _, field in ipairs(fields) do
        local is_own = field.unit == event.unit and field.code == event.code
        for _, mask in ipairs(is_own and field.masks or {}) do
            bits = bits | mask
        end
        if is_own and is_selected(field, event.umask) then
            if field.made == "?" then
                return nil
            end
            sum[#sum + 1] = field.made ~= "0" and field.made or nil
            sum.any = true
        end
    end
    if not sum.any or event.umask & ~bits ~= 0 then
        return nil
    end
    return #sum > 0 and table.concat(sum, " + ") or "0"
end

local function read_field(line, fields)
    local unit, code, masks, made = line:match "^field (%S+) (%S+) (%S+) = (.-)%s*$"
    if unit then
        local with, without = masks:match "^([^!]+)!?(.*)$"
        local selected = lists.collect(lists.words(with, "[^&]+"), function(mask) return tonumber(mask) end)
        fields[#fields + 1] = { unit = unit, code = number(code), masks = selected, without = tonumber(without) or 0, made = made }
    end
end

local function read_response(line, responses)
    local code, umask, register, name = line:match "^response (%S+) (%S+) (%S+) (%S+)"
    if code then
        responses[#responses + 1] = { unit = "PMC", code = number(code), umask = number(umask), options = {}, register = number(register),
            name = name }
    end
end

local function read_event(line, found)
    local unit, code, umask, name, rest = line:match "^event (%S+) (%S+) (%S+) (%S+)(.*)$"
    if unit then
        local event = { unit = unit, code = number(code), umask = number(umask), name = name, options = {} }
        if not event.code or not event.umask then
            error(("'%s': code and unit mask must be numbers"):format(line), 0)
        end
        event.made = rest:match "= (.-)%s*$" or decode(found.fields, event)
        for key, value in rest:gmatch "(%u[%u%d]*)=(%S+)" do
            event.options[key] = tonumber(value) or value
        end
        found.events[#found.events + 1] = event
    end
end

-- text of pmu.events -> { events = array of { unit =, code =, umask =, name =, options = { [KEY] = }, made = formula (of pmu.vendor: the
-- vendor's name) |nil: not known }, fields = array of { unit =, code =, .. }, responses = the same as events, with register = address, of
-- events that use an offcore response register }.
function pmu_lines.read(text)
    local found = { events = {}, fields = {}, responses = {} }
    for whole in text:gmatch "[^\n]+" do
        pmu_lines.repeated(whole:gsub("#.*", ""), function(line)
            read_field(line, found.fields)
            read_response(line, found.responses)
            read_event(line, found)
        end)
    end
    return found
end

return pmu_lines
