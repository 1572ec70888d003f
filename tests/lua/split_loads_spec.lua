-- split_loads_spec.lua - which loads lie in two lines of 64 bytes, by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

-- The expected split loads of the only thread, by a point's arguments.
local function splits(kernels)
    local expected = fixture.expected(fixture.planned("split_loads", { kernels = kernels }))
    return function(arguments)
        return expected[arguments]["Split loads"]["0"]
    end
end

describe("split_loads", function()
    it("splits every second load of 32 bytes, every fourth of 16, every eighth of 8", function()
        local of = splits()
        assert.equal(256 / 2 * 4000, of("shifted 256 8 4000").value) -- at 8 and 40: 40 + 32 = 72
        assert.equal(256 / 2 * 8000, of("shifted 256 40 8000").value) -- at 40 and 8
        assert.equal(256 / 4 * 4000, of("shifted_half 256 8 4000").value) -- at 8, 24, 40 and 56
        assert.equal(512 / 8 * 4000, of("shifted_word 512 4 4000").value) -- at 4, 12, .. 60
    end)

    it("splits no load that begins at a line or in its middle", function()
        local of = splits()
        assert.same({ min = 0, value = 0, max = 0, work = 256 * 4000 }, of("aligned 256 64 4000"))
        assert.equal(0, of("aligned 256 32 8000").max) -- 32 + 32 = 64: ends with the line
    end)

    it("refuses a loop whose pass is not a load", function()
        local kernels = fixture.kernels()
        kernels["split_loads:sum_avx"].parts.pass.loads = 4
        assert.has_error(function() splits(kernels) end)
    end)
end)
