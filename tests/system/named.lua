-- named.lua - of LIKWID's list of events (likwid-perfctr -e, standard input) those that groups/ARCH/pmu.events names: how many, how many
-- of them never happen, and one line for each whose code or unit mask is another one. SPDX-License-Identifier: GPL-3.0-or-later
--     lua5.4 tests/system/named.lua ARCH <LIST
package.path = "tests/lua/?.lua;lua/?.lua;" .. package.path
local fixture = require "fixture"
local pmu_lines = require "input.pmu_lines"

local events, named, never = {}, 0, 0
for _, event in ipairs(pmu_lines.read(fixture.text(("groups/%s/pmu.events"):format(arg[1]))).events) do
    events[event.name] = event
end
for line in io.lines() do
    local name, code, umask = line:match "^([%w_]+), (0x%x+), (0x%x+), "
    local event = events[name]
    if event then
        named = named + 1
        never = never + (event.made == "0" and 1 or 0)
        if event.unit ~= "FIXC" and (event.code & 0xff ~= tonumber(code) or event.umask ~= tonumber(umask)) then
            print(("%s is %s %s"):format(name, code, umask))
        end
    end
end
print(("%d named, %d of them never happen"):format(named, never))
