-- controls.lua - a pattern's controls: codes that show the pattern, and codes that do the same work without it.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A control { code =, codes = (one of them), level =, placement =, thread = (each |nil: any) } selects what matches all its keys. A
-- pattern names placements "core" and "socket"; samples have LIKWID's "S0:THREADS".
local lists = require "input.lists"
local placement = require "plan.placement"

local controls = { NAMES = { "present", "absent" } }

local MATCHED = { "code", "level" }

-- Does it match the control, ignoring the thread? `measured` has code, level and placement.
function controls.is_of(measured, control)
    local differs = lists.any(MATCHED, function(key) return control[key] ~= nil and control[key] ~= measured[key] end)
    if differs or control.codes and not lists.contains(control.codes, measured.code) then
        return false
    end
    return control.placement == nil or measured.placement == control.placement
        or measured.placement ~= nil and placement.is_called(measured.placement, control.placement)
end

-- Does the sample, which belongs to one thread, match the control?
function controls.matches(sample, control)
    return (control.thread == nil or control.thread == sample.thread) and controls.is_of(sample, control)
end

-- "present", "absent", or nil if it matches neither control.
function controls.which(pattern, measured)
    return lists.find(controls.NAMES, function(name)
        local control = (pattern.controls or {})[name]
        return control and controls.is_of(measured, control)
    end)
end

return controls
