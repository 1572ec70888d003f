-- alu_saturation_spec.lua - operations in registers and with operands from L2: their counts by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

-- Expected values of the points, by their arguments. change(parts) may change the parts of both codes.
local function points(change, node)
    local kernels = fixture.kernels()
    local parts = { registers = kernels["alu_saturation:go_registers"].parts, from_l2 = kernels["alu_saturation:go_from_l2"].parts }
    if change then
        change(parts)
    end
    return fixture.expected(fixture.planned("alu_saturation", { node = node, kernels = kernels }))
end

describe("ALU saturation", function()
    it("has twelve operations a pass in both codes, and the code around the passes once", function()
        local found = points()
        assert.equal(10 + 3072 * 3072, found["registers 3072 3072"]["AVX operations"]["0"].value)
        assert.equal(10 + 3840 * 3072, found["from_l2 3840 3072"]["AVX operations"]["0"].value)
        assert.equal(30 + 14 * 256 * 6144, found["registers 3072 6144"]["Instructions"]["0"].value)
        assert.equal(32 + 21 * 320 * 3072, found["from_l2 3840 3072"]["Instructions"]["0"].value)
    end)

    it("moves the whole array in each sweep from L2, and nothing in registers", function()
        local found = points()
        assert.near(3072 * 32 * 3072 / 1e9, found["from_l2 3072 3072"]["L1-L2 load volume"]["0"].value, 1e-12)
        local none = found["registers 3072 3072"]["L1-L2 load volume"]["0"]
        assert.equal(0, none.max)
        assert.near(3072 * 32 * 3072 / 1e9, none.work, 1e-12)
    end)

    it("has no expected volume for an array smaller than twice L1", function()
        local node = fixture.node()
        node.caches[1].size_bytes = 64 * 1024
        assert.is_nil(points(nil, node)["from_l2 3072 3072"]["L1-L2 load volume"])
    end)

    it("refuses passes that are not twelve operations, with twelve loads or none", function()
        for what, value in pairs { flops = 96, loads = 1, stores = 1 } do
            for _, code in ipairs { "registers", "from_l2" } do
                assert.has_error(function() points(function(parts) parts[code].pass[what] = value end) end)
            end
        end
    end)

    it("predicts cycles only for the code in registers", function()
        local node = fixture.node()
        node.kind = "native"
        local found = points(function(parts)
            parts.registers.in_core = { cycles = 6, by = "llvm-mca 1, some" }
            parts.from_l2.in_core = { cycles = 6, by = "llvm-mca 1, some" }
        end, node)
        assert.near(6 / 14, found["registers 3072 3072"].CPI["0"].value, 1e-12)
        assert.is_nil(found["from_l2 3072 3072"].CPI)
    end)
end)
