-- tolerances_spec.lua - the largest allowed tolerances: a wider tolerance is a laxer judgement, and wrong counts are no reason for it.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The limits are those of docs/verdicts.md, by what lies between the code and the counter.
local fixture = require "fixture"
local quantity = require "plan.quantity"

-- In %: the code's own operations; lines of a core's caches, which its stack and the Marker API share, with loads by where they were
-- served and translations; lines of memory.
local OF_CODE, OF_CORE, OF_MEMORY = 0.1, 1, 2
-- Of a virtual node, which has no noise: what the Marker API's own lines are of the smallest region.
local VIRTUAL = 0.5

-- Quantities of its caches and TLBs.
local IN_CORE = { "modified", "shared lines$", "^lines from caches ", "^loads from ", "^loads past ", "TLB", "walks" }

local function limit(entry)
    local name = entry.quantity
    if name and name:find "memory" or entry.boundary:find "MEM" then
        return OF_MEMORY
    end
    for _, pattern in ipairs(IN_CORE) do
        if not name or name:find(pattern) then
            return OF_CORE
        end
    end
    return OF_CODE
end

describe("tolerances", function()
    for _, line in ipairs(fixture.group_files "groups/*/machine.lua") do
        local arch = line:match "groups/(.-)/"

        it("are no larger than documented: " .. arch, function()
            for _, entry in ipairs(fixture.machine(arch).traffic) do
                assert(entry.tolerance_pct <= limit(entry),
                    ("%s:%s: %g %% where %g %% is the most"):format(entry.file, entry.line, entry.tolerance_pct, limit(entry)))
                assert((entry.virtual_pct or entry.tolerance_pct) <= VIRTUAL, ("%s:%s"):format(entry.file, entry.line))
            end
        end)
    end

    it("of a ratio are at most the sum of both values' tolerances", function()
        local one = { name = "n", group = "G", metric = "m", scope = "core", tolerance_pct = 0.7, virtual_pct = 0.2 }
        assert.near(1.4, quantity.ratio(one).tolerance_pct, 1e-12)
        assert.near(0.4, quantity.ratio(one).virtual_pct, 1e-12)
    end)

    it("are documented", function()
        local text = fixture.text "docs/verdicts.md"
        for _, percent in ipairs { OF_CODE, OF_CORE, OF_MEMORY, VIRTUAL } do
            assert(text:find(("%g %% "):format(percent), 1, true), percent)
        end
    end)
end)
