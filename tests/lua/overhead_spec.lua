-- overhead_spec.lua - expected clock, time, CPI and rates, computed by hand for one kernel, and which of them a fault changes.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lists = require "input.lists"
local samples = require "read.samples"

-- Ten instructions a pass of 16 elements, with sixteen operations of four FLOPs each, which no code has, in it; 20 instructions a sweep.
local function kernel(name, streams)
    local zero = { instructions = 0, loads = 0, stores = 0, flops = 0, divides = 0, avx_calc = 0 }
    return {
        name = name,
        elements_per_pass = 16,
        bytes_per_element = 8,
        streams = streams,
        loads_per_pass = 4,
        stores_per_pass = 0,
        parts = {
            pass = { instructions = 10, loads = 4, stores = 0, flops = 64, divides = 0, avx_calc = 16 },
            constant = { instructions = 20, loads = 0, stores = 0, flops = 0, divides = 0, avx_calc = 0 },
            sweep = zero,
            once = zero,
        },
    }
end

local function planned()
    local pattern, kernels = fixture.pattern "instruction_overhead", {}
    for _, code in ipairs(pattern.codes) do
        local streams = { { loads = true }, code.kernel == "copy" and { stores = true } or nil }
        kernels[code.kernel] = kernel(code.kernel, streams)
    end
    return fixture.planned(pattern, { kernels = kernels, options = { quick = true } }), kernels
end

local function find(result, code)
    for _, job in ipairs(result.jobs) do
        for _, point in ipairs(job.points) do
            if point.code == code then
                return point, job
            end
        end
    end
end

describe("instruction_overhead", function()
    local result, kernels = planned()

    it("expects one cycle per instruction, 12 per line from L2, and 15 at the end of a sweep", function()
        local point = find(result, "load")
        local per_sweep = point.elements / 16 * 10 + 20
        local cycles = per_sweep + 15 + 12 * (point.elements * 8 / 64 + 3)
        local slack = 12 -- a line more or less of the stack
        local cpi = point.expected.CPI["0"]
        assert.near(cycles / per_sweep, cpi.value, 1e-9)
        assert.near((cycles - slack) / per_sweep, cpi.min, 1e-9)
        assert.near((cycles + slack) / per_sweep, cpi.max, 1e-9)
        assert.near(point.passes * cycles / 2.3e9, point.expected["Runtime unhalted"]["0"].value, 1e-12)
        assert.equal(2300, point.expected.Clock["0"].value)
    end)

    it("also fetches the lines of a stored stream", function()
        local load, copy = find(result, "load"), find(result, "copy")
        local more = 12 * copy.elements * 8 / 64 / (copy.elements / 16 * 10 + 20)
        assert.near(more, copy.expected.CPI["0"].value - load.expected.CPI["0"].value, 1e-9)
    end)

    it("has an interval narrower than a tenth of the tolerance for data in L1 or registers", function()
        for _, code in ipairs { "triad", "fma_registers" } do
            local cpi = find(result, code).expected.CPI["0"]
            assert.equal(cpi.min, cpi.max)
        end
    end)

    it("predicts no cycles on silicon, with the reason", function()
        local node = fixture.node()
        node.kind = "native"
        local native = fixture.planned("instruction_overhead", { node = node, kernels = kernels, options = { quick = true } })
        local reasons = lists.collect(native.skipped, "reason")
        assert.matches("clock: cycles, clock and time of a code are not known beforehand", table.concat(reasons, "\n"))
        local point = find(native, "triad")
        assert.is_nil(point.expected.CPI)
        assert.is_table(point.expected["AVX operations per instruction"])
    end)

    -- A run with the code's true counts, after change(counts of core 0).
    local function read(change)
        local point, job = find(result, "triad")
        local instructions = point.passes * (point.elements / 16 * 10 + 20)
        local cycles, avx = instructions + 15 * point.passes, point.passes * point.elements / 16 * 16
        local counts = { FIXC0 = instructions, FIXC1 = cycles, FIXC2 = cycles, PMC0 = avx }
        for _, event in ipairs(job.runs[1].events) do
            counts[event.counter] = counts[event.counter] or 0
        end
        change(counts)
        local rows = { { cpu = 0, seconds = cycles / 2.3e9, calls = 1, counts = counts, absent = {} } }
        local found = {}
        for _, sample in ipairs(samples.read { machine = fixture.machine(), node = fixture.node(), kernels = kernels,
            groups = fixture.groups(), job = job, run = job.runs[1], rep = 1, regions = { [point.region] = rows } }) do
            if sample.point == point.region and sample.expected then
                local deviation = sample.measured / sample.expected.value - 1
                found[sample.metric] = math.abs(deviation) < 1e-9 and 0 or deviation
            end
        end
        return found
    end

    it("agrees with a run that has the code's true counts", function()
        for metric, deviation in pairs(read(function() end)) do
            assert.equal(0, deviation, metric)
        end
    end)

    it("changes with each counter in its formula", function()
        for counter, moved in pairs {
            FIXC0 = { CPI = -1 / 1.01, ["AVX operations per instruction"] = -1 },
            FIXC1 = { CPI = 1, ["Runtime unhalted"] = 1, Clock = 1 },
            FIXC2 = { Clock = -1 },
        } do
            local found = read(function(counts) counts[counter] = counts[counter] * 1.01 end)
            for metric, deviation in pairs(found) do
                local wanted = moved[metric]
                assert.is_true((wanted ~= nil) == (deviation ~= 0), counter .. " " .. metric)
                assert.is_true(wanted == nil or wanted * deviation > 0, counter .. " " .. metric)
            end
        end
    end)

    it("shows rates over the measured time, and amounts in the fit", function()
        local point, job = find(result, "triad")
        local found
        for _, sample in ipairs(samples.read { machine = fixture.machine(), node = fixture.node(), kernels = kernels,
            groups = fixture.groups(), job = job, run = job.runs[1], rep = 1,
            regions = { [point.region] = { { cpu = 0, seconds = 2, calls = 1, counts = { PMC0 = 1e6 }, absent = {} } } } }) do
            found = sample.point == point.region and sample.metric == "AVX DP" and sample or found
        end
        local flops = point.passes * point.elements / 16 * 64
        for _, key in ipairs { "min", "value", "max" } do
            assert.near(flops / 2 / 1e6, found.expected[key], 1e-9)
        end
        assert.near(1e6 * 4 / 2 / 1e6, found.measured, 1e-9)
        assert.equal(2, found.seconds)
    end)
end)
