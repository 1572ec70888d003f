-- latency_bound_spec.lua - which level serves the links of lists, by hand, on nodes with caches and TLBs of known sizes.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local lists = require "input.lists"

-- haswellEP-1x2: L1 32 KiB, L2 256 KiB, L3 5 MiB; TLBs of 64 and 1024 entries.
local function points(node, kernels)
    return fixture.expected(fixture.planned("latency_bound", { node = node, kernels = kernels }))
end

local function value(expected, metric)
    local interval = expected[metric] and expected[metric]["0"]
    return interval and interval.value
end

-- Loads from L1, L2, L3 and past it.
local function hits(expected)
    return { value(expected, "Loads from L1"), value(expected, "Loads from L2"), value(expected, "Loads from L3"),
        value(expected, "Loads past L3") }
end

local function translations(expected)
    return { value(expected, "Second-level TLB hits of loads"), value(expected, "Page walks of loads") }
end

describe("latency_bound", function()
    it("has all links of a list served by the first cache that can hold it", function()
        local found = points()
        assert.same({ 4 * 32 * 8192, 0, 0, 0 }, hits(found["short 4 4 8192"])) -- 16 KiB
        assert.same({ 0, 16 * 32 * 512, 0, 0 }, hits(found["short 16 16 512"])) -- 64 KiB
        assert.same({ 0, 0, 576 * 32 * 32, 0 }, hits(found["random 576 576 32"])) -- 2.25 MiB
        assert.same({ 0, 0, 0, 4096 * 32 * 6 }, hits(found["random 4096 4096 6"])) -- 16 MiB
    end)

    it("has first visits of a block served by the level that holds all blocks", function()
        local lines = 8192 * 32
        local found = points()
        assert.same({ 7 * lines, 0, 0, lines }, hits(found["blocked 8192 4 8"]))
        assert.same({ 0, 7 * lines, 0, lines }, hits(found["blocked 8192 16 8"]))
        assert.same({ 0, 0, 7 * 9216 * 32, 9216 * 32 }, hits(found["short 9216 576 8"]))
        assert.equal(lines, value(found["blocked 8192 4 8"], "Loads past L2"))
        assert.near(lines * 64e-9, value(found["blocked 8192 4 8"], "L2-L3 load volume"), 1e-12)
        assert.near(1 / 24, value(found["blocked 8192 4 8"], "Loads past L2 per instruction"), 1e-12)
        assert.near(1 / 3, value(found["random 4096 4096 6"], "Loads past L2 per instruction"), 1e-12)
    end)

    it("has a walk per link beyond the TLBs' reach, else a second-level hit, a walk per page of blocks, none for short lists", function()
        local found = points()
        assert.same({ 0, 4096 * 32 * 6 }, translations(found["random 4096 4096 6"]))
        assert.same({ 576 * 32 * 32, 0 }, translations(found["random 576 576 32"]))
        assert.same({ 0, 8192 }, translations(found["blocked 8192 16 8"]))
        assert.same({ 9216 * 32 * 8 - 9216, 9216 }, translations(found["short 9216 576 8"]))
        assert.same({ 0, 0 }, translations(found["short 16 16 512"]))
        assert.same({ 144 * 32 * 128, 0 }, translations(found["short 144 144 128"])) -- these TLB hits load from L3,
        assert.same({ 0, 0, 144 * 32 * 128, 0 }, hits(found["short 144 144 128"])) -- or from L2, if it is larger (below)
        local node = fixture.node()
        node.caches[2].size_bytes = 1 << 20
        assert.same({ 0, 144 * 32 * 128, 0, 0 }, hits(points(node)["short 144 144 128"]))
        assert.equal(16 * 32 * 512, found["short 16 16 512"]["Page walks of loads"]["0"].work)
    end)

    it("has the same loads and no walk in large pages that fit into the first-level TLB", function()
        local found = points()
        assert.same(hits(found["random 8192 8192 4"]), hits(found["large 8192 8192 4"])) -- 16 large pages, of 32 entries
        assert.same({ 0, 0 }, translations(found["large 8192 8192 4"]))
        assert.equal(8192 * 32 * 4, found["large 8192 8192 4"]["Page walks of loads"]["0"].work)
        local node = fixture.node()
        node.caches[3].size_bytes = 12 << 20
        assert.same({}, translations(points(node)["large 17408 17408 4"])) -- 34 large pages
        assert.equal(17408 * 32 * 4, value(points(node)["large 17408 17408 4"], "Loads past L3"))
    end)

    it("has a second-level hit per link if each goes to another large page and the first TLB cannot hold them", function()
        local found = points()
        assert.same({ 144 * 32 * 128, 0 }, translations(found["large_apart 144 144 128"]))
        assert.same({ 288 * 32 * 64, 0 }, translations(found["large_apart 288 288 64"]))
        assert.same({ 0, 0, 144 * 32 * 128, 0 }, hits(found["large_apart 144 144 128"]))
    end)

    it("skips codes with large pages if the node has none", function()
        local node = fixture.node()
        node.large_pages = false
        local planned = fixture.planned("latency_bound", { node = node })
        local found = fixture.expected(planned)
        assert.is_nil(found["large 8192 8192 4"])
        assert.is_nil(found["large_apart 144 144 128"])
        assert.same(hits(points(fixture.node())["random 8192 8192 4"]), hits(found["random 8192 8192 4"]))
        local reasons = lists.collect(planned.skipped, "reason")
        assert.truthy(table.concat(reasons, "\n"):find("the node gives no large pages", 1, true))
    end)

    it("looks for large pages where the processor has them: in entries of their own, or next to small ones", function()
        local function shown(change)
            local machine = fixture.machine()
            change(machine.processor)
            return fixture.expected(fixture.planned("latency_bound", { machine = machine }))
        end
        local found = shown(function(processor) processor.dtlb_large = nil end) -- large pages share the 64 entries of small ones
        assert.same({ 144 * 32 * 128, 0 }, translations(found["large_apart 144 144 128"]))
        found = shown(function(processor) processor.dtlb_large = { entries = 256, ways = 4 } end)
        assert.same({ 0, 0 }, translations(found["large_apart 144 144 128"]))
        found = shown(function(processor) processor.large_page = nil end)
        assert.same({}, translations(found["large_apart 144 144 128"]))
        assert.same({}, translations(found["large 8192 8192 4"]))
        assert.same({ 144 * 32 * 128, 0 }, translations(found["short 144 144 128"]))
    end)

    it("has no expectation for a list that may partly stay in a cache, or that is larger than needed", function()
        assert.is_nil(points()["random 32768 32768 4"]) -- 128 MiB
        local node = fixture.node()
        node.caches[3].size_bytes = 12 << 20 -- the list has 16 MiB, less than twice the L3
        local found = points(node)
        assert.is_nil(found["random 4096 4096 6"])
        assert.is_table(found["random 32768 32768 4"])
        node.caches[3].size_bytes = 3 << 20 -- the list has 2.25 MiB, more than 3/5 of the L3
        assert.is_nil(points(node)["random 576 576 32"])
    end)

    it("expects less cached data if small pages lie in random frames; translations and large pages stay the same", function()
        local node = fixture.node()
        node.random_pages = true
        local found, even = points(node), points()
        assert.is_nil(found["random 576 576 32"]["Loads from L3"]) -- 456 pages surely fit into 64 colours of 20 ways
        assert.same(translations(even["random 576 576 32"]), translations(found["random 576 576 32"]))
        for _, same in ipairs { "random 448 448 40", "short 16 16 512", "random 17408 17408 4", "large_apart 144 144 128" } do
            assert.same(even[same], found[same], same)
        end
        node.random_pages, node.kind = nil, "native"
        assert.is_nil(points(node)["random 576 576 32"]["Loads from L3"])
    end)

    it("has one line into L2 per load past it, up to two if a prefetcher may complete pairs", function()
        local function volume(change)
            local node = fixture.node()
            change(node)
            local found = points(node)["random 4096 4096 6"]["L2-L3 load volume"]["0"]
            return { found.min / 4096e-9 / 32 / 6 / 64, found.max / 4096e-9 / 32 / 6 / 64 }
        end
        local function near(least, most, found)
            assert.near(least, found[1], 1e-9)
            assert.near(most, found[2], 1e-9)
        end
        near(1, 1, volume(function() end))
        near(1, 2, volume(function(node) node.kind = "native" end))
        near(1, 2, volume(function(node) node.kind, node.prefetchers = "native", "CL_PREFETCHER on" end))
        near(1, 1, volume(function(node) node.kind, node.prefetchers = "native", "HW_PREFETCHER on, CL_PREFETCHER off" end))
        near(1, 2, volume(function(node) node.prefetchers = true end))
    end)

    it("refuses a loop whose pass is not a link", function()
        local kernels = fixture.kernels()
        kernels["latency_bound:ring_chase"].parts.pass.loads = 2
        assert.has_error(function() points(nil, kernels) end)
    end)
end)
