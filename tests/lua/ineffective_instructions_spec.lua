-- ineffective_instructions_spec.lua - FLOPs of rows by width, by hand: an addition and a multiplication an element.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

-- On Broadwell-EP, which counts all of them.
local function points(kernels)
    return fixture.expected(fixture.planned("ineffective_instructions", { arch = "broadwellEP", kernels = kernels }))
end

local function values(expected)
    local list = {}
    for i, metric in ipairs { "FLOPs DP", "Scalar FLOPs DP", "256-bit FLOPs DP", "AVX FLOPs DP", "FLOPs" } do
        list[i] = expected[metric]["0"].value
    end
    return list
end

describe("ineffective_instructions", function()
    it("has 2 L FLOPs for a row of L elements, by scalars, vectors or both", function()
        local found = points()
        local rows = 1024 * 256
        assert.same({ 32 * rows, 32 * rows, 0, 0, 32 * rows }, values(found["scalar 16 1024 256"]))
        rows = 1024 * 1024
        assert.same({ 32 * rows, 0, 32 * rows, 32 * rows, 32 * rows }, values(found["vector 16 1024 1024"]))
        rows = 1024 * 512
        assert.same({ 14 * rows, 6 * rows, 8 * rows, 8 * rows, 14 * rows }, values(found["remainders 7 1024 512"])) -- 4 and 3
        assert.same({ 28 * rows, 4 * rows, 24 * rows, 24 * rows, 28 * rows }, values(found["remainders 14 1024 512"])) -- 12 and 2
    end)

    it("has a share of vectors of 0, 100 %, or less because of the scalars at the end of a row", function()
        local found = points()
        local function share(name)
            return found[name]["Share of vectors DP"]["0"]
        end
        assert.same({ min = 0, value = 0, max = 0, work = 100 }, share "scalar 16 1024 256")
        assert.equal(100, share("vector 16 1024 1024").value)
        assert.near(400 / 7, share("remainders 7 1024 512").value, 1e-12)
        assert.equal(80, share("remainders 5 1024 512").value)
    end)

    it("counts instructions of rows, of the functions they call, and around them", function()
        local per = points()["remainders 7 1024 512"]["FLOPs per instruction"]["0"].value
        local row = 12 + (5 + 1 * 7) + (4 + 3 * 9) -- fixture's loops: of rows, a vector, three scalars
        assert.near(14 * 1024 / (15 + 1024 * row), per, 1e-12)
    end)

    it("refuses loops whose pass is not a vector, or not a scalar", function()
        for _, name in ipairs { "add_vectors", "add_scalars" } do
            local kernels = fixture.kernels()
            local part = kernels["ineffective_instructions:" .. name].parts.pass
            part.flops = 2 * part.flops
            assert.has_error(function() points(kernels) end)
        end
    end)
end)
