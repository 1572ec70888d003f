-- plan_spec.lua - sizes, sweeps, regions and jobs.
-- SPDX-License-Identifier: GPL-3.0-or-later
local colours = require "model.colours"
local fixture = require "fixture"
local lists = require "input.lists"
local model = require "model.traffic"

local function each_point(result, visit)
    for _, job in ipairs(result.jobs) do
        for _, point in ipairs(job.points) do
            visit(job, point)
        end
    end
end

describe("plan.make", function()
    it("plans every code, level and placement in few processes, at the points of the pattern", function()
        local result, pattern = fixture.plan {}, fixture.pattern()
        local seen, count, wanted = {}, 0, 0
        for _, level in ipairs(pattern.levels) do -- a placement each: the socket's only domain is the socket
            wanted = wanted + #(level.codes or pattern.codes) * level.points
        end
        each_point(result, function(_, point)
            assert.is_nil(seen[point.region])
            assert.truthy(point.region:match("^[A-Za-z0-9_.]+$"))
            seen[point.region] = true
            count = count + 1
        end)
        assert.equal(wanted, count)
        assert.is_true(#result.jobs >= 7 and #result.jobs <= 11)
        assert.equal(0, #result.skipped)
        for number = 2, #result.jobs do
            assert.is_true(result.jobs[number - 1].accesses >= result.jobs[number].accesses)
        end
    end)

    it("keeps the data well inside their level, and uses whole lines and passes", function()
        local kernels = fixture.kernels()
        local bounds = { L1 = { 8192, 16384 }, L2 = { 65536, 131072 }, L3 = { 589824, 2621440 }, MEM = { 10485760, 20971520 } }
        each_point(fixture.plan {}, function(job, point)
            local cached = math.max(1, model.cached_streams(kernels[point.kernel].streams)) * point.elements * 8 * #job.cpus
            assert.is_true(cached >= bounds[job.level][1] and cached <= bounds[job.level][2], point.region .. " " .. cached)
            assert.equal(0, point.elements % 16)
            assert.equal(point.streams * point.elements * 8, point.bytes)
            assert.is_true(point.bytes <= job.bytes)
        end)
    end)

    it("sweeps often enough for the interval that the pattern allows, but for memory of virtual nodes", function()
        local machine, node, kernels, pattern = fixture.machine(), fixture.node(), fixture.kernels(), fixture.pattern()
        local allowed = lists.index(pattern.levels, "name")
        local function check(job, point)
            local modelled =
                { level = job.level, stream_bytes = point.elements * 8, passes = point.passes, threads = #job.cpus, warm = true }
            local level = allowed[job.level]
            local bytes = model.traffic(kernels[point.kernel].streams, machine, node, modelled, level.boundaries[1], "total")
            local width = math.max(bytes.max_bytes - bytes.value_bytes, bytes.value_bytes - bytes.min_bytes)
            assert.is_true(width <= level.interval_pct / 100 * bytes.value_bytes + 1e-6, point.region)
        end
        each_point(fixture.plan {}, function(job, point)
            if job.level ~= "MEM" then
                check(job, point)
            end
        end)
        node.kind = "native"
        each_point(fixture.plan({}, node), check)
    end)

    it("is the same for the same input", function()
        assert.same(fixture.plan {}, fixture.plan {})
    end)

    it("uses the fewest points with --quick, and only the requested level", function()
        local count = 0
        each_point(fixture.plan { quick = true }, function() count = count + 1 end)
        assert.equal(11 * (2 + 2 + 1 + 1) + 3, count)
        local small = fixture.plan { level = "L2" }
        each_point(small, function(job) assert.equal("L2", job.level) end)
        assert.equal(1, #small.jobs) -- too cheap to be worth a second start
    end)

    -- Four counters of a core: two for each of L1-L2 and L2-L3, one for what the core reads of memory.
    local SHOWN = {
        ["L1 S0:1"] = { "ASSAY_L2", "ASSAY_MEM", "ASSAY_HA", "ASSAY_CBOX", "ASSAY_CORE_MEM", "ASSAY_L3" },
        ["L2 S0:1"] = { "ASSAY_L2", "ASSAY_L3", "ASSAY_CBOX", "ASSAY_MEM", "ASSAY_HA" },
        ["L3 S0:1"] = { "ASSAY_L3", "ASSAY_CBOX", "ASSAY_MEM", "ASSAY_HA", "ASSAY_CORE_MEM", "ASSAY_L2" },
        ["MEM S0:1"] = { "ASSAY_MEM", "ASSAY_HA", "ASSAY_CBOX", "ASSAY_L3", "ASSAY_L2" },
        ["MEM S0:2"] = { "ASSAY_MEM", "ASSAY_HA", "ASSAY_CBOX", "ASSAY_CORE_MEM" },
    }

    it("measures all groups of a boundary, and the boundaries above and below it, in one run", function()
        local seen = {}
        for _, job in ipairs(fixture.plan({}).jobs) do
            local key = job.level .. " " .. job.placement
            seen[key] = true
            assert.equal(1, #job.runs)
            assert.same(SHOWN[key], { table.unpack(job.groups) })
        end
        for key in pairs(SHOWN) do
            assert.is_true(seen[key], key)
        end
    end)

    it("measures neighbouring boundaries for a few codes only, and no metric whose counters do not fit", function()
        for _, job in ipairs(fixture.plan({}).jobs) do
            for _, one in ipairs(job.quantities) do
                if one.codes then
                    assert.equal("volume", one.kind)
                    assert.same({ "load", "copy", "copy_nt" }, { table.unpack(one.codes) })
                end
                assert.is_false(job.level == "L3" and one.metric == "L1-L2 evict volume")
                assert.is_false(job.level == "L1" and one.metric == "L2-L3 volume")
            end
        end
    end)

    it("adds a second run only for a level's own groups", function()
        local machine = fixture.machine()
        for _, box in ipairs(machine.counters) do
            box.count = box.name == "PMC" and 1 or box.count
        end
        local result = fixture.planned(nil, { machine = machine, options = { level = "L2" } })
        local job = result.jobs[1]
        assert.equal(2, #job.runs) -- one event of ASSAY_L2 each
        for _, one in ipairs(job.quantities) do
            assert.is_nil(one.metric:find "^L2")
        end
    end)

    it("plans patterns together as each alone", function()
        local patterns = lists.map({ "false_sharing", "line_sharing", "excess_volume", "bandwidth_saturation" }, fixture.pattern)
        local together = require("plan.plan").make { patterns = patterns, machine = fixture.machine(), node = fixture.node(),
            kernels = fixture.kernels(), groups = fixture.groups(), options = {} }
        assert.same(lists.map(patterns, function(pattern) return fixture.planned(pattern) end), together)
    end)

    it("programs only slices that the node has", function()
        for cores = 1, 4, 3 do
            local node, slices = fixture.node(), {}
            node.cores_per_socket, node.caches[3].size_bytes = cores, cores * 2621440
            local job = fixture.plan({ level = "MEM" }, node).jobs[1]
            for _, event in ipairs(job.runs[1].events) do
                local slice, counter = event.counter:match("^CBOX(%d+)C(%d)$")
                if slice then
                    slices[#slices + 1] = slice .. counter .. event.event .. event.options
                end
            end
            assert.equal(3 * cores, #slices)
            assert.equal("00TOR_INSERTS_LOCAL_OPCODEOPCODE=0x182", slices[1])
            assert.equal(cores - 1 .. "2TOR_INSERTS_REMOTE_OPCODEOPCODE=0x182", slices[#slices])
            assert.is_nil(job.runs[1].text:find("CBOX" .. cores .. "C", 1, true))
        end
    end)

    it("makes native regions long enough", function()
        local node = fixture.node()
        node.kind = "native"
        each_point(fixture.plan({}, node), function(_, point) assert.is_true(point.bytes * point.passes >= 4.99e8) end)
    end)

    it("skips with a reason: one core per socket, no room in a level, a missing kernel", function()
        local node = fixture.node()
        node.cpus_by_socket, node.cpus_by_domain, node.cores_per_socket = { { 0 }, { 1 } }, { { 0 }, { 1 } }, 1
        node.caches[3] = { level = 3, size_bytes = 1048576, ways = 16, shared_by_cores = 1 }
        local result = fixture.plan({}, node)
        assert.equal(12, #result.skipped)
        assert.equal("no size is well inside L3 on node haswellEP-1x2: 589824 bytes are too few, 524288 too many", result.skipped[1].reason)
        assert.equal("a socket has one core: the same as S0:1", result.skipped[12].reason)
    end)

    it("measures for 50 ms on silicon: half a gigabyte per thread at the smallest size, and no more sweeps", function()
        local node, of_interval = fixture.node(), {}
        each_point(fixture.plan {}, function(_, point) of_interval[point.region] = point.passes end)
        node.kind = "native"
        each_point(fixture.plan({}, node), function(job, point)
            if point.region:find "%.p1$" then
                assert.is_true(point.bytes * point.passes >= 5e8, point.region)
                local by_interval = job.level == "MEM" and 13 or of_interval[point.region] -- a quarter stays: 2 % of 13 sweeps
                local is_needed = point.passes == by_interval or point.bytes * (point.passes - 1) < 5e8
                assert.is_true(is_needed, point.region)
            end
        end)
    end)

    it("measures no longer than necessary on a virtual node: 100 MB or five sweeps", function()
        local function passes_of(kind, bytes)
            local node, most = fixture.node(), {}
            node.kind, node.caches[3].size_bytes = kind, bytes
            each_point(fixture.plan({}, node), function(job, point)
                most[job.level] = math.max(most[job.level] or 0, point.passes)
            end)
            return most.MEM, most.L2
        end
        local small, of_level = passes_of("virtual", 512 << 10)
        assert.equal(25, small) -- half of the data stays: 2 % of 25 sweeps
        assert.same({ math.ceil(100e6 / (4 << 20)), of_level }, { passes_of("virtual", 2 << 20) })
        assert.same({ 5, of_level }, { passes_of("virtual", 64 << 20) })
        assert.equal(13, (passes_of("native", 64 << 20)))
    end)

    it("fills half of L2, or less if pages may lie in random frames", function()
        local function most(change)
            local node, bytes = fixture.node(), 0
            node.caches[2].size_bytes, node.caches[2].ways = 1 << 20, 16
            change(node)
            each_point(fixture.plan({}, node), function(job, point)
                bytes = job.level == "L2" and point.code == "load" and #job.cpus == 1 and math.max(bytes, point.bytes) or bytes
            end)
            return bytes
        end
        local safe = colours.safe_bytes({ size_bytes = 1 << 20, ways = 16 }, 4096) * 33 // 32 -- L1 holds 32 KiB of other data
        assert.equal(512 << 10, most(function() end))
        assert.is_true(safe < 512 << 10)
        assert.is_true(most(function(node) node.random_pages = true end) <= safe)
        assert.is_true(most(function(node) node.kind = "native" end) <= safe)
    end)

    it("uses sizes of at most four times the smallest with --quick", function()
        local least, most = {}, {}
        each_point(fixture.plan { quick = true }, function(job, point)
            local key = point.code .. job.level .. job.placement
            least[key] = math.min(least[key] or point.bytes, point.bytes)
            most[key] = math.max(most[key] or point.bytes, point.bytes)
        end)
        for key, bytes in pairs(most) do
            assert.is_true(bytes <= 4 * least[key], key)
        end
        local spread = 0
        for key, bytes in pairs(most) do
            spread = math.max(spread, bytes / least[key])
        end
        assert.is_true(spread > 1.5, "a line needs two sizes")
    end)

    it("skips a node whose caches differ from the machine file", function()
        local node = fixture.node()
        node.caches[3] = nil
        local result = fixture.plan({}, node)
        assert.equal(0, #result.jobs)
        local reason = "node haswellEP-1x2 has 2 cache levels, machine haswellEP has 3"
        assert.same({ { pattern = "bandwidth_saturation", reason = reason } }, { table.unpack(result.skipped) })
    end)
end)
