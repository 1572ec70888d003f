-- meanings.lua - lines of pmu.events that state meanings alone, joined with the vendor's codes. SPDX-License-Identifier: GPL-3.0-or-later
--
--     event UNIT NAME... [cycles] [once] [merge] [= FORMULA]
--
-- Each of the events has the code that the architecture's pmu.vendor gives it; without a formula the `field` lines of that code apply. Such
-- a line becomes one line for each event in the syntax of vnode/pmu/table_file.h. Lines that state a code stay as they are.
local pmu_lines = require "input.pmu_lines"

local meanings = {}

-- A line without {..} -> { unit =, names = array, rest = what follows the names }; nil if it is not a line of meanings.
local function read(line)
    local unit, rest = line:match "^event (%u%w*) +(%u.*)$"
    if not unit then
        return nil
    end
    local names = {}
    for name in rest:match "^[%u%d_ ]+":gmatch "%S+" do
        names[#names + 1] = name
    end
    local tail = rest:match "^[%u%d_ ]+(.*)$"
    return { unit = unit, names = names, rest = tail ~= "" and " " .. tail or "" }
end

-- Text of pmu.vendor -> function(unit, name) -> "CODE UMASK" |nil. In pmu.events codes with the select's extra bit begin at 0x100. The
-- unit mask's further bits (EXT) follow its first eight. MASK0, of units without a unit mask, is written in its place.
function meanings.codes(text)
    local codes = {}
    for _, event in ipairs(pmu_lines.read(text).events) do
        codes[event.unit .. " " .. event.name] = ("0x%02x 0x%02x"):format(event.code | (event.options.EXTSEL and 0x100 or 0),
            event.umask | (event.options.EXT or 0) << 8 | (event.options.MASK0 or 0))
    end
    return function(unit, name)
        return codes[unit .. " " .. name]
    end
end

-- Raises if a line of the architecture's own file, or of its changes, names an event without a code.
local function check(own, code_of)
    for number, whole in ipairs(own.lines) do
        pmu_lines.repeated(whole:gsub("^[+=] ", ""), function(line)
            local found = read(line)
            for _, name in ipairs(found and found.names or {}) do
                if not code_of(found.unit, name) then
                    error(("%s:%d: pmu.vendor has no event %s of %s; state its code (event %s CODE UMASK %s), or generate pmu.vendor again"
                        .. " (tests/vendor/generate.lua)"):format(own.path, number, name, found.unit, found.unit, name), 0)
                end
            end
        end)
    end
end

-- Lines of pmu.events with codes. An inherited event without a code is left out.
-- code_of: meanings.codes; own = { lines =, path = } the architecture's own lines, in which an event without a code is an error |nil
function meanings.joined(lines, code_of, own)
    if own then
        check(own, code_of)
    end
    local joined = {}
    local function add(line)
        local found = read(line)
        for _, name in ipairs(found and found.names or {}) do
            local code = code_of(found.unit, name)
            joined[#joined + 1] = code and ("event %s %s %s%s"):format(found.unit, code, name, found.rest)
        end
        joined[#joined + 1] = not found and line or nil
    end
    for _, line in ipairs(lines) do
        local is_stated = line:find "^event %S+ +%u"
        if is_stated then
            pmu_lines.repeated(line, add)
        else
            joined[#joined + 1] = line
        end
    end
    return joined
end

return meanings
