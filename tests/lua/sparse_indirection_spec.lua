-- sparse_indirection_spec.lua - a row's five entries with and without an array of columns, by hand: 20 useful operations.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

-- On Broadwell-EP, which counts all quantities.
local function points(kernels)
    return fixture.expected(fixture.planned("sparse_indirection", { arch = "broadwellEP", kernels = kernels }))
end

describe("sparse_indirection", function()
    it("has 20 useful operations and 40 FLOPs per row in both codes", function()
        local found = points()
        for name, rows in pairs {
            ["csr 16 128 2048"] = 128 * 2048,
            ["csr 32 1024 512"] = 1024 * 512,
            ["stencil 8 64 24576"] = 64 * 24576,
        } do
            assert.equal(20 * rows, found[name]["Useful operations"]["0"].value)
            assert.equal(40 * rows, found[name]["FLOPs DP"]["0"].value)
            assert.equal(40 * rows, found[name]["FLOPs"]["0"].value)
        end
    end)

    -- fixture's functions: around the times, a time, around the rows, and a row; of the matrix a call and five entries.
    it("counts instructions of executions, of rows, and of the functions that a row calls", function()
        local found = points()
        local csr = 20 + 2048 * (10 + 9 + 128 * (13 + 7 + 5 * 8))
        local stencil = 12 + 8192 * (6 + 11 + 128 * 16)
        assert.equal(csr, found["csr 16 128 2048"]["Instructions"]["0"].value)
        assert.equal(stencil, found["stencil 16 128 8192"]["Instructions"]["0"].value)
        assert.near(csr / (20 * 128 * 2048), found["csr 16 128 2048"]["Instructions per useful operation"]["0"].value, 1e-12)
        assert.near(10 * 128 * 8192 / stencil, found["stencil 16 128 8192"]["AVX operations per instruction"]["0"].value, 1e-12)
        assert.near(40 * 128 * 8192 / stencil, found["stencil 16 128 8192"]["FLOPs per instruction"]["0"].value, 1e-12)
    end)

    it("refuses loops whose passes are other than an entry, a row and a cell", function()
        for _, name in ipairs { "multiply_row", "go_stencil", "go_csr" } do
            local kernels = fixture.kernels()
            local part = kernels["sparse_indirection:" .. name].parts.pass
            part.flops = 2 * part.flops + 8
            assert.has_error(function() points(kernels) end)
        end
    end)
end)
