-- perf_list.lua - events and metrics by `perf list --details`. SPDX-License-Identifier: GPL-3.0-or-later
--
--     EVENT                            METRIC
--          [description]                    [description]
--           PMU/FIELDS/                     [expression]
-- and lines EVENT -> PMU/FIELDS/ for events that the list gives no fields of (validate/run/perf_list.c)
local perf_list = {}

local function add_bracket(found, name, text)
    local is_second = found.described[name]
    found.metrics[name] = found.metrics[name] or is_second and text or nil
    found.described[name] = true
end

-- { events = { [name in small letters] = { pmu =, fields = "event=0xc5,umask=0x1" } }, metrics = { [name] = expression } }
function perf_list.read(text)
    local found, name = { events = {}, metrics = {}, described = {} }, nil
    for line in text:gmatch "[^\n]+" do
        local bracket, coded = line:match "^ +%[(.*)%]$", line:match "^(%S+) %->"
        local pmu, fields = line:match " +([%w_]+)/(%S+)/ *$"
        if line:find "^  %S+ *$" then
            name = line:match "%S+"
            found.described[name] = nil
        elseif name and bracket then
            add_bracket(found, name, bracket)
        elseif pmu and (coded or name) then
            found.events[(coded or name):lower()] = { pmu = pmu, fields = fields:gsub("period=%w+,?", ""):gsub(",$", "") }
        end
    end
    found.described = nil
    return found
end

return perf_list
