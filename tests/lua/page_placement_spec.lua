-- page_placement_spec.lua - the number of lines from each socket's memory, by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

local function planned(node, kernels)
    return fixture.planned("page_placement", { node = node or fixture.two_sockets(), kernels = kernels })
end

local function points(node, kernels)
    return fixture.points(planned(node, kernels))
end

-- The metric's expected values on thread 0 and thread 1.
local function values(point, metric)
    return { point.expected[metric]["0"].value, point.expected[metric]["1"].value }
end

local LINKS = 2048 * 32 * 6

describe("page_placement", function()
    it("has all lines from the thread's own socket if their users touched them", function()
        local point = points()["by_users 2048 6"]
        assert.same({ LINKS, LINKS }, values(point, "Loads from own memory"))
        assert.same({ 0, 0 }, values(point, "Reads from other memory"))
        assert.same({ 0, 0 }, values(point, "Remote share of reads"))
        assert.same({ LINKS * 64e-9, LINKS * 64e-9 }, values(point, "iMC read volume"))
    end)

    it("has the second thread's lines from the first thread's socket if that thread touched them all", function()
        local point = points()["by_one 2048 6"]
        assert.same({ LINKS, 0 }, values(point, "Reads from own memory"))
        assert.same({ 0, LINKS }, values(point, "Loads from other memory"))
        assert.same({ 0, 1 }, values(point, "Remote share of reads"))
        assert.same({ 2 * LINKS * 64e-9, 0 }, values(point, "iMC read volume"))
        assert.equal(LINKS, point.expected["Loads from other memory"]["0"].work)
    end)

    it("has half of the lines from each socket if both threads touched pages in turn", function()
        local point = points()["in_turn 2048 6"]
        assert.same({ LINKS / 2, LINKS / 2 }, values(point, "Reads from own memory"))
        assert.same({ 1 / 2, 1 / 2 }, values(point, "Remote share of reads"))
        assert.same({ LINKS * 64e-9, LINKS * 64e-9 }, values(point, "iMC read volume"))
    end)

    it("has all lines from the thread's own socket if they lie in its high-bandwidth memory, and none from the other memory", function()
        assert.is_nil(points()["in_hbm 2048 6"])
        local node = fixture.two_sockets()
        node.hbm = true
        assert.is_nil(points(node)["in_hbm 2048 6"]) -- a second memory, but no boxes of such memory
        local machine = fixture.machine()
        table.insert(machine.counters, { name = "HBM", boxes = 16, one_per = "hbm", count = 4, bits = 48 })
        local point = fixture.points(fixture.planned("page_placement", { node = node, machine = machine }))["in_hbm 2048 6"]
        assert.same({ LINKS, LINKS }, values(point, "Loads from own memory"))
        assert.same({ 0, 0 }, values(point, "Loads from other memory"))
        assert.same({ 0, 0 }, values(point, "iMC read volume"))
    end)

    it("uses the second thread's share for the controls", function()
        local found = points()
        assert.equal("present", found["by_one 2048 6"].control)
        assert.equal("absent", found["by_users 2048 6"].control)
        assert.is_nil(found["in_turn 2048 6"].control)
    end)

    it("has no expectation for lists that caches may keep, or that are larger than needed", function()
        local found = points()
        assert.is_nil(found["by_one 17408 4"])
        local node = fixture.two_sockets()
        node.caches[3].size_bytes = 32 << 20
        found = points(node)
        assert.is_nil(found["by_one 2048 6"])
        assert.is_table(found["by_one 17408 4"])
        node.caches[3].size_bytes = 5 << 20 -- the list has 8 MiB, less than twice the L3
        assert.is_nil(points(node)["by_one 2048 6"])
    end)

    it("has up to twice the volume if a prefetcher may complete pairs, and the same loads", function()
        local node = fixture.two_sockets()
        node.kind = "native"
        local point = points(node)["by_users 2048 6"]
        assert.same({ LINKS, LINKS }, values(point, "Loads from own memory"))
        local volume = point.expected["iMC read volume"]["0"]
        assert.near(LINKS * 64e-9, volume.min, 1e-12)
        assert.near(2 * LINKS * 64e-9, volume.max, 1e-12)
    end)

    it("is skipped on one socket, with the reason", function()
        local result = planned(fixture.node())
        assert.same({}, points(fixture.node()))
        assert.truthy(result.skipped[1].reason:find "one socket")
    end)

    it("refuses a loop whose pass is not a link", function()
        local kernels = fixture.kernels()
        kernels["page_placement:ring_chase"].parts.pass.loads = 2
        assert.has_error(function() points(nil, kernels) end)
    end)
end)
