-- arithmetic_intensity_spec.lua - bytes, FLOPs and their quotient of products of vectors and matrices, by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lists = require "input.lists"

local function planned(of)
    return fixture.expected(fixture.planned("arithmetic_intensity", of))
end

-- The expected values of a point; amounts of data in bytes.
local function bytes(expected, arguments, metric)
    local one = expected[arguments][metric] and expected[arguments][metric]["0"]
    return one and { min = one.min * 1e9, value = one.value * 1e9, max = one.max * 1e9 }
end

describe("arithmetic_intensity", function()
    local of = planned()

    it("has 16 N bytes, 2 N FLOPs and one written line for a dot product", function()
        local moved = bytes(of, "ddot 8192 1 64", "iMC volume")
        assert.near(64 * (16 * 8192 + 2 * 64), moved.value, 1e-3)
        assert.equal(moved.min, moved.max)
        assert.near(64 * (16 * 8192 + 64), bytes(of, "ddot 8192 1 64", "iMC read volume").value, 1e-3)
        assert.near(2 * 8192 / (16 * 8192 + 128), of["ddot 8192 1 64"]["Arithmetic intensity"]["0"].value, 1e-12)
        assert.equal(64 * 2 * 8192, of["ddot 8192 1 64"]["AVX FLOPs DP"]["0"].value)
        assert.equal(64 * 2 * 8192 / 4, of["ddot 8192 1 64"]["AVX operations"]["0"].value)
    end)

    -- The vectors end with pages; behind the result's 8 bytes are 4088 of its page, more than the 23 lines that prefetchers run ahead.
    -- Each of 64 products reads 2049 lines, so the directory of 5 MiB is filled 64 * 2049 / 81920 times, and the lines are fetched again.
    it("may have lines that prefetchers fetch behind an operand, up to the end of its page", function()
        local node = fixture.node()
        node.prefetchers = "HW_PREFETCHER on, CL_PREFETCHER on, DCU_PREFETCHER on, IP_PREFETCHER on"
        local read = bytes(planned { node = node }, "ddot 8192 1 64", "iMC read volume")
        assert.near(64 * 2049 * 64, read.min, 1e-3)
        assert.near(64 * 2049 * 64 + 23 * 64 * (1 + 64 * 2049 / 81920), read.max, 1e-3)
    end)

    it("has 8 N^2 + 24 N bytes for a matrix-vector product, and lines of x that the last level's directory evicts", function()
        local moved = bytes(of, "dgemv 512 512 16", "iMC volume")
        local fills = 512 * 512 * 8 / 5242880 -- 64 lines of x, and 8 of stack and code, which are evicted as well
        assert.near(16 * (8 * 512 * 512 + 24 * 512), moved.min, 1e-3)
        assert.near(16 * (8 * 512 * 512 + 24 * 512 + fills * (512 * 8 + 2 * 8 * 64)), moved.max, 1e-3)
        assert.near((moved.min + moved.max) / 2, moved.value, 1e-3)
        assert.equal(16 * 2 * 512 * 512, of["dgemv 512 512 16"]["AVX FLOPs DP"]["0"].value)
        assert.is_nil(of["dgemv 512 512 16"]["iMC write volume"]) -- so few lines that the system's own writes would hide them
    end)

    it("has 32 N^2 bytes and 2 N^3 FLOPs for a product of matrices that fit, and writes N^2 elements", function()
        local one = of["dgemm 64 64 64"]
        assert.near(64 * 32 * 64 * 64, bytes(of, "dgemm 64 64 64", "iMC volume").min, 1e-3)
        assert.near(64 * 32 * 64 * 64, bytes(of, "dgemm 64 64 64", "iMC volume").max, 1e-3)
        assert.near(64 * 8 * 64 * 64, bytes(of, "dgemm 64 64 64", "iMC write volume").value, 1e-3)
        assert.near(64 * 24 * 64 * 64, bytes(of, "dgemm 64 64 64", "HA read volume").value, 1e-3)
        assert.near(64 / 16, one["Arithmetic intensity"]["0"].value, 1e-12)
        assert.equal(64 * 2 * 64 ^ 3, one["AVX FLOPs DP"]["0"].value)
    end)

    it("reads B for each row if the caches hold less than half of it, and has no expectation between the bounds", function()
        local read = bytes(of, "dgemm 1152 2 1", "iMC read volume")
        assert.near(2 * 8 * 1152 * 1152 + 2 * 2 * 8 * 1152, read.min, 1e-3)
        assert.near(1 / 4, of["dgemm 1152 2 1"]["Arithmetic intensity"]["0"].max, 0.002)
        local function with(l3)
            local node = fixture.node()
            node.caches[3].size_bytes = l3
            return planned { node = node }["dgemm 1152 2 1"]
        end
        local row = 8 * 1152
        assert.is_nil(with(8 << 20)["iMC volume"]) -- B is 10.1 MiB: more than 0.6 times, less than twice
        assert.is_nil(with(8 << 20)["Arithmetic intensity"])
        assert.is_nil(with(17710000)["iMC volume"]) -- 0.6 times this size holds B, but not B and two rows
        assert.near(8 * 1152 * 1152 + 6 * row, with(32 << 20)["iMC volume"]["0"].max * 1e9, 1e-3)
        assert.near(2 * 2 * 1152 ^ 2 / (8 * 1152 ^ 2 + 6 * row), with(32 << 20)["Arithmetic intensity"]["0"].value, 1e-9)
    end)

    it("has no intensity for scalar code where the event does not count it, else the same", function()
        local scalar = of["dgemv_scalar 256 256 16"]
        assert.equal(0, scalar["Arithmetic intensity"]["0"].max)
        assert.near(1 / 4, scalar["Arithmetic intensity"]["0"].work, 0.004)
        assert.equal(0, scalar["AVX operations"]["0"].max)
        assert.near(16 * 2 * 256 * 256 / 1e6, scalar["Performance"]["0"].work, 1e-9)
        local others = planned { arch = "skylakeX" }
        assert.near(1 / 4, others["dgemv_scalar 256 256 16"]["Arithmetic intensity"]["0"].value, 0.004)
        assert.equal(16 * 2 * 256 * 256, others["dgemv_scalar 256 256 16"]["FLOPs DP"]["0"].value)
        assert.equal(16 * 256 * (2 * 256 + 3), others["dgemv 256 256 16"]["FLOPs DP"]["0"].value) -- three to add up lanes
    end)

    it("has half of the bytes on half of the channels", function()
        local half = planned { arch = "zen3" }["dgemm 64 64 64"]
        assert.near(64 / 16, half["Arithmetic intensity"]["0"].value, 1e-9)
        assert.near(64 * 16 * 64 * 64, half["DRAM channels 4-7 volume"]["0"].value * 1e9, 1e-3)
    end)

    it("of a dot product is uncertain where some channels are seen: its one line of results may lie in them, or not", function()
        local quarter = planned { arch = "zen2" }["ddot 8192 1 64"]
        local even, line = 64 * 2 * 8 * 8192, 64 * 2 * 64 -- the line is read and written
        assert.near(even / 4, quarter["DRAM channels 0-1 volume"]["0"].min * 1e9, 1e-3)
        assert.near(even / 4 + line, quarter["DRAM channels 0-1 volume"]["0"].max * 1e9, 1e-3)
        local per_byte = 64 * (2 * 8192 + 3) -- FLOPs, three to add up lanes
        assert.near(per_byte / (even + 4 * line), quarter["Arithmetic intensity"]["0"].min, 1e-12)
        assert.near(per_byte / even, quarter["Arithmetic intensity"]["0"].max, 1e-12)
    end)

    it("has the operands' bytes for OpenBLAS's products, and FLOPs that add up its partial sums", function()
        local others = planned { arch = "broadwellEP" }
        assert.equal(32 * (2 * 32768 + 3 * 4 + 4 + 1), others["ddot_openblas 32768 1 32"]["FLOPs DP"]["0"].value)
        assert.equal(4 * 128 * (2 * 2560 + 2 * 6), others["dgemv_openblas 2560 128 4"]["FLOPs DP"]["0"].value) -- two blocks of columns
        assert.equal(64 * (2 * 64 ^ 3 + 64 ^ 2), others["dgemm_openblas 64 64 64"]["FLOPs DP"]["0"].value)
        assert.equal(4 * 160 * (2 * 320 ^ 2 + 2 * 320), others["dgemm_openblas 320 160 4"]["FLOPs DP"]["0"].value)
        assert.near((2 * 64 + 1) / 32, others["dgemm_openblas 64 64 64"]["Arithmetic intensity"]["0"].value, 1e-12)
        assert.near(64 * 32 * 64 * 64, bytes(of, "dgemm_openblas 64 64 64", "iMC volume").max, 1e-3)
        assert.near(4 * 8 * (320 * 320 + 2 * 160 * 320), bytes(of, "dgemm_openblas 320 160 4", "HA read volume").value, 1e-3)
    end)

    it("expects no volume for OpenBLAS's matrices if the caches cannot hold them and their copies", function()
        local node = fixture.node()
        node.caches[3].size_bytes = 8 * (2 * (320 * 320 + 160 * 320) + 160 * 320) -- as large as all operands: no space for stack and code
        local small = planned { node = node }
        assert.is_nil(small["dgemm_openblas 320 160 4"])
        assert.is_not_nil(small["dgemm_openblas 128 128 16"]["iMC volume"])
        node.caches[3].size_bytes = 1 << 16 -- a third of one operand: blocks are read several times, but not once per row
        assert.is_nil(planned { node = node }["dgemm_openblas 320 160 4"])
    end)

    it("skips OpenBLAS's FLOPs if fused multiply-adds count once, and OpenBLAS if it is not installed", function()
        local with = fixture.planned("arithmetic_intensity")
        assert.is_nil(of["ddot_openblas 32768 1 32"]["Performance"])
        assert.is_nil(of["ddot_openblas 32768 1 32"]["AVX operations"])
        local function reasons(plan)
            local list = lists.collect(plan.skipped, function(skipped) return (skipped.code or "") .. skipped.reason end)
            return table.concat(list, "\n")
        end
        assert.truthy(reasons(with):find("performance: OpenBLAS's fused multiply-adds", 1, true))
        local node = fixture.node()
        node.openblas = false
        local without = fixture.planned("arithmetic_intensity", { node = node })
        assert.is_nil(fixture.expected(without)["ddot_openblas 32768 1 32"])
        assert.truthy(reasons(without):find("dgemm_openblasit needs openblas", 1, true))
    end)

    it("refuses a loop whose pass is not the expected one", function()
        local kernels = fixture.kernels()
        kernels["arithmetic_intensity:add_vectors"].parts.pass.flops = 16
        assert.has_error(function() planned { kernels = kernels } end)
    end)
end)
