-- vector_transitions_spec.lua - transitions between AVX and SSE, by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

describe("vector_transitions", function()
    local function nothing(work)
        return { min = 0, value = 0, max = 0, work = work }
    end

    it("has four transitions each way per pass of the mixed code, and none in the others", function()
        local found = {}
        for _, point in ipairs(fixture.planned("vector_transitions").jobs[1].points) do
            found[point.code] = found[point.code] or point.expected
        end
        local mixed, cleared = found.mixed, found.cleared
        local passes = 12288 * 512 / 16
        assert.equal(4 * passes, mixed["AVX to SSE transitions"]["0"].value)
        assert.equal(4 * passes, mixed["SSE to AVX transitions"]["0"].value)
        assert.near(4 * passes / (13 + 12288 * (9 + 19) + 23 * passes), mixed["AVX to SSE transitions per instruction"]["0"].value, 1e-12)
        assert.same(nothing(13 + 12288 * (9 + 19) + 27 * passes), cleared["AVX to SSE transitions"]["0"])
        assert.same(nothing(1), cleared["AVX to SSE transitions per instruction"]["0"])
        assert.equal(0, found.encoded["SSE to AVX transitions"]["0"].value)
    end)
end)
