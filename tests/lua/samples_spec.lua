-- samples_spec.lua - the model's interval and the work of a sample, in the metric's unit.
-- SPDX-License-Identifier: GPL-3.0-or-later
local data = require "input.bytes"
local fixture = require "fixture"
local group_file = require "input.group"
local model = require "model.traffic"
local samples = require "read.samples"
local units = require "plan.units"

local SECONDS = 0.25

-- Samples of a job's first run and first point: every counter of every thread has count(thread).
local function read(job, count)
    local rows = {}
    for thread, cpu in ipairs(job.cpus) do
        local counts = {}
        for _, event in ipairs(job.runs[1].events) do
            counts[group_file.with_options(event.counter, event.options)] = count(thread)
        end
        rows[thread] = { cpu = cpu, seconds = SECONDS, calls = 1, counts = counts, absent = {} }
    end
    local found = {}
    for _, sample in ipairs(samples.read { machine = fixture.machine(), node = fixture.node(), kernels = fixture.kernels(),
        groups = fixture.groups(), job = job, run = job.runs[1], rep = 1, regions = { [job.points[1].region] = rows } }) do
        found[#found + 1] = sample.point == job.points[1].region and sample or nil
    end
    return found
end

describe("samples", function()
    local by_level = {}
    for _, job in ipairs(fixture.plan({}).jobs) do
        by_level[job.level .. (#job.cpus > 1 and "2" or "")] = job
    end

    it("of streams have the model's interval after a warm-up sweep, and the work, also for rates and single boxes", function()
        local machine, node, kernels, compared = fixture.machine(), fixture.node(), fixture.kernels(), {}
        for _, job in pairs(by_level) do
            local point, of = job.points[1], {}
            for _, quantity in ipairs(job.quantities) do
                of[quantity.group .. quantity.metric] = quantity
            end
            for _, sample in ipairs(read(job, function() return 1000 end)) do
                local quantity = of[sample.group .. sample.metric]
                local cpus = quantity.scope == "core" and { sample.thread } or units.of(node, quantity.scope, job.cpus)[1].cpus
                local streams, lines = kernels[point.kernel].streams, kernels[point.kernel].own_lines
                local own = { read = lines.read * 64, written = lines.written * 64 }
                local modelled = { level = job.level, stream_bytes = point.elements * 8, passes = point.passes, threads = #cpus,
                    cpus = cpus, warm = true, written = true, own = own }
                local bytes = model.traffic(streams, machine, node, modelled, quantity.boundary, quantity.direction)
                local scale = 1 / data.of(quantity.unit) / (quantity.kind == "bandwidth" and SECONDS or 1)
                if quantity.boxes then
                    bytes = model.slice(bytes, quantity.boxes, modelled, 64, quantity.seen)
                end
                for key, in_bytes in pairs { min = "min_bytes", value = "value_bytes", max = "max_bytes" } do
                    assert.near(bytes[in_bytes] * scale, sample.expected[key], 1e-9 * bytes.max_bytes * scale, sample.metric .. " " .. key)
                end
                local share = quantity.boxes and 1 / quantity.boxes or 1
                assert.near(1, sample.work / (model.work(streams, modelled) * scale * share), 1e-9, sample.metric)
                assert.equal(quantity.kind == "bandwidth" and SECONDS or nil, sample.seconds)
                compared[quantity.kind] = true
            end
        end
        assert.same({ volume = true, bandwidth = true, slice = true }, compared)
    end)

    it("take into account lines that the warm-up sweep leaves modified: fewer lines may leave the caches", function()
        local machine, node, job = fixture.machine(), fixture.node(), by_level.L2
        local point = job.points[1]
        local function width(warm)
            local modelled = { level = "L2", stream_bytes = point.elements * 8, passes = point.passes, threads = 1, cpus = { 0 },
                warm = warm }
            return model.traffic(fixture.kernels().daxpy.streams, machine, node, modelled, "L1-L2", "evict").max_bytes
        end
        assert.is_true(width(true) < width(false))
    end)

    it("of two threads are the first thread's value divided by the second's", function()
        local job = by_level.MEM2
        local one = job.quantities[1]
        local ratio = { kind = "ratio", group = one.group, metric = one.metric .. ", thread 0 : 1", of = one.metric, scope = "core",
            unit = nil, boundary = one.boundary, direction = one.direction }
        local asked = setmetatable({ quantities = { ratio } }, { __index = job })
        asked.points = { setmetatable({ expected = { [ratio.metric] = { ["0"] = { min = 2, value = 3, max = 4 } } } },
            { __index = job.points[1] }) }
        local found = read(asked, function(thread) return thread == 1 and 30 or 10 end)
        assert.equal(1, #found)
        assert.near(3, found[1].measured, 1e-12)
        assert.same({ min = 2, value = 3, max = 4 }, found[1].expected)
    end)
end)
