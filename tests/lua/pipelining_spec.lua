-- pipelining_spec.lua - steps of a polynomial: their counts by hand, and cycles if they can be predicted.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

-- Expected values of the points, and the reasons for what is skipped. `in_core` is the prediction for a pass of both codes.
local function points(kind, in_core, change)
    local reasons, kernels = {}, fixture.kernels()
    local node = setmetatable({ kind = kind }, { __index = fixture.node() })
    for _, name in ipairs { "pipelining:go_chain", "pipelining:go_side_by_side" } do
        kernels[name].parts.in_core = in_core
        if change then
            change(kernels[name].parts.pass)
        end
    end
    local planned = fixture.planned("pipelining", { node = node, kernels = kernels })
    for i, skipped in ipairs(planned.skipped) do
        reasons[i] = skipped.reason
    end
    return fixture.expected(planned), table.concat(reasons, "\n")
end

describe("pipelining", function()
    it("has sixteen operations and eighteen instructions a pass in both codes, and the code around the loop", function()
        local found = points "virtual"
        assert.equal(1 + 16 * 524288, found["chain 524288"]["AVX operations"]["0"].value)
        assert.equal(15 + 16 * 786432, found["side_by_side 786432"]["AVX operations"]["0"].value)
        assert.equal(7 + 18 * 524288, found["chain 524288"]["Instructions"]["0"].value)
        assert.equal(50 + 18 * 1048576, found["side_by_side 1048576"]["Instructions"]["0"].value)
    end)

    it("has eight divisions of integers a pass in the third code, and none in the others", function()
        local function found(change)
            return fixture.expected(fixture.planned("pipelining", { arch = "zen3", machine = fixture.machine "zen3",
                kernels = change and change(fixture.kernels()) }))
        end
        local divisions = found()
        assert.equal(8 * 524288, divisions["divide 524288"]["Integer divisions"]["0"].value)
        assert.near(8 * 524288 / (3 + 26 * 524288), divisions["divide 524288"]["Integer divisions per instruction"]["0"].value, 1e-12)
        assert.equal(0, divisions["chain 524288"]["Integer divisions"]["0"].value)
        assert.is_nil(divisions["divide 524288"].FLOPs)
        assert.has_error(function()
            found(function(kernels)
                kernels["pipelining:go_divide"].parts.pass.divides = 7
                return kernels
            end)
        end)
    end)

    it("has cycles on silicon from the prediction, within a tenth up and down", function()
        local found, reasons = points("native", { cycles = 64, by = "llvm-mca 1, some" })
        local cycles = found["chain 524288"].CPI["0"]
        assert.near(64 / 18, cycles.value, 1e-12)
        assert.near(0.9 * 64 / 18, cycles.min, 1e-12)
        assert.near(1.1 * 64 / 18, cycles.max, 1e-12)
        assert.equal("llvm-mca 1, some", cycles.terms[1].name)
        assert.equal("", reasons)
    end)

    it("has cycles between two predictions, a tenth around both", function()
        local function cycles(beside)
            local found = points("native", { cycles = 64, by = "llvm-mca 1, some", beside = beside })
            return found["chain 524288"].CPI["0"]
        end
        local larger = cycles { cycles = 80, by = "osaca 1" }
        assert.near(64 / 18, larger.value, 1e-12)
        assert.near(0.9 * 64 / 18, larger.min, 1e-12)
        assert.near(1.1 * 80 / 18, larger.max, 1e-12)
        assert.same({ "osaca 1", "llvm-mca 1, some" }, { larger.terms[1].name, larger.terms[2].name })
        local lesser = cycles { cycles = 48, by = "osaca 1" }
        assert.near(0.9 * 48 / 18, lesser.min, 1e-12)
        assert.near(1.1 * 64 / 18, lesser.max, 1e-12)
        assert.near(1.1 * 64 / 18, cycles({ none = "osaca is not installed" }).max, 1e-12)
    end)

    it("says why cycles are not predicted", function()
        local found, reasons = points "virtual"
        assert.is_nil(found["chain 524288"].CPI)
        assert.is_truthy(reasons:find("a virtual node's time model has neither latencies", 1, true))
        found, reasons = points("native", { none = "llvm-mca is not installed" })
        assert.is_nil(found["chain 524288"].CPI)
        assert.is_truthy(reasons:find("llvm-mca is not installed", 1, true))
        reasons = select(2, points "native")
        assert.is_truthy(reasons:find("nothing predicts the cycles", 1, true))
    end)

    it("refuses passes that are not eight steps in registers", function()
        for what, value in pairs { flops = 128, fp_256_dp = 8, loads = 1, stores = 1 } do
            assert.has_error(function() points("virtual", nil, function(pass) pass[what] = value end) end)
        end
    end)
end)
